#!/bin/sh
test_description='external agents in teams: turns, readers, and runs that are killed and resumed'
. "$(dirname "$0")/lib.sh"

AGENT=$SOURCE/tests/lib/coder_agent
runs=state/rondo/runs

# Two bugs, each a cause of its own.
tiny two && (cd two && sed -i "s/x \* 2/x + 2/" shapes.py && commit_all two)
cp -R two plain

# said NAME: what it said in the last run, all of it.
said() {
	"$RONDO" show | awk -v name="$1" '/^---------- .* ----------$/ { on = $2 == name; next } on'
}

# team AGENTS PARTICIPANTS: a scenario on that repository.
team() {
	cat <<-EOF
	agents:
	$1
	  tester: tester
	team: {participants: [$2], termination: tests_pass, max_turns: ${TURNS:-12}}
	workspace: {repo: ${REPO:-two}}
	executor: {type: $EXECUTOR}
	EOF
}

check 'two external coders take turns until the tests pass' '
	team "  one: {type: command, command: python3 $AGENT mend}
  other: {type: acp, command: python3 $AGENT acp mend_double}" "one, other, tester" \
		>turns.yaml && "$RONDO" run turns.yaml >out && grep "2 of 2 passed (was 0)" out &&
	speakers out >order && grep "^user one other tester $" order
'

check 'repair first, then an external coder, which is told what repair found' '
	tiny odd && (cd odd && sed -i "s/return width + height/return width - height - 99/" shapes.py &&
		commit_all odd) && cat >odd.sh <<-\EOF &&
	cat >prompt && sed -i "s/width - height - 99/width * height/" shapes.py
	cat prompt && rm prompt
	EOF
	REPO=odd team "  coder:
    type: sequence
    agents: [{type: repair}, {type: command, command: sh ./odd.sh}]" "coder, executor, tester" |
		sed "s/^  tester/  executor: executor\n&/" >sequence.yaml &&
	"$RONDO" run sequence.yaml -s limits.candidates=3 >out && grep "2 of 2 passed (was 1)" out &&
	said coder >it && grep "repair said:" it && grep "gave up" it
'

check 'two of one name within another agent have a home each' '
	team "  coder:
    type: sequence
    agents:
      - {type: command, command: python3 $AGENT say=idle}
      - {type: command, command: python3 $AGENT mend mend_double}" "coder, tester" >same.yaml &&
	"$RONDO" run same.yaml >out && grep "2 of 2 passed (was 0)" out && said coder >it &&
	grep "^command gave up: it changed nothing in 2 turns; the last said: idle; command" it
'

check 'what an external agent says is carried out by nobody' '
	REPO=two team "  one: {type: command, command: python3 $AGENT mend mend_double tell}" \
		"one, executor, tester" | sed "s/^  tester/  executor: executor\n&/" >quoted.yaml &&
	text="\`\`\`sh\\\\ntouch carried-out\\\\n\`\`\`" &&
	sed -i "s/tell}/tell, instructions: \"$text\"}/" quoted.yaml &&
	"$RONDO" run quoted.yaml >out && said one >it && grep "touch carried-out" it &&
	speakers out >order && grep "^user one tester $" order
'

check 'a reviewer only reads: what it changes is put back, what it says is heard' '
	cat >review.sh <<-\EOF && cat >heed.sh <<-\EOF &&
	echo "# by the reviewer" >>shapes.py && echo "Multiply in area, and in double."
	EOF
	case $1 in
	*"reviewer said:"*"Multiply in area"*)
		sed -i "s/width + h/width * h/; s/x + 2/x * 2/" shapes.py ;;
	esac
	echo "I listened."
	EOF
	team "  coder: {type: command, command: \"sh ./heed.sh {task}\"}
  reviewer: {type: command, command: sh ./review.sh, tree: read-only}" \
		"coder, reviewer, tester" >review.yaml && "$RONDO" run review.yaml >out &&
	grep "2 of 2 passed (was 0)" out && said reviewer >it &&
	grep "^Put back, since it only reads: shapes.py$" it &&
	(cd two && ! git show "$(the_branch)":shapes.py | grep "by the reviewer")
'

# killed FILE: the run, killed as soon as the agent waits in its second turn. Without a sandbox the
# agent remembers in the home of the tests what it did.
killed() {
	rm -rf "$XDG_STATE_HOME" waited count session && { "$RONDO" run "$1" >out 2>err & } && pid=$! &&
		await "grep -qs waits $runs/*/attempts/1/logs/coder-*.log \
			$runs/*/agents/coder/cache/complaints" &&
		kill -9 $pid && { wait $pid || :; }
}

awaited_in_vain() {
	cat out err
}

check 'killed in a turn of a command: the tree is as at the end of the last turn' '
	cat >first.sh <<-EOF && sed "s/AGENT/\$AGENT/" first.sh >turn.sh &&
	case \$1 in
	*"- area"*) exec python3 agent mend "" ;;
	esac
	exec python3 agent show wait_once mend_double show ""
	EOF
	cp -R plain kill && cp "$AGENT" kill/agent && cp turn.sh kill &&
	(cd kill && commit_all tools) &&
	REPO=kill team "  coder: {type: command, command: \"sh turn.sh {task}\"}" "coder, tester" \
		>kill.yaml && killed kill.yaml &&
	"$RONDO" resume >out && grep "2 of 2 passed (was 0)" out && said coder >it &&
	test $(grep -c "^shapes: .*width., .\*., .height., .*x., .+., .2.\]$" it) = 1 &&
	test $(grep -c "^shapes: .*width., .\*., .height., .*x., .\*., .2.\]$" it) = 1 &&
	(cd kill && git diff --name-only main "$(the_branch)") >names && echo shapes.py >expected &&
	test_cmp expected names && test ! -e "$(echo "$runs"/*/agents)"
'

# The whole task is told once, or twice.
for kind in .1 forgetful.2 frail.2; do
	check "killed in a turn of a session: it is loaded, or begins anew (${kind%.*})" '
		echo "exec python3 agent acp '${kind%.*}' mend tell show wait_second" |
			tr -d . >session.sh && rm -rf again && cp -R plain again && cp "$AGENT" again/agent &&
		cp session.sh again && (cd again && commit_all tools) &&
		REPO=again team "  coder: {type: acp, command: sh session.sh}" "coder, tester" \
			>again.yaml && killed again.yaml && "$RONDO" resume >out &&
		grep "2 of 2 passed (was 0)" out && said coder >it &&
		test $(grep -c "^I was told: You work on" it) = '${kind#*.}' &&
		test $(grep -c "^I was told:" it) = 2 &&
		test $(grep -c "^shapes: .*width., .\*., .height., .*x., .+., .2.\]$" it) = 2 &&
		! grep broken it && (cd again && git diff --name-only main "$(the_branch)") >names &&
		echo shapes.py >expected && test_cmp expected names
	'
done

test_done
