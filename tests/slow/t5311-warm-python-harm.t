#!/bin/sh
test_description='the warm runner for Python: what candidates do to the world'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/t5310/lib.sh"

for name in leaks open_files threads programs ends processes memory disk deleted; do
	check PYTEST "candidates: $name" "case_of harm $name"
done

test_done
