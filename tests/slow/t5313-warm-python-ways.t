#!/bin/sh
test_description='the warm runner for Python: what is left out of pytest changes no outcome'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/t5310/lib.sh"

for name in ways warnings_as_errors much_is_printed loaded_early mixed heads test_cases \
	some_outside; do
	check PYTEST "pytest: $name" "case_of ways $name"
done

test_done
