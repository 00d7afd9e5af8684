#!/bin/sh
test_description='version, help, and wrong words on the command line'
. "$(dirname "$0")/lib.sh"

says() {
	printf '%s\n' "$1" >expected && test_cmp expected err
}

check 'the version, and no more: what scripts read' '
	"$RONDO" --version >out && echo "rondo $(cat "$SOURCE/VERSION")" >expected &&
	test_cmp expected out
'

check 'help teaches by example and names every command' '
	"$RONDO" --help >out &&
	grep "rondo fix --test" out &&
	for command in fix show doctor gc; do
		grep "^  $command " out && "$RONDO" $command --help >help &&
		grep "^usage: rondo $command" help ||
			return 1
	done
'

check 'help is an option like any other: it may follow others, and be the value of one' '
	"$RONDO" gc -v --help >out && grep "^usage: rondo gc" out && grep "^  -h, --help  " out &&
	test_expect_code 2 "$RONDO" gc --keep -h >out 2>err && test_must_be_empty out &&
	grep "found .-h." err
'

check 'no command: help, exit 2' '
	test_expect_code 2 "$RONDO" >out && grep "^commands" out
'

check 'an unknown command is reported with a suggestion' '
	test_expect_code 2 "$RONDO" fixx 2>err &&
	says "rondo: unknown command '\''fixx'\'', did you mean '\''fix'\''?
  help  rondo --help"
'

check 'an unknown option is reported with a suggestion' '
	test_expect_code 2 "$RONDO" fix --tests x 2>err &&
	says "rondo: unknown option '\''tests'\'', did you mean '\''test'\''?
  help  rondo fix --help"
'

check 'a wrong value says what was meant' '
	test_expect_code 2 "$RONDO" fix --executor moon 2>err &&
	says "rondo: option '\''--executor'\'': executor must be one of sandbox, docker, jupyter, \
daytona, local, found '\''moon'\''
  help  rondo fix --help"
'

check 'a wrong limit says what was meant' '
	rm -f err && mkdir limits && (cd limits && git init -q && git commit -q --allow-empty -m x) &&
	for limit in repairs=5m repair=soon 5m; do
		test_expect_code 2 "$RONDO" fix --limit $limit limits 2>>err || exit 1
	done && grep "^rondo:" err >said && cat >expected <<-\EOF && test_cmp expected said &&
	rondo: option '\''--limit'\'': unknown limit '\''repairs'\'', did you mean '\''repair'\''?
	rondo: option '\''--limit'\'': repair must be a duration such as 90s or 5m, found '\''soon'\''
	rondo: option '\''--limit'\'': limit must be NAME=VALUE such as turns=40, found '\''5m'\''
	EOF
	test "$(grep -c "^  help  rondo fix --help$" err)" = 3
'

check 'an option that sets a key of the configuration is named as it was typed' '
	test_expect_code 2 "$RONDO" fix --coder moon limits 2>err &&
	says "rondo: unknown coder '\''moon'\''
  help  name one of aider, claude, codex, gemini, mini, opencode, qwen, or a command such as \
'\''./moon {task}'\''" &&
	test_expect_code 2 "$RONDO" fix --seed=-1 limits 2>err &&
	says "rondo: option '\''--seed'\'': seed must be at least 0, found '\''-1'\''
  help  rondo fix --help" &&
	test_expect_code 2 "$RONDO" fix -s seed=x limits 2>err &&
	says "rondo: -s seed=x: seed must be a whole number, found '\''x'\''" &&
	test_expect_code 2 "$RONDO" fix --co-author Bob limits 2>err &&
	says "rondo: option '\''--co-author'\'': a co-author is a name and a mail address, \
found '\''Bob'\''
  help  such as --co-author '\''Ann Other <ann@example.org>'\''"
'

check 'one operand too many' '
	test_expect_code 2 "$RONDO" fix a b 2>err &&
	says "rondo: '\''b'\'' is one too many for rondo fix
  help  rondo fix --help"
'

check 'a missing operand' '
	test_expect_code 2 "$RONDO" run 2>err &&
	says "rondo: rondo run needs a scenario file
  help  rondo run --help" && test_expect_code 2 "$RONDO" completion 2>err &&
	says "rondo: rondo completion needs a shell: bash, zsh or fish
  help  rondo completion --help"
'

check 'a missing path' '
	test_expect_code 2 "$RONDO" fix nowhere 2>err &&
	says "rondo: '\''nowhere'\'': No such file or directory"
'

check 'no run to show yet' '
	test_expect_code 2 "$RONDO" show 2>err && says "rondo: there is no run yet" &&
	test_expect_code 2 "$RONDO" show 2026 2>err && says "rondo: no run begins with '\''2026'\''"
'

check 'every command reports that it cannot print, after its work' '
	cat >talk.yaml <<-\EOF &&
	task: Say two words.
	models: {said: {provider: replay, replies: [One., TERMINATE]}}
	agents: {speaker: {type: coder, model: said}}
	team: {participants: [speaker], termination: text_mention}
	EOF
	for command in --version --help "fix --help" "help sandbox" "list agents" "list config" schema \
		"completion fish" prompt gc "run talk.yaml" "run --json talk.yaml" "run -q talk.yaml" list \
		show "show --json" "check talk.yaml" "test talk.yaml"; do
		test_expect_code 75 "$RONDO" $command >/dev/full 2>err &&
		grep "^rondo: cannot write to standard output" err || exit 1
	done && test_expect_code 75 "$RONDO" --version >/dev/full 2>err &&
	says "rondo: cannot write to standard output: No space left on device" &&
	test_expect_code 2 "$RONDO" list nothing >/dev/full
'

check 'no file that the run writes takes the place of a closed stream' '
	rm -rf "$XDG_STATE_HOME" && test_expect_code 75 "$RONDO" run talk.yaml >&- 2>err &&
	says "rondo: cannot write to standard output" && ! grep -r "\-- speaker --" "$XDG_STATE_HOME" &&
	"$RONDO" show >shown && grep "\-- speaker --" shown
'

check 'a closed pipe is no error' '
	{ "$RONDO" run talk.yaml 2>err; echo $? >code; } | true && test "$(cat code)" = 0 &&
	test_must_be_empty err
'

test_done
