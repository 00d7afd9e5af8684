#!/bin/sh
test_description='version, help, and wrong words on the command line'
. "$(dirname "$0")/lib.sh"

says() {
	printf '%s\n' "$1" >expected && test_cmp expected err
}

check 'the version, and no more: what scripts read' '
	"$RONDO" --version >out && echo "rondo $(cat "$SOURCE/VERSION")" >expected && test_cmp expected out
'

check 'help teaches by example and names every command' '
	"$RONDO" --help >out &&
	grep "rondo fix --test" out &&
	for command in fix show doctor gc; do
		grep "^  $command " out && "$RONDO" $command --help >help && grep "^usage: rondo $command" help ||
			return 1
	done
'

check 'no command: help, exit 2' '
	test_expect_code 2 "$RONDO" >out && grep "^commands" out
'

check 'an unknown command is told with a suggestion' '
	test_expect_code 2 "$RONDO" fixx 2>err &&
	says "rondo: unknown command '\''fixx'\'', did you mean '\''fix'\''?
  help  rondo --help"
'

check 'an unknown option is told with a suggestion' '
	test_expect_code 2 "$RONDO" fix --tests x 2>err &&
	says "rondo: unknown option '\''tests'\'', did you mean '\''test'\''?
  help  rondo fix --help"
'

check 'a wrong value says what was meant' '
	test_expect_code 2 "$RONDO" fix --executor moon 2>err &&
	says "rondo: option '\''--executor'\'': executor must be one of sandbox, docker, jupyter, daytona, local, found '\''moon'\''
  help  rondo fix --help"
'

check 'a wrong limit says what was meant' '
	mkdir limits && (cd limits && git init -q && git commit -q --allow-empty -m x) &&
	test_expect_code 2 "$RONDO" fix --limit repairs=5m limits 2>err &&
	says "rondo: unknown limit '\''repairs'\'', did you mean '\''repair'\''?" &&
	test_expect_code 2 "$RONDO" fix --limit repair=soon limits 2>err &&
	says "rondo: repair must be a duration such as 90s or 5m, found '\''soon'\''"
'

check 'one operand too many' '
	test_expect_code 2 "$RONDO" fix a b 2>err &&
	says "rondo: '\''b'\'' is one too many for rondo fix
  help  rondo fix --help"
'

check 'a path that is not there' '
	test_expect_code 2 "$RONDO" fix nowhere 2>err &&
	says "rondo: '\''nowhere'\'': No such file or directory"
'

check 'no run to show yet' '
	test_expect_code 2 "$RONDO" show 2>err && says "rondo: there is no run yet" &&
	test_expect_code 2 "$RONDO" show 2026 2>err && says "rondo: no run begins with '\''2026'\''"
'

test_done
