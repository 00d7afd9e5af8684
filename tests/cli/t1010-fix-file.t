#!/bin/sh
test_description='rondo fix FILE: one program whose own assertions fail, in no repository'
. "$(dirname "$0")/lib.sh"

# Each program in one language; make check-slow has the others.
for name in postfix ${TEST_LONG:+maxsub}; do
	check "$name in Python" "
		fixed $name.py && python3 fixed-$name.py
	"
done

check '--apply writes it in place' '
	cp "$programs/maxsub.py" applied.py && fix --apply applied.py && python3 applied.py
'

check '--branch is refused: there is no repository' '
	cp "$programs/maxsub.py" branch.py && test_expect_code 2 fix --branch x branch.py 2>err &&
	grep "^rondo: --branch needs a repository" err
'

check 'a FILE within a repository leaves a branch' '
	mkdir repo && cd repo && git init -q && cp "$programs/maxsub.py" . && commit_all &&
	fix maxsub.py >../out && grep "^. program     maxsub.py (main at " ../out &&
	git checkout -q "$(the_branch)" && python3 maxsub.py
'

check 'a program without a failure' '
	echo "assert 1 + 1 == 2" >well.py && fix well.py >out && grep "nothing to fix" out
'

check 'a FILE whose tests something else would run is refused, and not called well' '
	printf "def area(w, h):\n    return w + h\n\n\n" >"a test.py" &&
	printf "def test_area():\n    assert area(3, 4) == 12\n" >>"a test.py" &&
	test_expect_code 2 fix "a test.py" 2>err && tr -d "\047\134" <err >said &&
	cat >expected <<-\EOF && test_cmp expected said &&
	rondo: a test.py has tests that do not run when it is started
	  help  in its directory: rondo fix --test python3 -m pytest a test.py
	EOF
	printf "def area(w, h):\n    \"\"\"\n    >>> area(3, 4)\n    12\n    \"\"\"\n" >examples.py &&
	printf "    return w + h\n" >>examples.py && test_expect_code 2 fix examples.py 2>err &&
	grep "^  help .*python3 -m doctest examples.py" err
'

check 'such a FILE in --test is judged by its exit code: no assertion of it has run' '
	mkdir unrun && cd unrun && git init -q && cp "../a test.py" prog.py &&
	printf "    assert area(1, 1) == 1\n" >>prog.py && commit_all &&
	fix --test "python3 prog.py" >../out && grep "baseline    1 of 1 passed" ../out
'

check LONG 'a slow program gets the processor time that it needs' '
	printf "import time\n\nwhile time.process_time() < 0.1:\n    pass\n\n\n" >busy.py &&
	printf "def area(w, h):\n    return w + h\n\n\nassert area(3, 4) == 12\n" >>busy.py &&
	fix --limit candidates=40 busy.py >out && grep "change   busy.py" out
'

check 'an unknown language' '
	echo "puts 1" >x.rb && test_expect_code 2 fix x.rb 2>err && grep "^rondo: .*x.rb" err
'

# program DIR: a repository with a program that tests itself, what it imports, and a test of it.
program() {
	cp -r "$SOURCE/tests/gate/projects/python-program" "$1" && cd "$1" && git init -q && commit_all
}

n=0
for command in "python3 -m prog" ${TEST_LONG:+"python3 prog.py" "true; python3 ./prog.py"}; do
	n=$((n + 1))
	check "--test: $command: the program is changed, not its tests" '
		program "'$n'" && fix --test "'"$command"'" >../out &&
		grep "tests  *'"$command"' *from --test, which is its own test" ../out &&
		git diff main "$(the_branch)" | grep "^+    return width \* height" &&
		git diff --name-only main "$(the_branch)" >../names && echo prog.py >../expected &&
		test_cmp ../expected ../names
	'
done

check '--test: each example of doctest is a test' '
	program examples && fix --test "python3 -m doctest shapes.py" >../out &&
	grep "3 of 5 passed" ../out && grep ">>> area(3, 4) 12 *expected 12, got 7" ../out &&
	git checkout -q "$(the_branch)" && python3 -m doctest shapes.py
'

check LONG '--test: failing examples count although the program exits with 0' '
	program heard && python3 shapes.py >../said && fix --test "python3 shapes.py" >../out &&
	git checkout -q "$(the_branch)" && python3 shapes.py >../said && test_must_be_empty ../said
'

check '--test: a test in a file of its own is protected as a whole' '
	program check && fix --test "python3 check.py" >../out && ! grep "its own test" ../out &&
	git diff --name-only main "$(the_branch)" >../names && echo prog.py >../expected &&
	test_cmp ../expected ../names
'

check LONG,NODE '--test: node' '
	cp -r "$SOURCE/tests/gate/projects/js-program" js && cd js && git init -q && commit_all &&
	fix --test "node app.js" >../out &&
	git diff main "$(the_branch)" | grep "^+  return width \* height"
'

check '--allow-edit lets a program change with its tests' '
	program allowed && printf "assert 1 == 2\n" >prog.py && commit_all wrong &&
	git rm -q check.py money.py shapes.py && commit_all alone &&
	test_expect_code 1 fix --test "python3 prog.py" >../out && grep "found no edit to try" ../out &&
	allow=$(sed -n "s/^ *help .* where it is the program: //p" ../out) &&
	test "$allow" = "--allow-edit prog.py" && fix --test "python3 prog.py" $allow >../out
'

test_done
