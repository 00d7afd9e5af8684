#!/bin/sh
test_description='suites that hang, flood, lie, differ, or are missing'
. "$(dirname "$0")/lib.sh"

# suite TEXT: a repository whose make check is this script.
suite() {
	rm -rf repo && mkdir repo && cd repo && git init -q &&
	printf 'check:\n\t@sh ./suite\n' >Makefile &&
		{
			echo 'some_letters() { od -An -N8 -tx4 /dev/urandom | tr 0-9a-f g-v; }'
			printf '%s\n' "$1"
		} >suite && echo 'x = 1' >x.py && commit_all
}

check 'the test command is missing' '
	tiny gone && cd gone && test_expect_code 3 fix --test "no-such-runner -x" >../out &&
	grep "cannot judge: .*no-such-runner" ../out
'

check 'a suite that hangs is killed at its limit' '
	suite "echo begun; sleep 60" && test_expect_code 3 fix --limit suite=1s >../out &&
	grep "cannot judge: .*timed out" ../out
'

check 'invalid UTF-8 and escape sequences are shown, never sent to the terminal' '
	suite "printf \"1..1\nnot ok 1 - bad \\\\377 \\\\033]0;title\\\\007 end\n\"; exit 1" &&
	test_expect_code 1 fix >../out && ! grep "$(printf "\033")" ../out &&
	python3 -c "open(\"../out\", encoding=\"utf-8\").read()"
'

# A suite that rondo waits for is killed at its limit, and rondo cannot judge it.
check 'rondo does not wait for a daemon that holds the pipe' '
	suite "sleep 1000 & echo ok 1 - a; echo 1..1" && fix --limit suite=60s >../out &&
	grep "nothing to fix" ../out
'

check 'tests that differ from run to run are reported, and count neither way' '
	suite "echo 1..2; echo ok 1 - steady; echo ok 2 - \$(some_letters)" &&
	fix >../out && grep "flaky *2 tests differ from run to run" ../out &&
	sed -n "/flaky/{n;p;}" ../out | grep "^   *[g-v ]*$" &&
	grep "nothing to fix" ../out
'

check 'only tests that differ from run to run fail: exit 3' '
	suite "echo 1..2; echo ok 1 - steady
		echo not ok 2 - \$(some_letters); exit 1" &&
	test_expect_code 3 fix >../out &&
	grep "cannot judge: only tests that differ from run to run fail" ../out
'

check 'an option that the test command does not know is told at once: exit 3' '
	suite "exit 0" && test_expect_code 3 "$RONDO" fix --test "python3 --fast suite" >../out &&
	grep "cannot judge: the test command does not know its option --fast" ../out
'

# clip.py, in which a loop does not end, and its tests; the last one comes after it.
endless() {
	mkdir "$1" && cd "$1" && git init -q &&
	printf '%s\n' 'def count(most):' '    n = 0' '    while n < most:' '        n += 0' \
		'    return n' '' '' 'def double(x):' '    return x * 2' >clip.py &&
	printf '%s\n' 'import unittest' 'from clip import count, double' '' \
		'class Clip(unittest.TestCase):' '    def test_add(self): self.assertEqual(1 + 1, 2)' \
		'    def test_count(self): self.assertEqual(count(3), 3)' \
		'    def test_double(self): self.assertEqual(double(2), 4)' >test_clip.py && commit_all
}

check LONG 'a test that does not end is named within its limit, and its loop is mended' '
	endless loop && fix --test "python3 -m unittest -v" --limit suite=2s >../out &&
	grep "test_clip.Clip.test_count does not end: tests that come after it are not known" ../out &&
	grep "test_count *does not end: nothing was printed for" ../out &&
	grep "verified in a fresh checkout: 3 of 3 passed (was 1)" ../out &&
	git diff main "$(the_branch)" | grep "^[-+] " >../change && grep "n += 0" ../change
'

check LONG 'pytest runs the others without it; another bug is mended beside it' '
	endless beside && sed -i "s/x \* 2/x * 3/; s/n += 0/n = sum([])/" clip.py &&
	git commit -qam "hopeless" && test_expect_code 1 fix --limit repair=8s --limit suite=5s \
		--test "/usr/bin/python3 -m pytest" >../out &&
	grep "test_count does not end: the others run without it" ../out &&
	grep "in part (1 of 2 goal tests): 2 of 3 passed (was 1)" ../out &&
	git diff main "$(the_branch)" | grep "^+.*x \* 2"
'

check LONG 'tests that do not end are the goal with the others' '
	mkdir none && cd none && git init -q && printf "%s\n" "def digits(n):" "    count = 0" \
		"    while n:" "        n %= 10" "        count += 1" "    return count" >digits.py &&
	printf "%s\n" "import pytest" "from digits import digits" \
		"@pytest.mark.parametrize(\"n, count\", [(7, 1), (10, 2), (123, 3), (4567, 4)])" \
		"def test_digits(n, count): assert digits(n) == count" >test_digits.py && commit_all &&
	fix --test "/usr/bin/python3 -m pytest" --limit silence=1s >../out &&
	grep "test_digits.py::test_digits.7-1. does not end: the others run without it" ../out &&
	grep "! 3 tests do not end" ../out &&
	grep "verified in a fresh checkout: 4 of 4 passed (was 0)" ../out &&
	git diff main "$(the_branch)" | grep "^+.*n //= 10"
