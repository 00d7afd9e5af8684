#!/bin/sh
test_description='the cases of semantics 8.3, 8.4, 8.6 and 8.9 in every executor: what tests/cli
asks of one holds in all'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/docker.sh"

doctor_says "^[^ ]* jupyter .*ipykernel" && test_set_prereq JUPYTER
if test_have_prereq SANDBOX; then
	export DAYTONA_API_KEY=dtn_0123456789
	DAYTONA_API_URL=http://127.0.0.1:$("$SOURCE/tests/lib/daytona" -d cloud 3>&- 4>&- 5>&-)/api
	export DAYTONA_API_URL
	cleanup 'kill $(cat cloud/pid)'
	test_set_prereq DAYTONA
fi
[ -n "$ENGINE" ] && image_python python:3-slim && test_set_prereq DOCKER
test_set_prereq LOCAL

# A script by itself, in a place of its own; what does not hold is shown.
for type in local sandbox jupyter docker daytona; do
	for script in t4200-executing t4210-blocks; do
		check "$(echo $type | tr a-z A-Z)" "$script in $type" '
			mkdir -p "$type" && TMPDIR=$PWD/$type HOME=$REAL_HOME RONDO_TEST_EXECUTOR=$type \
				sh "$SOURCE/tests/cli/$script.t" >"out-$script-$type" 2>&1 || { grep -v "^ok" "out-$script-$type"; exit 1; }
			grep "^1\.\.[1-9]" "out-$script-$type"
		'
	done
done

test_done
