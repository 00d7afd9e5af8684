#!/bin/sh
test_description='doc/comparison.md: what rondo and others do and say in its cases is as it says'
. "$(dirname "$0")/../cli/lib.sh"

XDG_CACHE_HOME=$REAL_CACHE "$SOURCE/tests/compare/run" --installed --facts >found 2>err
grep "is not installed$" err >lacking && say "$(cat lacking)"

# section: of doc/comparison.md, without those who are not installed.
section() {
	sed -n "/^### /,\$p" "$SOURCE/doc/comparison.md" | python3 -c "
import re, sys
lacking = [re.sub(r' \S+ is not installed\n', '', line) for line in open('lacking')]
for item in re.split(r'\n(?=- |###|\n)', sys.stdin.read()):
    if not any(item.startswith(f'- {name}: ') for name in lacking):
        print(item.rstrip())"
}

check SANDBOX 'the cases, of rondo and of who is installed' '
	grep "^- rondo: exit 1, offers nothing; " found && cat err &&
	section | grep . >expected && grep . found | test_cmp expected -
'

check SANDBOX 'whoever is wrong is found: by the tests as they were, and by one that nobody saw' '
	grep "^### The program gives what the tests expect" -A 3 found >last &&
	grep "^- rondo: exit 0, a branch, \*\*wrong\*\*; .*" last
'

check 'all are given the same edits, each in its form' '
	python3 -B - "$SOURCE/tests/compare" <<-\EOF
	import sys
	sys.path.insert(0, sys.argv[1])
	import replies
	# The same edits for all: each form holds both lines of each edit, however it is quoted.
	for case, edits in replies.CASES.items():
	    for edit in edits:
	        for old, new in edit[1]:
	            blocks, shell = replies.blocks(edit), replies.shell(edit)
	            assert new in blocks and new in shell, case
	            assert old in blocks and replies.quote(old) in shell, case
	EOF
'

test_done
