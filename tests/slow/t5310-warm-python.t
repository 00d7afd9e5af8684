#!/bin/sh
test_description='the warm runner for Python: what it says of candidates'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/t5310/lib.sh"

for name in ends_of_pytest refusals unloadable order goal_first unsound_others cover \
	arguments_of_pytest nothing_stays; do
	check PYTEST "pytest: $name" "case_of cases $name"
done
check PYTEST,XDIST 'pytest: xdist' 'case_of cases xdist'
check 'unittest: its ends' 'case_of cases ends_of_unittest'
check 'a program: its ends' 'case_of cases ends_of_program'
check 'examples of doctest, run by it and by the program' 'case_of cases examples_of_doctest'
check 'a program without assertions' 'case_of cases program_without_assertions'

test_done
