#!/bin/sh
test_description='the warm runner for Python: it says of edits what a cold run says'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/t5310/lib.sh"

check PYTEST 'kinds of code that change' 'case_of shapes shapes'

# EDITS=200 SEED=7 for more of them, and others.
check PYTEST 'random edits of a small package' '
	cp -r "$SOURCE/tests/slow/t5310/shop" . &&
	"$PYTHON" "$SOURCE/tests/slow/t5310/agree.py" shop ${EDITS:-25} ${SEED:-1}
'

test_done
