#!/bin/sh
test_description='rondo fix FILE in TypeScript: as tests/cli/t1010 in Python and JavaScript'
. "$(dirname "$0")/../cli/lib.sh"

programs=$SOURCE/tests/data/bugfixers

# fixed NAME RUN...: rondo fixes the program; its text below assertions is as before, and RUN ends without a complaint.
fixed() {
	rm -rf state && cp "$programs/$1" . && cp "$1" "$1.before" && fix "$1" >out &&
		grep "verified in a fresh checkout" out && cmp "$1" "$1.before" &&
		cp state/rondo/runs/*/files/"$1" fixed-"$1"
}

for name in postfix rle maxsub; do
	check NODE,ESBUILD "$name in TypeScript" "
		fixed $name.ts && esbuild fixed-$name.ts --log-level=error >run.js &&
		node run.js >said 2>&1 && ! grep 'Assertion failed' said
	"
done

test_done
