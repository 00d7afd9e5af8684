#!/bin/sh
test_description='the rows of the mission in every executor: only `type` changes; SHORT: four each'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/docker.sh"

rows=$SOURCE/tests/slow/t5460
cp "$rows"/* .

# row FILE TYPE: its assertions hold there; its reasons, if not.
row() {
	"$RONDO" run "$1" -s "executor.type=$2" --out "kept-$2" </dev/null >"out-$2" 2>&1 && return
	cat "out-$2" && return 1
}

# What is there: each type but the last two works on its own; a service is one of the test's.
types=local
test_have_prereq SANDBOX && types="$types sandbox"
doctor_says "^[^ ]* jupyter .*ipykernel" && types="$types jupyter"
if test_have_prereq SANDBOX; then
	export DAYTONA_API_KEY=dtn_0123456789
	DAYTONA_API_URL=http://127.0.0.1:$("$SOURCE/tests/lib/daytona" -d cloud 3>&- 4>&- 5>&-)/api
	export DAYTONA_API_URL
	cleanup 'kill $(cat cloud/pid)'
	types="$types daytona"
fi
[ -n "$ENGINE" ] && image_python python:3-slim && types="$types docker"

few="row-002 row-003 row-004"
[ "$SHORT" ] && few="row-002 row-004"
for type in $types; do
	check "row-001, scenarios/wheels.yaml, in $type" '
		rm -rf "kept-$type" && row "$SOURCE/scenarios/wheels.yaml" "$type" &&
		file "kept-$type/prices.png" | grep "PNG image data, 3 x 10" && ! find "kept-$type" -name "*tmp_code*" | grep .
	'
	for file in $few; do
		check "$file in $type" '
			rm -rf "kept-$type" && row "$file.yaml" "$type" && ! find "kept-$type" -name "*tmp_code*" | grep .
		'
	done
	files="postfix rle maxsub fibonacci csv human"
	[ $type = docker ] && files="postfix fibonacci csv human" # the image has no node
	[ "$SHORT" ] && files=csv
	for file in $files; do
		check "$file in $type" 'rm -rf "kept-$type" && row "$SOURCE/scenarios/$file.yaml" "$type"'
	done
done

check 'all of the five are here' '
	echo "$types" >all && echo local sandbox jupyter daytona docker | test_cmp - all
'

test_done
