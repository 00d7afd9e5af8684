#!/bin/sh
test_description='rondo fix FILE: one program whose own assertions fail, in no repository'
. "$(dirname "$0")/lib.sh"

# Each program in one language; in the other ones by make check-slow.
for name in postfix maxsub; do
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
	fix maxsub.py >../out && git checkout -q "$(the_branch)" && python3 maxsub.py
'

check 'a program that is well' '
	echo "assert 1 + 1 == 2" >well.py && fix well.py >out && grep "nothing to fix" out
'

check 'a language that rondo does not run' '
	echo "puts 1" >x.rb && test_expect_code 2 fix x.rb 2>err && grep "^rondo: .*x.rb" err
'

test_done
