#!/bin/sh
test_description='rondo fix --coder acp:CMD: agents by the Agent Client Protocol, and faults'
. "$(dirname "$0")/lib.sh"

AGENT=$SOURCE/tests/lib/coder_agent

# coder DIR WORD... [-- OPTION...]: rondo fixes a tiny repository by an agent that does this.
coder() {
	dir=$1
	words=
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		words="$words $1" && shift
	done
	[ $# = 0 ] || shift
	[ -e "$dir" ] || tiny "$dir" || return
	(cd "$dir" && fix --coder "acp:python3 $AGENT acp$words" "$@")
}

# said: what the coder said in the last run, all of it.
said() {
	"$RONDO" show | awk '/^---------- .* ----------$/ { on = $2 == "coder"; next } on'
}

# short WORD...: a scenario of such an agent whose silence and turns are short.
short() {
	cat <<-EOF
	agents:
	  coder: {type: acp, command: python3 $AGENT acp $*, ${LIMIT:-idle: 8s}}
	  tester: tester
	team: {participants: [coder, tester], termination: tests_pass, max_turns: 4}
	workspace: {repo: tiny}
	executor: {type: $EXECUTOR}
	EOF
}

tiny tiny

check 'it mends the tree, and its plan, steps and words are shown' '
	(cd tiny && fingerprint) >before && coder tiny mend tell >out &&
	(cd tiny && fingerprint) >after && test_cmp before after &&
	grep "verified in a fresh checkout: 2 of 2 passed (was 1)" out && said >it &&
	grep "^shapes.py: 1 line added, 1 removed$" it && grep "^I was told: You work on" it &&
	grep "^Its plan:$" it && grep "^\[x\] Look$" it && grep "^- edit: shapes.py$" it &&
	grep "^- make .*check (failed)$" it && ! grep "$(printf "\033")" it out &&
	grep "^+    return width \* height$" it && (cd tiny && passes_in_clone "make check")
'

check 'permissions are granted once, and no file is written for it' '
	coder asks asks files mend >out && said >it &&
	grep "I was answered .*selected.*optionId.*yes" it && grep "^/etc/outside: -32601" it &&
	grep "^tests/run.py: -32601" it
'

check 'the second prompt says what is new, and the session knows the rest' '
	LIMIT="idle: 1m" short half tell >one.yaml && test_expect_code 1 "$RONDO" run one.yaml >out &&
	said >it && test $(grep -c "I was told: You work on" it) = 1 &&
	grep -A2 "^I was told:" it >told && grep "These tests fail now" told
'

check 'messages that are none, unknown ones and second answers are passed over' '
	coder strange strange batch twice latin mend >out && grep "2 of 2 passed (was 1)" out
'

check 'a line of 100 MB is passed over' '
	coder huge huge mend >out && grep "2 of 2 passed (was 1)" out
'

check 'what it cannot do without is said: another version, no answer, a login, a death' '
	test_expect_code 3 coder no future >out 2>err &&
	grep "agent .coder.: it speaks version 2 of the Agent Client Protocol, and rondo speaks" err &&
	short deaf mend >deaf.yaml && test_expect_code 3 "$RONDO" run deaf.yaml >out 2>err &&
	grep "it did not answer initialize within 8.0 s" err &&
	test_expect_code 2 coder no login >out 2>err &&
	grep "it wants to know who asks (session/new: Authentication required)" err &&
	grep "help  name a model whose key rondo has: --model" err &&
	(cd no && test_expect_code 3 fix --coder "acp:sh -c \"echo no >&2; exit 5\"" 2>../err) &&
	grep "it ended before it answered initialize (exit code 5): no$" err
'

check 'a half line, an end in mid-edit: the next turn begins anew' '
	LIMIT="idle: 1m" short torn mend >torn.yaml &&
	test_expect_code 1 "$RONDO" run torn.yaml >out && said >it &&
	grep "^ended in its turn (exit code 7)$" it &&
	coder gone gone >out && said >it && grep "^ended in its turn (exit code 9): it broke$" it &&
	grep "2 of 2 passed (was 1)" out
'

check 'it ignores a cancel: it is killed, and what it did is judged' '
	short stubborn >stubborn.yaml && "$RONDO" run stubborn.yaml >out && said >it &&
	grep "^stopped: nothing was heard of it for 8.0 s (idle)$" it && grep "^I do not stop.$" it &&
	LIMIT="timeout: 8s" short stubborn >late.yaml && "$RONDO" run late.yaml >out && said >it &&
	grep "^stopped: its turn took longer than 8.0 s (timeout)$" it
'

check 'a flood of updates, a refusal and another end of the turn are told' '
	coder talks talks mend >out && said | wc -c >size && test "$(cat size)" -lt 200000 &&
	coder limit limit mend >out && said >it && grep "^ended its turn by .max_tokens.$" it &&
	coder refuses refuses mend >out && said >it && grep "^refused the task: no mood$" it
'

check 'tests and runner are put back, commits and litter reach no patch' '
	test_expect_code 1 coder cheat cheat >out && said >it &&
	grep "^Put back, since it is protected: Makefile, tests/new_helper.py, tests/run.py$" it &&
	coder git litter mend commit rewrite litter >out && cd git &&
	git diff --name-only main "$(the_branch)" >../names && echo shapes.py >../expected &&
	test_cmp ../expected ../names &&
	test "$(git rev-parse "$(the_branch)^")" = "$(git rev-parse main)"
'

check SANDBOX 'what it leaves running writes into its own checkout, and nowhere else' '
	coder daemon mend daemon -- --executor sandbox >out && grep "2 of 2 passed (was 1)" out
'

check 'who does not speak it, and who is not there' '
	tiny none && cd none && test_expect_code 2 fix --coder acp:aider --model ollama/x 2>../err &&
	grep "aider does not speak the Agent Client Protocol" ../err &&
	test_expect_code 2 fix --coder acp:codex --model ollama/x 2>../err &&
	grep "Codex: no program .codex-acp. is on PATH" ../err &&
	grep "npm install -g @agentclientprotocol/codex-acp" ../err
'

test_done
