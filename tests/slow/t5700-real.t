#!/bin/sh
# Twelve real projects of several ecosystems, SHORT: two: rondo says that nothing fails. The first
# run fetches them; what cannot be fetched is skipped and named.
. "$(dirname "$0")/../cli/lib.sh"
export HOME="$REAL_HOME" XDG_CACHE_HOME="$REAL_CACHE"
real=$SOURCE/tests/real

names="cachetools flat"
[ "$SHORT" ] || names="$names cjson html-tiny fastq he toolz more-itertools minimist boltons http-parser arrayvec"
for name in $names; do
	reason=$("$real/fetch" "$name" 2>&1) || reason="skipped: $reason"
	case $reason in
	*skipped:*) printf '%s\n' "$reason" ;;
	*) test_set_prereq "$name" ;;
	esac
	test_expect_success "$name" "$name is green" '
		"$real/run" --only green --results "$PWD/real.jsonl" "$name"
	'
done

test_done
