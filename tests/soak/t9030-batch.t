#!/bin/sh
test_description='kill -9 of a batch at seeded points: the results are those of a whole one'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/lib/kills.sh"

KILLS=${KILLS:-200} SEED=${SEED:-1}
points=$(((KILLS + 4) / 5)) # as t9010 says
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

# has_one DIR TASK EVENT: the journals of its runs have that event once.
has_one() {
	cat "$1/tasks/$2"/runs/*/attempts/1/journal.jsonl >journal || return
	[ "$(grep -c "\"type\":\"$3\"" journal)" = 1 ] && return
	echo "not once $3 in the journals of $2:"
	cut -c1-150 journal
	cat "$1/tasks/$2/result.json"
	ls -l --time-style=full-iso "$1/tasks/$2" "$1/tasks/$2"/runs/* && return 1
}

# has_report DIR TASK: its one run was killed between its report, which counts, and the last record.
has_report() {
	[ -s "$(echo "$1/tasks/$2"/runs/*/report.json)" ] &&
		! grep -q '"type":"run.end"' "$1/tasks/$2"/runs/*/attempts/1/journal.jsonl
}

# once DIR: each task was run to its end once, and no answer of a model was paid for twice.
once() {
	for name in one two three green; do
		has_report "$1" $name || has_one "$1" $name run.end || return
	done
	for name in one two; do has_one "$1" $name model.reply || return; done
}

start=$(date +%s%N)
test_expect_success 'a whole one' '
	test_expect_code 1 batch whole && outcome whole >expected && once whole
'
length=$((($(date +%s%N) - start) / 1000000))
forget whole

# survives POINT POINT: killed twice, then to its end.
survives() {
	kills_count batch points
	for after in "$@"; do
		killed_after batch "$after" \
			"$RONDO" batch --executor "$EXECUTOR" -j 2 tasks.jsonl -o killed
	done
	if [ -d killed ]; then kills_count batch resumed; else kills_count batch begun; fi
	await "batch killed >said 2>&1 || [ \$? = 1 ]" && outcome killed >actual && once killed
	is_whole=$?
	forget killed 2>/dev/null
	[ $is_whole = 0 ] && test_cmp expected actual && kills_count batch equal
}

random=$SEED
for number in $(seq $points); do
	next_random "$length" && first=${point:?} && next_random "$length"
	test_expect_success \
		"killed after $first and again after $point of $length ms (SEED=$SEED, number $number)" \
		"survives $first $point"
done
kills_write batch

test_done
