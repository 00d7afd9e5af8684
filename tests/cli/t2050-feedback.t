#!/bin/sh
test_description='reports on the edits of a coder, and turns that run only the failing tests'
. "$(dirname "$0")/lib.sh"

# A suite of three tests, two of them red. Names on the command line select tests.
mkdir -p calc/tests && cd calc && git init -q &&
printf '%s\n' \
	'def add(a, b):' '    return a - b' '' '' 'def mul(a, b):' '    return a + b' '' '' \
	'def neg(a):' '    return -a' >calc.py &&
cat >tests/run.py <<-\END && printf '%b\n' \
	'check:' '\t@python3 -S tests/run.py' >Makefile && commit_all && cd ..
import sys
sys.path.insert(0, ".")
from calc import add, mul, neg

tests = {"adds": (add, (2, 3), 5), "multiplies": (mul, (2, 3), 6), "negates": (neg, (2,), -2)}
wanted = [name for name in tests if name in sys.argv[1:] or len(sys.argv) == 1]
print(f"1..{len(wanted)}")
red = 0
for number, name in enumerate(wanted, 1):
    function, arguments, expected = tests[name]
    found = function(*arguments)
    print("ok" if found == expected else "not ok", number, "-", name)
    if found != expected:
        print(f"# found {found}, expected {expected}")
        red = 1
sys.exit(red)
END

# calc ADD MUL NEG: a reply in YAML's double quotes, a new calc.py whose functions return these.
calc() {
	printf '"calc.py\\n%s"' "$(fences python "def add(a, b):\n    return $1\n\n\n\
def mul(a, b):\n    return $2\n\n\ndef neg(a):\n    return $3")"
}

# team [KEYS]: a team whose coder fixes adds, fixes nothing more, breaks adds again, fixes all but
# breaks negates, fixes all. KEYS: more of the section `test`.
team() {
	cat <<-END
	models:
	  recorded:
	    provider: replay
	    replies:
	      - $(calc "a + b" "a + b" "-a")
	      - $(calc "b + a" "b + a" "-a")
	      - $(calc "a" "a" "-a")
	      - $(calc "a + b" "a * b" "a")
	      - $(calc "a + b" "a * b" "-a")
	agents: {coder: {type: coder, model: recorded}, executor: executor, tester: tester}
	team: {participants: [coder, executor, tester], termination: tests_pass}
	workspace: {repo: calc}
	executor: {type: $EXECUTOR}
	test: {command: make check$1}
	END
}

# reports: the first paragraph of each report of the tester, its further lines indented.
reports() {
	"$RONDO" show --json | python3 -c 'import json, sys
for line in sys.stdin:
    message = json.loads(line).get("message", {})
    if message.get("type") == "test_report":
        print(message["content"].split("\n\n")[0].replace("\n", "\n  "))'
}

check 'each report says what is fixed, still fails, newly broke and got worse' '
	team >whole.yaml && "$RONDO" run whole.yaml -s output.branch=whole >out && reports >said &&
	cat >expected <<-\END && test_cmp expected said &&
	2 of 3 passed: 1 of 2 tests of the goal does not pass: multiplies
	  fixed: adds
	  still failing: multiplies
	2 of 3 passed: 1 of 2 tests of the goal does not pass: multiplies
	  fixed: adds
	  still failing: multiplies
	1 of 3 passed: 2 of 2 tests of the goal do not pass, first adds
	  still failing: adds, multiplies
	  worse than before: 1 fixed then, 0 now
	2 of 3 passed: 1 test that passed fails: negates
	  fixed: adds, multiplies
	  newly broken: negates
	TESTS PASS  3 of 3 passed
	END
	git -C calc rev-parse --verify whole
'

check 'the screen has the first lines of a report; rondo show has the output and its full log' '
	grep "^still failing: multiplies$" out && ! grep "# found 5, expected 6" out &&
	"$RONDO" show >shown &&
	grep "^# found 5, expected 6$" shown && log=$(sed -n "s/^full log: //p" shown | head -n 1) &&
	grep "^not ok 2 - multiplies$" "$log"
'

check 'test.targeted: the failing tests of the goal run alone; when they pass, all run' '
	team ", targeted: \"python3 tests/run.py {{tests}}\"" >part.yaml &&
	"$RONDO" run part.yaml -s output.branch=part >out && reports >said &&
	cat >expected <<-\END && test_cmp expected said &&
	1 of 2 tests of the goal does not pass: multiplies; the whole suite was not run
	  fixed: adds
	  still failing: multiplies
	1 of 2 tests of the goal does not pass: multiplies; the whole suite was not run
	  fixed: adds
	  still failing: multiplies
	2 of 2 tests of the goal do not pass, first adds; the whole suite was not run
	  still failing: adds, multiplies
	  worse than before: 1 fixed then, 0 now
	2 of 3 passed: 1 test that passed fails: negates
	  fixed: adds, multiplies
	  newly broken: negates
	TESTS PASS  3 of 3 passed
	END
	git -C calc diff --exit-code whole part &&
	logs=$(ls -td state/rondo/runs/*/attempts/1/logs | head -n 1) &&
	grep "^1\.\.2$" "$logs/suite-1.log" && grep "^1\.\.3$" "$logs/suite-5.log"
'

for wrong in "python3 tests/run.py" "false {{tests}}" "no-such-program" \
	"echo not ok 1 - something"; do
	check "test.targeted that runs none of the goal's tests ($wrong): the whole suite decides" "
		team ', targeted: \"$wrong\"' >wrong.yaml &&
		\"\$RONDO\" run wrong.yaml -s output.branch=wrong >out &&
		grep 'TESTS PASS  3 of 3 passed' out && git -C calc branch -D wrong
	"
done

for targeted in "python3 tests/run.py {{tests}}" ${TEST_LONG:+"false {{tests}}"}; do
	check "repair, with test.targeted: $targeted" "
		team ', targeted: \"$targeted\"' | sed >repair.yaml '/^models:/,/^agents:/d
			s/^team:/agents: {coder: repair, executor: executor, tester: tester}\n&/' &&
		\"\$RONDO\" run repair.yaml -s output.branch=by-repair >out &&
		grep 'verified in a fresh checkout: 3 of 3 passed' out &&
		git -C calc branch -D by-repair
	"
done

test_done
