#!/bin/sh
test_description='the rows of the mission in every executor: only `type` changes'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/docker.sh"

rows=$SOURCE/tests/slow/t5460
cp "$rows"/* .

# A wheel of a package that makes a picture with what Python has.
mkdir wheels && python3 - <<\EOF
import zipfile
CODE = '''
import struct
import zlib


def highest(prices):
    return max(prices)


def plot(prices, path):
    rows = b"".join(b"\\0" + bytes(255 if price > level else 0 for price in prices) for level in range(max(prices), -1, -1))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", len(prices), max(prices) + 1, 8, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
'''
with zipfile.ZipFile("wheels/pricetools-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("pricetools.py", CODE)
    wheel.writestr("pricetools-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: pricetools\nVersion: 1.0\n")
    wheel.writestr("pricetools-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr("pricetools-1.0.dist-info/RECORD", "")
EOF

# row FILE TYPE: its assertions hold there; its reasons, if not.
row() {
	"$RONDO" run "$1" -s "executor.type=$2" --out "kept-$2" </dev/null >"out-$2" 2>&1 && return
	cat "out-$2" && return 1
}

# What is there: each type but the last two works on its own; a service is one of the test's.
types=local
test_have_prereq SANDBOX && types="$types sandbox"
"$RONDO" doctor | grep -q "^[^ ]* jupyter .*ipykernel" && types="$types jupyter"
if test_have_prereq SANDBOX; then
	export DAYTONA_API_KEY=dtn_0123456789
	DAYTONA_API_URL=http://127.0.0.1:$("$SOURCE/tests/lib/daytona" -d cloud 3>&- 4>&- 5>&-)/api
	export DAYTONA_API_URL
	cleanup 'kill $(cat cloud/pid)'
	types="$types daytona"
fi
[ -n "$ENGINE" ] && image_python python:3-slim && types="$types docker"

for type in $types; do
	for file in row-001 row-002 row-003 row-004; do
		check "$file in $type" '
			rm -rf "kept-$type" && row "$file.yaml" "$type" &&
			if [ $file = row-001 ]; then file "kept-$type/prices.png" | grep "PNG image data, 3 x 10"; fi &&
			! find "kept-$type" -name "*tmp_code*" | grep .
		'
	done
	files="postfix rle maxsub fibonacci csv human"
	[ $type = docker ] && files="postfix fibonacci csv human" # the image has no node
	for file in $files; do
		check "$file in $type" 'rm -rf "kept-$type" && row "$SOURCE/scenarios/$file.yaml" "$type"'
	done
done

check 'all of the five are here' '
	echo "$types" >all && echo local sandbox jupyter daytona docker | test_cmp - all
'

test_done
