#!/bin/sh
test_description='rondo verify: changes that somebody made'
. "$(dirname "$0")/lib.sh"

tiny repo && cd repo && git tag base
area='s/return width + height/return width * height/'

# at REV: the repository as it is there, without changes.
at() {
	git checkout -qf "$1" && git clean -qfd
}

# verify [ARGUMENT...]: what it prints goes to ../out.
verify() {
	"$RONDO" verify --executor "$EXECUTOR" "$@" >../out 2>../err
}

# says CODE LINE [ARGUMENT...]: the exit code, and how the line begins that says what came of it.
says() {
	code=$1 line=$2
	shift 2
	test_expect_code "$code" verify "$@" && grep "^[✓✗!] $line" ../out
}

check 'the uncommitted work, a branch, a commit, a patch and standard input are one change' '
	at main && sed -i "$area" shapes.py && before=$(fingerprint) &&
	says 0 "verified: 1 test fixed, nothing lost   2 of 2 passed (was 1)" &&
	grep "^· change      the uncommitted work" ../out && grep "change   shapes.py | 2 +-$" ../out &&
	test "$(fingerprint)" = "$before" && git diff >../fix.diff &&
	says 0 "verified: 1 test fixed" ../fix.diff &&
	git diff | says 0 "verified: 1 test fixed" - && sed "s/$/\r/" ../fix.diff >../crlf.diff &&
	git checkout -q . && says 0 "verified: 1 test fixed" ../crlf.diff &&
	git checkout -q -b feature && sed -i "$area" shapes.py && commit_all feature &&
	git format-patch --stdout base >../mail && says 0 "verified: 1 test fixed" HEAD &&
	git checkout -q main && echo more >notes && commit_all notes &&
	says 0 "verified: 1 test fixed" feature && grep "^· change      feature (" ../out &&
	! grep notes ../out && says 0 "verified: 1 test fixed" ../mail &&
	says 0 "verified: 1 test fixed" --base base feature && git reset -q --hard base &&
	test -z "$(git branch --list "rondo/*")" && test -z "$(ls ../cache/rondo/work)"
'

check 'of a large change the first files are shown' '
	at feature && for i in $(seq 30); do echo $i >notes$i || exit 1; done &&
	says 0 "verified: nothing broken" && grep "change   notes1 | 1 +$" ../out &&
	grep "^            and 18 more files$" ../out
'

check 'where nothing fails, a change must break nothing' '
	at feature && sed -i "s/x \* 2/2 * x/" shapes.py &&
	says 0 "verified: nothing broken   2 of 2 passed (was 2)" &&
	sed -i "s/2 \* x/3 * x/" shapes.py && says 1 "not verified: 1 test that passed fails: double" &&
	at feature && printf "def broken(:\n" >>shapes.py && says 1 "not verified: "
'

check 'a change that only looks right is refused, with the rule and the line' '
	at main && printf "import atexit\n" >>shapes.py && sed -i "$area" shapes.py &&
	says 1 "refused: shapes.py:7: import atexit (rule early-exit)" &&
	test "$(grep -c atexit ../out)" = 1 && at feature &&
	sed -i "s/15/8/" tests/run.py && sed -i "s/width \* height/8/" shapes.py &&
	says 1 "refused: .* tests/run.py (rule protected-.*); without that: 1 test that passed" &&
	test "$(grep -c "tests/run.py (rule" ../out)" = 1 &&
	grep "allow-edit tests/run.py$" ../out && git checkout -q tests &&
	mkdir -p .github/workflows && echo "on: push" >.github/workflows/a.yml &&
	says 1 "not verified: 1 test that passed fails: area" && at main &&
	sed -i "s/15/8/" tests/run.py &&
	says 1 "refused: area passes only as the change rewrites it (rule protected-test)" &&
	grep "allow-edit tests/run.py" ../out &&
	says 0 "verified: 1 test fixed" --allow-edit "tests/*" &&
	says 1 "not verified: it changes tests alone, and what is to pass fails at" --goal area
'

check 'what failed may fail as before; --goal and --fixed demand more' '
	at main && sed -i "s/x \* 2/2 * x/" shapes.py &&
	says 0 "verified: nothing broken, 1 still fails   1 of 2 passed (was 1)" &&
	says 1 "not verified: 1 of 1 tests of the goal does not pass: area" --goal area &&
	says 1 "not verified: 1 of 1 tests of the goal does not pass: area" --fixed area &&
	test_expect_code 2 verify --goal nosuch &&
	grep "^rondo: --goal: no test at the base matches .nosuch.$" ../err &&
	says 0 "verified: nothing broken, 1 still fails" --goal double &&
	sed -i "s/2 \* x/3 * x/" shapes.py &&
	says 1 "not verified: 1 test that passed fails" --goal double &&
	sed -i "s/3 \* x/2 * x/" shapes.py &&
	sed -i "$area" shapes.py && says 0 "verified: 1 test fixed" --fixed area &&
	test_expect_code 2 verify --fixed double &&
	grep "^rondo: --fixed: .double. does not fail at the base" ../err &&
	test_expect_code 2 verify --fixed are &&
	grep "^rondo: --fixed: no test at the base has the id .are.$" ../err &&
	grep "^  help  --fixed .area., or --goal .are. for all ids with it$" ../err &&
	test_expect_code 2 verify --fixed nosuch && grep "has the id .nosuch.$" ../err &&
	! grep help ../err
'

# unittest, where a test file may come new.
check 'tests that a change brings are run with it and without; both is told' '
	git init -q ../unit && cd ../unit && mkdir tests && : >tests/__init__.py &&
	printf "def area(a, b):\n    return a + b\n" >shapes.py &&
	case_of() {
		printf "import unittest\nfrom shapes import area\n\n\n" &&
			printf "class %s(unittest.TestCase):\n" "$1" &&
		printf "    def test_%s(self):\n        self.assertEqual(%s)\n" "$2" "$3"
	} && case_of Old two "area(2, 2), 4" >tests/test_old.py && commit_all &&
	sed -i "s/a + b/a * b/" shapes.py && case_of New one "area(1, 1), 1" >tests/test_new.py &&
	says 0 "verified: nothing broken; 1 new test, red before" &&
	case_of New one "area(2, 2), 4" >tests/test_new.py &&
	says 0 "verified: nothing broken; 1 new test, green before" &&
	case_of New one "area(2, 2), 5" >tests/test_new.py &&
	says 1 "not verified: with the tests that it brings: .*test_one.* fails" &&
	git checkout -q . && case_of New one "area(1, 1), 2" >tests/test_new.py &&
	says 0 "verified: nothing broken; 1 new test, green before" && rm tests/test_new.py &&
	sed -i "s/2, 2), 4/2, 2), area(2, 2)/" tests/test_old.py && says 0 "verified: nothing broken" &&
	grep "look at   tests/test_old.py (rule protected-test): judged as at the base" ../out &&
	git checkout -q . && sed -i s/two/twice/ tests/test_old.py &&
	says 0 "verified: nothing broken; 1 new test, green before; 1 test removed"
'

check 'json says the same, quiet shows the last block, a dry run runs nothing' '
	at main && sed -i "$area" shapes.py && verify --json && tail -n 1 ../out >last &&
	grep "\"outcome\":\"verified\",\"exit_code\":0,\"reason\":\"1 test fixed, nothing" last &&
	grep "\"proposal\":\"the uncommitted work\"" last && rm last &&
	verify -q --pull-request ../said.md &&
	grep "^verified: 1 test fixed, nothing lost$" ../said.md &&
	grep "^| passed | 1 | 2 |$" ../said.md &&
	grep "^Judged by rondo" ../said.md &&
	echo "import atexit" >>shapes.py && ! verify --pull-request ../said.md &&
	grep "^refused: .shapes.py:7: import atexit (rule early-exit).$" ../said.md &&
	! grep "How it was verified" ../said.md && sed -i "\$d" shapes.py &&
	verify -q && test "$(wc -l <../out)" = 1 && grep "^✓ verified: 1 test fixed" ../out &&
	verify -n && grep "^· change " ../out &&
	grep "dry run     nothing was run" ../out && ! grep baseline ../out && at main &&
	"$RONDO" show >../out && grep "the uncommitted work, verified" ../out
'

check 'several changes of one base are judged with one baseline; an older one is taken on demand' '
	at main && git branch -f one feature && says 0 "verified: 1 test fixed" one feature &&
	test "$(grep -c "^[✓✗] baseline    1 of 2 passed, twice" ../out)" = 2 &&
	test "$(grep -c "passed, twice, cached .* ago" ../out)" = 1 &&
	sed -i "s/x \* 2/x * 3/" shapes.py && commit_all bad && git branch -f bad &&
	git reset -q --hard base && test_expect_code 1 verify -q bad one &&
	grep "^bad: ✗ not verified: 1 test that" ../out && grep "^one: ✓ verified: 1 test" ../out &&
	says 0 "verified: 1 test fixed" feature && ! grep cached ../out &&
	says 0 "verified: 1 test fixed" --cached-baseline feature && grep "twice, cached" ../out &&
	"$RONDO" show --json | grep "\"cached_at\":\"20[0-9T:.-]*Z\"" &&
	verify --cached-baseline --test "make check # of another command" feature &&
	! grep cached ../out && for file in ../cache/rondo/baselines/*; do echo spoilt >"$file"; done &&
	says 0 "verified: 1 test fixed" --cached-baseline feature && ! grep cached ../out &&
	test_expect_code 2 verify one nonsense && grep "nonsense. names no commit" ../err &&
	test_expect_code 2 verify -q nonsense one && grep "^rondo: nonsense: .nonsense. names" ../err &&
	grep "^one: ✓ verified: 1 test" ../out && ! grep nonsense ../out
'

check 'the name of a changed file stays on its line' '
	at main && : >"$(printf "a \"\nb")" && : >empty && verify >../out &&
	grep "^   change   \"a ..\\\\nb\" | 0$" ../out && grep "^            empty | 0$" ../out
'

check 'what is no change says so before anything runs' '
	at main && test_expect_code 2 verify &&
	grep "nothing to verify: the uncommitted work changes nothing" ../err &&
	test_expect_code 2 verify nonsense &&
	grep "^rondo: .nonsense. names no commit, and no file either$" ../err &&
	echo words >../words && test_expect_code 2 verify ../words &&
	grep "^rondo: ../words: this is no patch" ../err &&
	sed "s/^ def area/ def volume/" ../fix.diff >../stale.diff &&
	test_expect_code 2 verify ../stale.diff &&
	grep "^rondo: ../stale.diff: the patch does not apply: .shapes.py. has other lines at line 1" \
		../err && ! grep nearest ../err && sed "s/^/# /" shapes.py >two &&
	cat two shapes.py >shapes.py.new && rm two && mv shapes.py.new shapes.py && commit_all twice &&
	test_expect_code 2 verify ../stale.diff && grep "nearest are at line [1-9]" ../err &&
	echo "pass" >shapes.py && commit_all none && test_expect_code 2 verify ../stale.diff &&
	grep "has no lines like those that it expects at line 1" ../err && git reset -q --hard base &&
	: | test_expect_code 2 "$RONDO" verify - 2>../err && grep "changes no file" ../err &&
	test_expect_code 2 verify base && grep "has no parent to be compared with" ../err &&
	test_expect_code 2 verify --base nowhere base && grep "names no commit" ../err &&
	cd .. && test_expect_code 2 "$RONDO" verify 2>err && grep "not in a git repository" err
'

check 'a suite that says nothing is no evidence' '
	at main && sed -i "$area" shapes.py &&
	says 1 "not verified: no test passes, with it or without" --test false &&
	says 3 "cannot judge: " --test "./nowhere"
'

check 'the hook of the guide lets through what breaks nothing' '
	at main && git init -q --bare ../remote && git remote add origin ../remote &&
	mkdir -p ../bin && printf "#!/bin/sh\nexec \"$RONDO\" \"\$@\" --executor $EXECUTOR\n" \
		>../bin/rondo && chmod +x ../bin/rondo && PATH=$HOME/bin:$PATH &&
	blocks verify-a-change.md sh >.git/hooks/pre-push && chmod +x .git/hooks/pre-push &&
	git push -q --no-verify origin base:refs/heads/main && git push -q origin feature 2>../err &&
	git checkout -q -b worse base && sed -i "s/x \* 2/x * 3/" shapes.py && commit_all worse &&
	! git push origin worse >../out 2>&1 && grep "not verified: 1 test that passed fails" ../out &&
	! git push origin worse:main >../out 2>&1 && grep "not verified: " ../out &&
	git push -q origin :feature && rm .git/hooks/pre-push
'

test_done
