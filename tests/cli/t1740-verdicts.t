#!/bin/sh
test_description='an external coder asks in its box whether its change is proven'
. "$(dirname "$0")/lib.sh"

AGENT=$SOURCE/tests/lib/coder_agent
ASKER=$SOURCE/tests/cli/t1740/agent

# coder DIR PROGRAM [-- OPTION...]: rondo fixes a tiny repository by this program.
coder() {
	dir=$1 program=$2
	shift 2
	[ $# = 0 ] || shift
	[ -e "$dir" ] || tiny "$dir" || return
	(cd "$dir" && timeout 300 "$RONDO" fix --executor "$EXECUTOR" --coder "$program" "$@")
}

# asks DIR MODE...: the same by tests/cli/t1740/agent; what it said is in the file said, and what
# was told of its verdicts in the file told.
asks() {
	dir=$1
	shift
	coder "$dir" "python3 $ASKER $*" >out 2>err || { cat out err && return 1; }
	said >said && told >told
}

# said: what the coder said in the last run, all of it.
said() {
	"$RONDO" show | awk '/^---------- .* ----------$/ { on = $2 == "coder"; next } on'
}

# told: what came of the verdicts that it asked for.
told() {
	sed -n "s/^. coder asked for a verdict: //p" out
}

check 'what fails, what only looks right and what is right are told as they are judged' '
	coder asks "python3 $AGENT verdict cheat verdict mend verdict" >out && said >said &&
	grep "^. not verified: nothing has changed since the base  " said &&
	grep "^. refused: it needs a change of what is protected: Makefile (rule" said &&
	grep "^   help     what is protected stays as it is: change the program$" said &&
	grep "^. verified: 1 test fixed, nothing lost   2 of 2 passed (was 1)," said &&
	grep "^   change   shapes.py | 2 +-$" said && ! grep "rondo show" said &&
	grep "^. look at   tests/run.py (rule protected-test): judged as at the base$" said &&
	grep "^exit" said | tr "\n" " " >exits && echo "exit 1 exit 1 exit 0 " >expected &&
	tr -d "\n" <expected >line && test_cmp line exits && told >told && cat >expected <<-EOT &&
	not verified: nothing has changed since the base
	refused: $(sed -n "s/^. refused: //p" said)
	verified: 1 test fixed, nothing lost
	EOT
	test_cmp expected told && grep "verified in a fresh checkout: 2 of 2 passed (was 1)" out &&
	"$RONDO" show --json | grep "\"type\":\"notice\"" | grep -c "asked for a verdict" >n &&
	echo 3 >expected && test_cmp expected n
'

check 'a wrong change is not verified, and the verdict names the test' '
	tiny wrong && cat >wrong.sh <<-\EOT || exit 1
	sed -i "s/width + h/width - h/; s/x \* 2/x * 3/" shapes.py
	program=$(echo "$1" | sed -n "s/^    \(.*\) verify$/\1/p")
	"$program" verify --json >answer; echo "json exits with $?"
	"$program" verify --quiet; echo "quiet exits with $?"
	cat answer
	rm answer
	EOT
	test_expect_code 1 coder wrong "sh ../wrong.sh {task}" -- --limit turns=1 >out && told >told &&
	test $(grep -c "^not verified: 1 of 1 tests of the goal does not pass: area$" told) = 2 &&
	said >said &&
	grep "^json exits with 1$" said && grep "^quiet exits with 1$" said &&
	grep "^. not verified: .* in all$" said && grep "^{\"outcome\":\"not_verified\"" said
'

check 'by ACP the session names a server, which stays from turn to turn' '
	tiny acp && cat >acp.yaml <<-EOT && timeout 300 "$RONDO" run acp.yaml >out &&
	agents:
	  coder: {type: acp, command: python3 $AGENT acp mcp mend_later mcp}
	  tester: tester
	team: {participants: [coder, tester], termination: tests_pass, max_turns: 4}
	workspace: {repo: acp}
	executor: {type: $EXECUTOR}
	EOT
	said >said && told >told && grep "^verdict: " said >verdicts &&
	cat >expected <<-\EOT && test_cmp expected verdicts &&
	verdict: not_verified nothing has changed since the base
	verdict: not_verified nothing has changed since the base
	verdict: not_verified nothing has changed since the base
	verdict: verified 1 test fixed, nothing lost
	EOT
	test $(wc -l <told) = 4 && grep "2 of 2 passed (was 1)" out
'

check 'there is one tool, which takes nothing' '
	asks offer offer mend && cat >expected <<-\EOT && grep "^offer" said >found &&
	offer: [.tools.] [.verify.]
	offer: there is no method .resources/list.
	offer: there is no method .resources/read.
	offer: there is no method .resources/templates/list.
	offer: there is no method .prompts/list.
	offer: there is no tool .fix.
	offer: there is no tool .baseline.
	offer: there is no tool .show.
	offer: there is no tool .status.
	offer: unknown argument .repo.
	offer: unknown argument .rev.
	offer: unknown argument .patch.
	offer: unknown argument .test.
	EOT
	tr "\047" . <found >plain && test_cmp expected plain && test ! -s told
'

check 'garbage and long lines are answered, and what is right after them, too' '
	asks garbage mend garbage && grep "^garbage: 6 errors, a line is longer than 1 MiB$" said &&
	grep "^garbage: verified: 1 test fixed, nothing lost$" said
'

check 'more connections than four are refused, until one is closed' '
	asks crowd mend crowd && cat >expected <<-\EOT && grep "^crowd" said >found &&
	crowd: 4 connections are open, which is the most
	crowd: verified: 1 test fixed, nothing lost
	EOT
	test_cmp expected found
'

check 'who asks and never reads is heard no more, and others are' '
	asks deaf mend deaf && grep "^deaf: nothing more is taken$" said &&
	grep "^asked: verified: 1 test fixed, nothing lost$" said
'

check 'one judgement at a time; who goes, or cancels, ends his own' '
	asks both both hang_up cancel mend && cat >expected <<-\EOT && test_cmp expected told &&
	cancelled
	cancelled
	verified: 1 test fixed, nothing lost
	cancelled
	verified: 1 test fixed, nothing lost
	EOT
	cat >expected <<-\EOT && grep "^both\|^again" said >found && test_cmp expected found
	both: a judgement that was asked for goes on: ask again when it has ended
	again: verified: 1 test fixed, nothing lost
	again: verified: 1 test fixed, nothing lost
	EOT
'

check 'a judgement ends with the turn in which it was asked for' '
	asks leave leave && echo cancelled >expected && test_cmp expected told &&
	sed "s/mcp mend_later mcp/mcp mcp_leave/; s/repo: acp/repo: left/" acp.yaml >left.yaml &&
	tiny left && { timeout 300 "$RONDO" run left.yaml >out || { cat out; exit 1; }; } &&
	told >told && cat >expected <<-\EOT &&
	not verified: nothing has changed since the base
	its turn ended before
	not verified: nothing has changed since the base
	EOT
	test_cmp expected told && said >said &&
	{ grep "^left: the turn ended before the judgement$" said || { cat said; exit 1; }; }
'

# asking DIR WORDS...: a scenario whose coder is tests/cli/t1740/agent; OPTIONS are more of it.
asking() {
	dir=$1
	shift
	[ -e "$dir" ] || tiny "$dir" || return
	cat >"$dir.yaml" <<-EOF
	agents:
	  coder: {type: command, command: python3 $ASKER $*, $OPTIONS}
	  tester: tester
	team: {participants: [coder, tester], termination: tests_pass, max_turns: 2}
	workspace: {repo: $dir}
	executor: {type: $EXECUTOR}
	EOF
	timeout 300 "$RONDO" run "$dir.yaml" >out && said >said && told >told
}

check 'a turn has so many verdicts and no more; a scenario may say how many' '
	OPTIONS="verdicts: 2" asking two ask ask mend ask && test $(wc -l <told) = 2 &&
	grep "^asked: this turn has had its 2 verdicts: end it, and the tester says what" said
'

check 'without verdicts nobody is told of them' '
	tiny none && cat >none.yaml <<-EOF && "$RONDO" run none.yaml >out && said >said &&
	agents:
	  coder: {type: acp, command: python3 $AGENT acp tell servers mend, verdicts: 0}
	  tester: tester
	team: {participants: [coder, tester], termination: tests_pass, max_turns: 2}
	workspace: {repo: none}
	executor: {type: $EXECUTOR}
	EOF
	grep "^I was told: You work on" said && ! grep -i "verif\|proven" said &&
	grep "^servers: \[\] None$" said
'

check 'who only reads asks about what the others did' '
	tiny reader && cat >reader.yaml <<-EOF && "$RONDO" run reader.yaml >out &&
	agents:
	  coder: {type: command, command: python3 $AGENT mend}
	  reader: {type: command, command: python3 $ASKER spoil ask, tree: read-only}
	  tester: tester
	team: {participants: [coder, reader, tester], termination: tests_pass, max_turns: 4}
	workspace: {repo: reader}
	executor: {type: $EXECUTOR}
	EOF
	grep "^. reader asked for a verdict: verified: 1 test fixed, nothing lost$" out
'

check 'what the repository says to coding agents is as before in what is judged' '
	tiny hidden && (cd hidden && mkdir .claude && echo "{}" >.claude/settings.json &&
		commit_all) && asks hidden litter mend ask &&
	grep "^asked: verified: 1 test fixed, nothing lost$" said
'

check 'the hidden suite stays hidden: only the gate runs it in the end' '
	cat >hides.yaml <<-EOF && tiny hides && test_expect_code 1 "$RONDO" run hides.yaml >out &&
	agents:
	  coder: {type: command, command: python3 $ASKER mend ask}
	  tester: tester
	team: {participants: [coder, tester], termination: tests_pass, max_turns: 2}
	workspace: {repo: hides}
	executor: {type: $EXECUTOR}
	verify: {hidden: "exit 1"}
	EOF
	told >told && grep "^verified: 1 test fixed, nothing lost$" told && grep -i "hidden" out
'

check 'a run that is killed while its coder waits for a verdict goes on' '
	XDG_STATE_HOME=$HOME/state/killed && export XDG_STATE_HOME && tiny killed &&
	cat >killed.yaml <<-EOF || exit 1
	agents:
	  coder: {type: command, command: python3 $ASKER hang_once mend ask}
	  tester: tester
	team: {participants: [coder, tester], termination: tests_pass, max_turns: 2}
	workspace: {repo: killed}
	executor: {type: $EXECUTOR}
	EOF
	{ "$RONDO" run killed.yaml >out 2>err & } && pid=$! &&
	await "grep -qs waits state/killed/rondo/runs/*/attempts/1/logs/coder-*.log" &&
	kill -9 $pid && { wait $pid || :; } && timeout 300 "$RONDO" resume >out && told >told &&
	echo "verified: 1 test fixed, nothing lost" >expected && test_cmp expected told &&
	grep "2 of 2 passed (was 1)" out
'

check LONG 'who waits for a verdict is not idle' '
	tiny slow && OPTIONS="idle: 2s" asking slow mend sleepy ask && told >told &&
	grep "^verified: 1 test fixed, nothing lost$" told && ! grep "nothing was heard" said
'

check 'containers and kernels take no external coder: it is said before one is made' '
	tiny elsewhere && while read -r executor agent; do
		cat >elsewhere.yaml <<-EOF || exit 1
		agents: {coder: {type: $agent, command: sh -c true}, tester: tester}
		team: {participants: [coder, tester], termination: tests_pass}
		workspace: {repo: elsewhere}
		executor: $executor
		EOF
		echo "an external agent runs in the sandbox, and this run.s executor is .$executor." >words
		test_expect_code 2 "$RONDO" run elsewhere.yaml >out 2>err && grep -f words err &&
			grep "^  help  --executor sandbox, or without a box: --executor local$" err || exit 1
		test_expect_code 2 "$RONDO" fix --executor "$executor" --coder "sh -c true" \
			elsewhere >out 2>err && grep -f words err && test ! -s out || exit 1
	done <<-\EOT
	docker command
	docker acp
	daytona command
	daytona acp
	jupyter command
	EOT
'

test_done
