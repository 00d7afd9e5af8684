#!/bin/sh
test_description='rondo fix FILE: each program in the languages that tests/cli/t1010 leaves out'
. "$(dirname "$0")/../cli/lib.sh"

for name in postfix rle maxsub; do
	check NODE,ESBUILD "$name in TypeScript" "
		fixed $name.ts --limit repair=5m && esbuild fixed-$name.ts --log-level=error >run.js &&
		node run.js >said 2>&1 && ! grep 'Assertion failed' said
	"
done

for name in postfix maxsub; do
	check NODE "$name in JavaScript" "
		fixed $name.js --limit repair=5m && node fixed-$name.js >said 2>&1 &&
		! grep 'Assertion failed' said
	"
done

check 'rle in Python' '
	fixed rle.py --limit repair=5m && python3 fixed-rle.py
'

test_done
