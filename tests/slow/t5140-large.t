#!/bin/sh
test_description='more than anybody reads: a gigabyte, a thousand scenarios'
. "$(dirname "$0")/../cli/lib.sh"

check 'a suite that prints a gigabyte' '
	mkdir repo && cd repo && git init -q &&
	printf "check:\n\t@yes | head -c 1000000000; exit 1\n" >Makefile && echo "x = 1" >x.py &&
	commit_all && test_expect_code 3 fix >../out && grep "cannot judge" ../out &&
	test $(du -sm ../state | cut -f1) -lt 600
'

check 'a thousand scenarios that were changed at random: rondo check refuses what the schema refuses' '
	/usr/bin/python3 "$SOURCE/tests/lib/schema" "$RONDO" 1000 "$SOURCE/tests/scenarios" >out ||
		{ cat out; exit 1; }
	grep ", 0 faults$" out
'

test_done
