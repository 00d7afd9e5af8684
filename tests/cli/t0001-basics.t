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

check 'an unknown command that is like none: all are named' '
	test_expect_code 2 "$RONDO" xyzzy 2>err &&
	grep "^rondo: unknown command .xyzzy.; it must be one of fix, verify, batch, " err
'

check 'an option before any command: no commands are offered in its place' '
	test_expect_code 2 "$RONDO" -v 2>err &&
	says "rondo: unknown option '\''-v'\''; options stand after a command
  help  rondo --help"
'

check 'help of what is neither a command nor a type' '
	test_expect_code 2 "$RONDO" help text_mentoin 2>err &&
	says "rondo: there is no command and no type '\''text_mentoin'\'', did you mean \
'\''text_mention'\''?
  help  rondo --help names the commands, rondo list --help what lists the types"
'

check 'an unknown option is reported with a suggestion' '
	test_expect_code 2 "$RONDO" fix --tests x 2>err &&
	says "rondo: unknown option '\''--tests'\'', did you mean '\''--test'\''?
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

check 'an empty test command is refused: it would pass' '
	mkdir empty && (cd empty && git init -q && git commit -q --allow-empty -m x) &&
	for command in "" "  "; do
		test_expect_code 2 "$RONDO" fix --test "$command" empty 2>err &&
			says "rondo: --test: the test command is empty" || exit 1
	done
'

check 'a directory for runs that cannot be made: what was given is named' '
	echo file >file && test_expect_code 2 "$RONDO" fix --state-dir file/x empty 2>err &&
	grep "^  help  name a directory that you may write, by --state-dir or RONDO_STATE_DIR$" err
'

check 'no run to show yet' '
	test_expect_code 2 "$RONDO" show 2>err && says "rondo: there is no run yet" &&
	test_expect_code 2 "$RONDO" show 2026 2>err && says "rondo: no run begins with '\''2026'\''
  help  rondo list runs --all"
'

check 'of two things to show none is passed over' '
	for both in "--diff --tests" "--html --json" "--json --normal" "--timeline --prompts"; do
		test_expect_code 2 "$RONDO" show $both 2>err &&
			grep "^rondo: --[a-z]* and --[a-z]* cannot stand together$" err || exit 1
	done && ! test_expect_code 2 "$RONDO" show --html --open 2>err || grep "no run yet" err
'

check 'reports have no man page' '
	test_expect_code 2 "$RONDO" schema report --format man >out 2>err && test_must_be_empty out &&
	grep "^rondo: --format man is for scenarios" err
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