'

check LONG 'a suite that hangs before its first test is a failing test' '
	mkdir early && cd early && git init -q && printf "%s\n" "def count(most):" "    n = 0" \
		"    while n < most:" "        n -= 1" "    return n" "THREE = count(3)" >clip.py &&
	printf "%s\n" "import unittest" "from clip import THREE, count" \
		"class Clip(unittest.TestCase):" \
		"    def test_three(self): self.assertEqual(THREE, 3)" \
		"    def test_two(self): self.assertEqual(count(2), 2)" >test_clip.py && commit_all &&
	fix --test "python3 -m unittest" --limit silence=1s >../out &&
	grep "python3 -m unittest does not end: nobody knows in which test" ../out &&
	grep "verified in a fresh checkout: 2 of 2 passed (was 0)" ../out
'

check 'a suite without tests is not green' '
	suite "echo 1..0" && test_expect_code 3 fix >../out && grep "no tests were run" ../out &&
	! grep "nothing to fix" ../out
'

# As libyaml's .gitignore does, whose authors force-add the file.
check 'a file that git ignores and the tests need is named' '
	mkdir ignored && cd ignored && git init -q && echo "config.h*" >.gitignore &&
	printf "%s\n" "#include \"config.h\"" "int main(void) { return ANSWER - 42; }" >answer.c &&
	printf "test:\n\tcc -o answer answer.c && ./answer\n" >Makefile && commit_all &&
	echo "#define ANSWER 42" >config.h && test_expect_code 3 fix >../out &&
	grep "the tests need config.h, which is in your checkout and ignored by git" ../out &&
	grep "help *git add -f config.h" ../out
'

check 'what the test command only compiles may change, and what it runs may not' '
	mkdir compiled && cd compiled && git init -q &&
	echo "int area(int a, int b) { return a + b; }" >area.c &&
	echo "int area(int, int); int main(void) { return area(3, 5) != 15; }" >main.c &&
	commit_all && fix --test "cc -o t area.c main.c && ./t" >../out &&
	git diff --stat main..."$(the_branch)" | grep area.c &&
	sed -i "s/15/8/" main.c && test_expect_code 1 "$RONDO" verify --executor "$EXECUTOR" \
		--test "cc -o t area.c main.c && ./t" >../out &&
	grep "main.c (rule protected-command)" ../out
'

# As parameters that hold a time or an address make them.
check 'a fix is verified though ids change from run to run' '
	tiny changing && cd changing &&
	sed -i "s/\"-\", name)/\"-\", name, hex(id(found)), time.time())/
		s/^import sys/import sys, time/" tests/run.py && git commit -qam "ids that change" &&
	fix >../out && grep "verified in a fresh checkout: 2 of 2 passed (was 1)" ../out &&
	! grep flaky ../out && git diff --stat main..."$(the_branch)" | grep shapes.py
'

check LONG 'ids of pytest that change: their functions are run alone, and kept loaded' '
	mkdir times && cd times && git init -q &&
	printf "%s\n" "def clip(x, most):" "    return x if x > most else most" >clip.py &&
	cat >test_clip.py <<-\EOF &&
	import time
	import pytest
	from clip import clip

	@pytest.mark.parametrize("x", [5, 7 + time.time()])
	def test_clip(x):
	    assert clip(x, 3) == 3

	@pytest.mark.parametrize("x", [time.time_ns()])
	def test_time(x):
	    assert x
	EOF
	commit_all && RONDO_LOG=debug fix --test "/usr/bin/python3 -m pytest" >../out 2>../log &&
	grep "verified in a fresh checkout: 3 of 3 passed (was 1)" ../out && ! grep flaky ../out &&
	! grep "by the suite.s own command" ../log
'

check LONG 'a suite that needs a missing module' '
	mkdir module && cd module && git init -q && echo "import nosuchmodule" >app.py &&
	printf "import app\n\ndef test_x():\n    assert app\n" >test_app.py && commit_all &&
	test_expect_code 3 fix --test "/usr/bin/python3 -m pytest" >../out &&
	grep "cannot judge: .*nosuchmodule" ../out
'

check 'a program that needs a missing header' '
	mkdir header && cd header && git init -q && echo "#include <nosuchheader.h>" >main.c &&
	printf "test:\n\tcc -o main main.c && ./main\n" >Makefile && commit_all &&
	test_expect_code 3 fix --test "make test" >../out &&
	grep "cannot judge: the header .nosuchheader.h. is missing" ../out &&
	grep "help  *install the package that has it" ../out
'

check 'a bug that repair cannot find: exit code 1, no branch' '
	suite "echo 1..1; echo not ok 1 - impossible; exit 1" &&
	test_expect_code 1 fix >../out &&
	grep "not fixed: 1 of 1 goal test still fails" ../out &&
	test -z "$(the_branch)"
'

test_done
