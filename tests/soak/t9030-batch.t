#!/bin/sh
test_description='kill -9 of a batch at seeded points: the results are those of a whole one'
. "$(dirname "$0")/../cli/lib.sh"

KILLS=${KILLS:-50} SEED=${SEED:-1}
for name in one two three; do tiny $name; done
cp -r three green
(cd green && sed -i "s/width + h/width * h/" shapes.py && git commit -qam green)

# A model that repairs it, and counts how often it is asked.
cat >reply.py <<-\EOF && python3 reply.py >scenes
import json
text = "shapes.py\n<<<<<<< SEARCH\n    return width + height\n=======\n" \
    "    return width * height\n>>>>>>> REPLACE\n"
print("wait 100\nsay", json.dumps(text)[1:-1])
EOF
port=$("$SOURCE/tests/lib/server" -d scenes log 3>&- 4>&- 5>&-)
cleanup "kill $(cat log.pid)"
export OPENAI_API_KEY=sk-x OPENAI_BASE_URL="http://127.0.0.1:$port"

cat >tasks.jsonl <<-\EOF
{"repository": "one", "model": "openai/x", "coder": "model", "branch": "mended"}
{"repository": "two", "model": "openai/x", "coder": "model", "branch": "mended"}
{"repository": "three", "branch": "mended"}
{"repository": "green"}
{"repository": "gone"}
{"repository": "one"
EOF

batch() { "$RONDO" batch --executor "$EXECUTOR" -j 2 tasks.jsonl -o "$1"; }

# outcome DIR: what came of it, but for times, runs and order; and the branches.
outcome() {
	python3 - "$1" <<-\EOF
	import json, sys
	rows = [json.loads(line) for line in open(sys.argv[1] + "/results.jsonl")]
	for row in sorted(rows, key=lambda row: row["name"]):
	    print({key: row[key] for key in row if key not in ("run", "commit", "duration_ms")})
	EOF
	for name in one two three; do git -C $name rev-parse 'mended^{tree}'; done
}

forget() {
	rm -rf "$1" "$XDG_CACHE_HOME"
	for name in one two three; do git -C $name branch -qD mended; done
}

# once DIR: each task was run to its end once, and no answer of a model was paid for twice.
once() {
	for name in one two three green; do
		cat "$1/tasks/$name"/runs/*/attempts/1/journal.jsonl >journal || return
		test "$(grep -c '"type":"run.end"' journal)" = 1 || return
	done
	for name in one two; do
		cat "$1/tasks/$name"/runs/*/attempts/1/journal.jsonl >journal &&
			test "$(grep -c '"type":"model.reply"' journal)" = 1 || return
	done
}

start=$(date +%s%N)
test_expect_success 'a whole one' '
	test_expect_code 1 batch whole && outcome whole >expected && once whole
'
length=$((($(date +%s%N) - start) / 1000000))
forget whole

# survives POINT POINT: killed twice, then to its end.
survives() {
	for point in "$@"; do
		seconds=$((point / 1000)).$(printf '%03d' $((point % 1000)))
		timeout -s KILL "$seconds" "$RONDO" batch --executor "$EXECUTOR" -j 2 tasks.jsonl -o killed
	done
	await "batch killed >said 2>&1 || [ \$? = 1 ]" && outcome killed >actual && once killed &&
		forget killed && test_cmp expected actual
}

random=$SEED
next_random() {
	random=$(((random * 1103515245 + 12345) % 2147483648))
	point=$((random / 65536 % ($1 * 6 / 5)))
}

for number in $(seq "$KILLS"); do
	next_random "$length" && first=$point && next_random "$length"
	test_expect_success "killed after $first and again after $point of $length ms" \
		"survives $first $point"
done

test_done
