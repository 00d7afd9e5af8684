#!/bin/sh
test_description='the files of scenarios/ and the guides in doc/ do what they say'
. "$(dirname "$0")/lib.sh"

# Only Debian's python3 is sure to have pytest.
PATH=/usr/bin:$PATH
scenarios=$SOURCE/scenarios
if [ "$EXECUTOR" = local ]; then
	mkdir -p "$HOME/.config/rondo" && echo 'executor: local' >"$HOME/.config/rondo/config.yaml"
fi

# pair REPLIES [LINE]: pair.yaml, a bug fixer who says REPLIES and an executor.
pair() {
	cat >pair.yaml <<-EOF
	task: Do it.
	models: {recorded: {provider: replay, replies: $1}}
	agents: {bug_fixer: {coder: recorded}, code_executor: executor}
	team: {participants: [bug_fixer, code_executor], termination: {text_mention: TERMINATE},
	  max_turns: 4}
	executor: {allow: [python]}
	$2
	EOF
}

# wheels.yaml runs below; tests/slow/t5015-languages.t runs those with repair, too.
check LONG 'the asserts in scenarios/ hold, and its files stay as they are' '
	find "$scenarios" -type f -exec sha256sum {} + >before &&
	grep -L repair "$scenarios"/*.yaml | grep -v /wheels.yaml >files &&
	xargs -d "\n" "$RONDO" test <files >out && tail -1 out >last &&
	echo "$(wc -l <files) passed, 0 failed" >expected && test_cmp expected last &&
	find "$scenarios" -type f -exec sha256sum {} + >after && test_cmp before after
'

# is_png FILE
is_png() {
	head -c 8 "$1" | od -An -tx1 | grep "89 50 4e 47 0d 0a 1a 0a"
}

check 'wheels.yaml: its asserts hold, and only the files that it made are copied out' '
	"$RONDO" run "$scenarios/wheels.yaml" --out made >out &&
	(cd made && find . -type f | LC_ALL=C sort) >files &&
	printf "./plot.py\n./prices.png\n" | test_cmp - files && is_png made/prices.png
'

check 'the bug fixer gets the output of its program, and tries again' '
	"$RONDO" run "$scenarios/postfix.yaml" -p error="10 4 - gives -6" >out &&
	grep "What is known of the error: 10 4 - gives -6$" out &&
	pair="bug_fixer code_executor" &&
	test "$(speakers out)" = "user $pair $pair bug_fixer " &&
	grep -A1 "^exitcode: 1 (execution failed)$" out | grep "^Code output: Traceback" &&
	grep -A1 "^exitcode: 0 (execution succeeded)$" out |
		grep "^Code output: all assertions hold$" &&
	grep "done: Text .TERMINATE. mentioned   5 turns, 0 tokens, 0 USD," out &&
	grep "asserts  4 of 4 hold" out
'

check 'a team that a limit stops is no success, and the run says why' '
	test_expect_code 1 "$RONDO" run "$scenarios/postfix.yaml" -s team.max_turns=2 >out &&
	grep "stop_reason: it stopped because .Maximum number of turns 2 reached." out
'

check 'a dry run names the limits' '
	"$RONDO" run -n "$scenarios/postfix.yaml" >out && grep "limits      turns 8, " out
'

check 'a program with TERMINATE in it runs, and its output ends nothing' '
	pair "[\"$(fences python "print(\\\"TERMINATE\\\")")\", It ran. TERMINATE]" \
		"assert: {exit_code: 0}" &&
	"$RONDO" run pair.yaml >out && grep "^Code output: TERMINATE$" out &&
	grep "^It ran. TERMINATE$" out
'

check 'TERMINATE without code that ran does not satisfy an assert of an exit code' '
	pair "[TERMINATE]" "assert: {exit_code: 0}" &&
	test_expect_code 1 "$RONDO" run pair.yaml >out && grep "exit_code: no code ran" out
'

check 'the reply to a forbidden language lists the allowed ones' '
	pair "[\"$(fences ruby "puts 1")\", \"$(fences bash ls)\", TERMINATE]" &&
	"$RONDO" run -s team.max_turns=5 pair.yaml >out &&
	grep "^Code output: language .ruby. may not run here; allowed: python$" out &&
	grep "^Code output: language .bash. may not run here; allowed: python$" out
'

check 'replies without effect are a stall; turns without a message are not counted' '
	pair "[\"\", I think, I think]" && test_expect_code 1 "$RONDO" run pair.yaml >out &&
	grep "stopped: nobody has anything more to say   3 turns" out
'

check 'a missing reply is an error of the scenario; the messages are kept' '
	rm -rf state && pair "[\"$(fences python "print(1)")\"]" &&
	test_expect_code 2 "$RONDO" run pair.yaml 2>err &&
	echo "rondo: agent '\''bug_fixer'\'': model recorded: it has 1 reply, \
and one more is asked for" >expected &&
	test_cmp expected err && "$RONDO" show >out && grep "^Code output: 1$" out
'

check 'a chat needs a task, unless tests fail' '
	mkdir repo && git init -q repo && pair "[x]" "workspace: repo" && sed -i "/^task/d" pair.yaml &&
	test_expect_code 2 "$RONDO" run pair.yaml 2>err &&
	grep "^pair.yaml:1:1: the file needs .task.: what the chat begins with (or --task TEXT)$" err
'

check 'unknown agents in sources are errors' '
	pair "[x]" "assert: {contains: {value: x, sources: [user, bug_fixr]}}" &&
	sed -i "s/{text_mention: TERMINATE}/{text_mention: {text: X, sources: [executor]}}/" \
		pair.yaml &&
	test_expect_code 2 "$RONDO" check pair.yaml >out &&
	grep "^pair.yaml:4:63: agent .executor. is not declared (agents: bug_fixer, code_executor)$" \
		out &&
	grep "^pair.yaml:7:9: agent .bug_fixr. is not declared (agents: bug_fixer, code_executor), \
did you mean .bug_fixer.?$" out
'

check LONG 'a copied program is its own suite' '
	printf "def double(x):\n    return x + 2\n\n\nassert double(4) == 8\n" >double.py &&
	printf "%s\n" "workspace: {copy: double.py}" \
		"agents: {coder: repair, executor: executor, tester: tester}" \
		"team: {participants: [coder, executor, tester], termination: tests_pass}" >double.yaml &&
	"$RONDO" run double.yaml --out fixed >out &&
	grep "^Make the assertions of double.py hold:$" out &&
	grep "files    fixed$" out && python3 fixed/double.py && test_expect_code 1 python3 double.py
'

check 'the commit names the model' '
	mkdir names && cd names && git init -q &&
	printf "def initials(name):\n    return name[0]\n" >names.py &&
	sed -n "/^    test_names.py/,/^test:/s/^      //p" "$scenarios/repair-then-model.yaml" \
		>test_names.py && commit_all &&
	sed -e "/^workspace:/,/^test:/d" -e "/^assert:/,\$d" "$scenarios/repair-then-model.yaml" \
		>../names.yaml &&
	printf "workspace: names\ntest: python3 -m unittest\n" >>../names.yaml &&
	"$RONDO" run ../names.yaml >../out &&
	git log -1 --format=%B "$(the_branch)" >../message &&
	grep "^Rondo-Model: recorded$" ../message && grep "^Rondo-Cost: 0 USD (0 tokens)$" ../message
'

check 'doc/write-a-scenario.md: its scenario has no error, and runs' '
	blocks write-a-scenario.md yaml >guide.yaml && "$RONDO" check guide.yaml &&
	"$RONDO" run guide.yaml
'

check 'every option in the guides exists' '
	for command in $("$RONDO" --help | sed -n "/^commands/,/^\$/s/^  \([a-z]*\) .*/\1/p"); do
		"$RONDO" $command --help || exit 1
	done >help &&
	grep -ho "rondo .*" "$SOURCE"/doc/*.md "$SOURCE"/doc/*.yml "$SOURCE/README.md" |
		sed -n "s/[^-a-z]--\([a-z][a-z-]*\)/\n--\1\n/gp" |
		grep -x -e "--[a-z-]*" | sort -u >options && test -s options &&
	while read -r option; do
		grep -q -w -e "$option" help || { echo "there is no $option"; exit 1; }
	done <options
'

test_done
