#!/bin/sh
test_description='the line of what is done now, and the end of a long run (24, 3)'
. "$(dirname "$0")/lib.sh"

terminal="$SOURCE/tests/lib/terminal"
export TERM=xterm

# program CODE: a scenario in which the executor runs it.
program() {
	cat >program.yaml <<-EOF
	task: run it
	models: {m: {provider: replay, file: replies.jsonl}}
	agents: {coder: {type: coder, model: m}, executor: executor}
	executor: $EXECUTOR
	limits: {time: 20m}
	team: {participants: [coder, executor], termination: {text_mention: DONE}}
	EOF
	python3 -c "
import json, sys
for text in (\"\`\`\`python\\n\" + sys.argv[1] + \"\\n\`\`\`\", \"DONE\"):
    print(json.dumps({\"text\": text}))
" "$1" >replies.jsonl
}

# lines FILE: each line that was drawn or printed, without what steers the terminal.
lines() {
	tr "\r" "\n" <"$1" | sed "s/$(printf "\033")\[[0-9;]*[A-Za-z]//g"
}

check 'phase and time left stand at the end of the line, and are gone behind it' '
	program "import signal; signal.pause()" &&
	test_expect_code 130 python3 "$terminal" "running python" "" "\[chat, 19 min left\]" "\\x03" \
		-- "$RONDO" run program.yaml >seen && lines seen >drawn &&
	grep "^executor   [0-9.]* s   running python   \[chat, 19 min left\]" drawn &&
	python3 "$SOURCE/tests/cli/without-live-lines" seen >screen && ! grep "min left" screen
'

check 'a suite has a bar where its total is known, in the chat and in the gate' '
	tiny quiet && cd quiet && cat >tests/run.py <<-\EOF &&
	import time
	print("1..12")
	for i in range(1, 13):
	    time.sleep(0.2)
	    red = i == 12 and "+" in open("shapes.py").read()
	    print("not ok" if red else "ok", i, "-", i, flush=True)
	EOF
	commit_all && "$SOURCE/tests/cli/on-a-terminal" "$RONDO" fix --executor $EXECUTOR \
		>../seen && cd .. && lines seen >drawn &&
	grep "^tester     .*running the suite: \[[#.]*\] [0-9]* of 12 tests" drawn &&
	grep "^gate       .*running the suite: \[[#.]*\] [0-9]* of 12 tests" drawn &&
	! grep "^.\{80,\}" drawn
'

check 'the line fits into the window as it is now; one that wraps is two rows' '
	program "import signal; signal.pause()" &&
	test_expect_code 130 python3 "$terminal" "python .*left\]" COLUMNS=40 "running python\r" "" \
		"running python\r" COLUMNS=80 "python .*left\]" "\\x03" \
		-- "$RONDO" run program.yaml >seen &&
	python3 -c "
import re
text = open(\"seen\", newline=\"\").read()
narrowed = text.index(\"left]\\r\\x1b[1A\\x1b[J\")
narrow = re.findall(\"\\r\\x1b.K([^\\r\\n\\x1b]*)\", text[narrowed:])
assert len(narrow) > 1 and len(narrow[0]) < 40 and \"running\" in narrow[0], narrow[:3]
assert any(\"left]\" in line for line in narrow), narrow
"
'

check 'piped, nothing of it' '
	program "print(6 * 7)" && "$RONDO" run program.yaml >out && grep "output: 42" out &&
	! grep "min left\|rondo  " out && ! grep "$(printf "\r\|\a")" out
'

# --- The end ---

check 'a long run ends in one bell, on a terminal' '
	tiny bell && cd bell && fix --notify-after 0 >../piped && ! grep "$(printf "\a")" ../piped &&
	"$SOURCE/tests/cli/on-a-terminal" "$RONDO" fix --executor $EXECUTOR --notify-after 0 >../seen &&
	test "$(tr -cd "\a" <../seen | wc -c)" = 1 && tail -c1 ../seen | grep "$(printf "\a")" &&
	"$SOURCE/tests/cli/on-a-terminal" "$RONDO" fix --executor $EXECUTOR >../seen &&
	test "$(tr -cd "\a" <../seen | wc -c)" = 0
'

# The environment of what is run at the end, in env.
say="env | grep -E '^RONDO_(OUTCOME|RUN|BRANCH)=' | sort >'$PWD/env'"

check '--notify: what came of it is in the environment' '
	tiny told && cd told && fix --notify "$say" --notify-after 0 >../out && branch=$(the_branch) &&
	printf "%s\n" "RONDO_BRANCH=$branch" RONDO_OUTCOME=verified "RONDO_RUN=${branch#rondo/}" |
		test_cmp - ../env &&
	git checkout -q "$branch" && fix --json --notify "$say" --notify-after 0 >../out &&
	grep "^RONDO_BRANCH=$" ../env && grep "^RONDO_OUTCOME=nothing_fails$" ../env &&
	rm ../env && fix --notify "$say" >../out && ! test -e ../env
'

check '--notify: a run that fails, and one that is stopped' '
	cd told && git checkout -q main && test_expect_code 2 fix --set no.key=1 --notify "$say" \
		--notify-after 0 >../out 2>../err && grep "^RONDO_OUTCOME=error$" ../env && rm ../env &&
	test_expect_code 143 python3 "$terminal" "coder" TERM -- \
		"$RONDO" fix --executor $EXECUTOR --coder "sleep 300" --notify "$say" --notify-after 0 \
		>../seen &&
	! test -e ../env && ! grep "$(printf "\a")" ../seen
'

check '--notify: a command that fails is told, and the exit code is that of the run' '
	cd told && fix --notify "echo no; exit 3" --notify-after 0 >../out 2>../err &&
	grep "^rondo: --notify: .echo no; exit 3.: exit code 3: no$" ../err &&
	test_expect_code 2 fix --notify-after soon 2>../err &&
	grep "notify-after must be a duration" ../err
'

test_done
