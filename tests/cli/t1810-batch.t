#!/bin/sh
test_description='rondo batch: many tasks, parts of them, kills, one budget'
. "$(dirname "$0")/lib.sh"

FIX='sed -i "s/width + height/width * height/" shapes.py'
batch() {
	"$RONDO" batch --executor "$EXECUTOR" "$@"
}

# of NAME KEY [DIR]: a value of a task's result, as the file of lines has it.
of() {
	python3 - "$@" <<-\EOF
	import json, sys
	name, key, dir = (sys.argv[1:] + ["tasks.batch"])[:3]
	for line in open(dir + "/results.jsonl"):
	    row = json.loads(line)
	    if row["name"] == name:
	        print(row.get(key))
	EOF
}

# same A B: whether two directories have equal results, but for order, times and runs.
same() {
	for dir in "$1" "$2"; do
		python3 - "$dir" <<-\EOF || return
		import json, sys
		rows = [json.loads(line) for line in open(sys.argv[1] + "/results.jsonl")]
		for row in rows:
		    for key in ("run", "branch", "commit", "duration_ms"):
		        row.pop(key, None)
		rows.sort(key=lambda row: row["name"])
		open(sys.argv[1] + "/same", "w").write("\n".join(map(json.dumps, rows)))
		EOF
	done
	test_cmp "$1/same" "$2/same"
}

for name in one two three four; do tiny $name; done
green() {
	tiny "$1" && (cd "$1" && eval "$FIX" && git commit -qam green)
}
green five

check 'each task has its result; a broken line is told with its place, and the others are run' '
	cat >tasks.jsonl <<-\EOF &&
	{"repository": "one", "test": "make check"}
	{"name": "second", "repository": "two", "goal": ["area"], "branch": "mended"}

	{"repository": "three", "tset": "make check"}
	{"repository": "four",}
	{"name": "none", "repository": "nowhere"}
	{"name": "quiet", "repository": "five"}
	EOF
	test_expect_code 1 batch tasks.jsonl >out && cat out >&5 &&
	grep "^· batch       tasks.batch: 6 tasks$" out &&
	grep "^✓ one  *verified: 1 of 1 failing test passes   [0-9.]* s$" out &&
	grep "^! line-4  *error: tasks.jsonl:4:25: unknown key .tset. in task, did you mean" out &&
	grep "^! line-5  *error: tasks.jsonl:5:2.: not JSON" out &&
	grep "^! none  *error: .*/nowhere.: No such file or directory" out &&
	grep "^! 3 verified, 0 not fixed, 3 errors of 6   [0-9.]* s$" out &&
	grep "^   results  tasks.batch/results.jsonl$" out &&
	test "$(of one outcome)-$(of one fixed)-$(of second branch)" = "verified-1-mended" &&
	test "$(of quiet outcome)-$(of none exit_code)" = "nothing_fails-2" &&
	git -C two rev-parse mended && git -C one rev-parse "$(of one branch)" &&
	"$RONDO" show --state-dir tasks.batch/tasks/one >out && grep "verified" out
'

check 'a second start runs what was added, and what was broken and is mended' '
	ls tasks.batch/tasks/*/runs >before && sed -i "4s/tset/test/" tasks.jsonl &&
	echo "{\"name\": \"sixth\", \"repository\": \"five\"}" >>tasks.jsonl &&
	test_expect_code 1 batch tasks.jsonl >out && cat out >&5 &&
	grep "^· batch       tasks.batch: 7 tasks, 5 of them ended before$" out &&
	grep "^✓ three  *verified" out && grep "^✓ sixth  *nothing fails" out &&
	test $(grep -c "^[✓✗!] " out) = 3 && test_expect_code 1 batch -q tasks.batch >out &&
	grep "^! 5 verified, 0 not fixed, 2 errors of 7" out && ls tasks.batch/tasks/one/runs >now &&
	test $(wc -l <now) = 1
'

check 'other tasks do not get into a directory that has some' '
	cp tasks.jsonl other.jsonl && sed -i "1s/one/two/" other.jsonl &&
	test_expect_code 2 batch other.jsonl -o tasks.batch 2>err &&
	grep "^rondo: .tasks.batch. is the directory of other tasks: task 1 differs$" err
'

check 'rows of a data set: a commit, a patch that brings the tests, lists as texts' '
	tiny owner__shapes && (cd owner__shapes && cp tests/run.py ../run.py &&
		sed -i "/area(3, 5), 15/d; s/1\.\.2/1..1/; s/area(3, 5) != 15 or //" tests/run.py &&
		git commit -qam untested && git tag bug && cp ../run.py tests/run.py &&
		git diff >../patch && git checkout -q . && echo later >later && git add . &&
		git commit -qm later) &&
	python3 -c "
import json
print(json.dumps({\"instance_id\": \"owner__shapes-1\", \"repo\": \"owner/shapes\",
    \"base_commit\": \"bug\", \"test_patch\": open(\"patch\").read(), \"patch\": \"secret\",
    \"problem_statement\": \"area is wrong\", \"hints_text\": None, \"version\": \"1.0\",
    \"FAIL_TO_PASS\": json.dumps([\"area\"]),
    \"PASS_TO_PASS\": \"[\\\"double\\\"]\"}))" >set.jsonl &&
	batch set.jsonl --predictions predictions.jsonl >out && cat out >&5 &&
	test "$(of owner__shapes-1 outcome set.batch)" = verified &&
	branch=$(of owner__shapes-1 branch set.batch) &&
	test "$(git -C owner__shapes diff --name-only bug..."$branch" | tr "\n" " ")" = \
		"shapes.py tests/run.py " && ! git -C owner__shapes show "$branch:later" &&
	python3 -c "
import json
row = json.loads(open(\"predictions.jsonl\").read())
assert row[\"instance_id\"] == \"owner__shapes-1\"
assert row[\"model_name_or_path\"].startswith(\"rondo\")
assert \"+    return width * height\" in row[\"model_patch\"]
assert \"run.py\" not in row[\"model_patch\"]"
'

check 'the program is removed while a batch runs' '
	printf "{\"name\": \"%s\", \"repository\": \"five\"}\n" a b >gone.jsonl &&
	cp "$RONDO" gone-rondo &&
	mkfifo ends && { ./gone-rondo batch --executor "$EXECUTOR" -j 1 gone.jsonl >ends & } && {
		read -r line && rm gone-rondo && cat >said
	} <ends && wait $! && grep "^✓ a" said && grep "^✓ b" said
'

check 'what holds for all tasks, and what one of them says itself' '
	tiny own && printf "%s\n" "{\"name\": \"all\", \"repository\": \"own\"}" \
		"{\"name\": \"own\", \"repository\": \"own\", \"goal\": \"area\",
		\"limits\": {\"turns\": 7}}" | sed "N;s/,\n\t*/, /;P;D" >own.jsonl &&
	batch own.jsonl --goal nothing --limit turns=9 >out && cat out >&5 &&
	grep "^✓ all  *nothing fails: no failing test matches --goal .nothing." out &&
	grep "^✓ own  *verified" out &&
	grep "\"turns\":[[:space:]]*7" own.batch/tasks/own/runs/*/scenario.json &&
	grep "\"turns\":[[:space:]]*9" own.batch/tasks/all/runs/*/scenario.json &&
	rm own.batch/tasks/all/result.json && rm -r own.batch/tasks/all/runs &&
	batch own.batch --limit turns=11 &&
	grep "\"turns\":[[:space:]]*11" own.batch/tasks/all/runs/*/scenario.json
'

check 'a directory of repositories' '
	mkdir all all/empty && cp -r one all/a && cp -r five all/b && batch all >out && cat out >&5 &&
	test "$(of a outcome all.batch)-$(of b outcome all.batch)" = verified-nothing_fails
'

check 'a scenario with a batch: parameters and keys of each task' '
	cat >scene.yaml <<-EOF &&
	parameters: {how: {}}
	agents:
	  coder: {type: command, command: "sed -i \"s/width + height/width {{how}} height/\" shapes.py"}
	  tester: {type: tester}
	team: {participants: [coder, tester], termination: [tests_pass], max_turns: 4}
	executor: {type: $EXECUTOR}
	batch:
	  jobs: 2
	  tasks:
	    - {name: good, repository: one, parameters: {how: "*"}}
	    - {name: bad, repository: one, parameters: {how: "-"}, limits: {turns: 2}}
	    - {name: goal, repository: two, test: make check, goal: area, parameters: {how: "*"}}
	EOF
	"$RONDO" check scene.yaml && test_expect_code 1 "$RONDO" batch scene.yaml >out && cat out >&5 &&
	test "$(of good outcome scene.batch) $(of bad outcome scene.batch)" = "verified not_fixed" &&
	test "$(of goal outcome scene.batch)" = verified &&
	test_expect_code 2 "$RONDO" run scene.yaml -p how=x 2>err &&
	grep "^rondo: .scene.yaml. has a batch of tasks$" err &&
	grep "^  help  rondo batch .scene.yaml.$" err &&
	test_expect_code 2 "$RONDO" batch scene.yaml -o other --test x 2>err &&
	grep "^rondo: --test is for tasks of rondo fix, and these are of a scenario$" err
'

check 'parts on one directory are the whole' '
	printf "{\"name\": \"%s\", \"repository\": \"five\"}\n" a b c d e >parts.jsonl &&
	batch -q parts.jsonl -o whole && batch -q parts.jsonl -o parts --shard 1/2 >out &&
	grep "of 3" out && batch -q parts --shard 2/2 >out && grep "of 2" out &&
	test ! -e parts/results.jsonl && "$RONDO" batch --collect parts >out && grep "5 verified" out &&
	test $(cat parts/results.?-of-2.jsonl | wc -l) = 5 && same whole parts
'

check 'results as JSON' '
	batch --json parts | tail -1 >out &&
	grep "^{\"type\":\"batch\",\"dir\":\"parts\",\"tasks\":5,\"verified\":5,\"not_fixed\":0" out &&
	"$RONDO" batch --json --status parts >out && test $(wc -l <out) = 6 &&
	grep "^{\"name\":\"c\",\"outcome\":\"nothing_fails\",\"exit_code\":0" out
'

check 'a directory of repositories names the batch, with a slash at its end or none' '
	mkdir shelf && green shelf/six && batch -q shelf/ >out && test -e shelf.batch/batch.json &&
	batch -q shelf >out && (cd shelf && batch -q . >../out && test -e shelf.batch/batch.json)
'

check 'a file of results that was cut is completed' '
	cp whole/results.jsonl before && truncate -s -20 whole/results.jsonl &&
	batch -q whole && sort before >a && sort whole/results.jsonl >b && test_cmp a b &&
	rm whole/results.jsonl && batch -q whole && sort whole/results.jsonl >b && test_cmp a b
'

# Tests that wait until they are let go, once they are repaired.
waiting() {
	rm -rf gate && mkdir gate && cat >wait.sh <<-EOF && cat >wait.yaml <<-EOF
	if grep -q "width \\* height" shapes.py; then
		touch "$PWD/gate/\$\$"
		while [ ! -e "$PWD/gate/go" ]; do sleep 0.05; done
	fi
	exec make check
	EOF
	agents:
	  coder: {type: command, command: "sed -i \"s/width + height/width * height/\" shapes.py"}
	  tester: {type: tester}
	team: {participants: [coder, tester], termination: [tests_pass], max_turns: 4}
	executor: {type: local}
	test: sh "$PWD/wait.sh"
	batch:
	  jobs: 2
	  tasks: [{name: a, repository: one}, {name: b, repository: two}, {name: c, repository: four}]
	EOF
}

check 'two cannot work on one directory; a kill -9 leaves what can go on' '
	waiting && { "$RONDO" batch wait.yaml >first & } && pid=$! &&
	await "test \$(ls gate | wc -l) = 2" &&
	for other in "" "--executor docker" "--collect"; do
		cp wait.batch/batch.json before &&
		test_expect_code 2 "$RONDO" batch wait.batch $other 2>err &&
		grep "^rondo: another rondo batch works on .*wait.batch.: process $pid on .* 20" err &&
		test_cmp before wait.batch/batch.json || exit 1
	done &&
	test_expect_code 1 "$RONDO" batch --status wait.batch >out &&
	grep "^   left     2 running, 1 not started$" out &&
	kill -9 $pid && { wait $pid || :; } && touch gate/go &&
	await "\"$RONDO\" batch wait.batch >out || test \$? = 1 && grep \"3 verified\" out" &&
	for name in a b; do
		cat wait.batch/tasks/$name/runs/*/attempts/1/journal.jsonl >journal &&
		grep "\"type\":\"turn.end\".*\"source\":\"coder\"" journal >turns &&
		test $(wc -l <turns) = 1 || exit 1
	done &&
	test $(ls -d wait.batch/tasks/*/runs/* | wc -l) = 3
'

check 'a signal ends all; the next start goes on' '
	waiting && rm -r wait.batch && { "$RONDO" batch wait.yaml >first 2>err & } && pid=$! &&
	await "test \$(ls gate | wc -l) = 2" && kill -TERM $pid && test_expect_code 143 wait $pid &&
	grep "help  rondo batch .wait.batch. goes on" err && touch gate/go &&
	"$RONDO" batch wait.batch >out && grep "3 verified" out &&
	test $(wc -l <wait.batch/results.jsonl) = 3
'

# children_of PID: only these, as a program that a task runs may end while it is looked for.
children_of() {
	for dir in /proc/[0-9]*; do
		grep -q "^PPid:	$1\$" "$dir/status" 2>/dev/null && echo "${dir#/proc/}"
	done
}

check 'a process that is killed is told, and its task is run by the next start' '
	waiting && rm -r wait.batch && { "$RONDO" batch wait.yaml -j 1 >first & } && pid=$! &&
	await "test \$(ls gate | wc -l) = 1" &&
	kill -9 $(children_of $pid) && touch gate/go &&
	test_expect_code 1 wait $pid &&
	grep "^! a  *error: the task.s rondo left no result: killed by SIGKILL" first &&
	"$RONDO" batch wait.batch >out && grep "^✓ a  *verified" out && grep "3 verified" out
'

check 'one budget for all: what is left when it is used up is not started' '
	tiny six && tiny seven && tiny eight && cat >reply.py <<-\EOF && python3 reply.py >scenes &&
	import json
	text = "shapes.py\n<<<<<<< SEARCH\n    return width + height\n=======\n" \
	    "    return width * height\n>>>>>>> REPLACE\n"
	print("body", json.dumps({"id": "1", "object": "chat.completion", "model": "x", "choices": [
	    {"index": 0, "finish_reason": "stop",
	     "message": {"role": "assistant", "content": text}}],
	    "usage": {"prompt_tokens": 3000, "completion_tokens": 1000, "total_tokens": 4000}})
	    .replace("\\", "\\\\"))
	EOF
	port=$("$SOURCE/tests/lib/server" -d scenes log 3>&- 4>&- 5>&-) &&
	cleanup "kill $(cat log.pid)" && export OPENAI_API_KEY=sk-x &&
	export OPENAI_BASE_URL=http://127.0.0.1:$port &&
	printf "{\"repository\": \"%s\"}\n" six seven eight >paid.jsonl &&
	test_expect_code 1 batch -j 1 paid.jsonl --model openai/x --coder model --total-tokens 8000 \
		>out && cat out >&5 && grep "^! 2 verified, 0 not fixed, 0 errors of 3, 8000 tokens" out &&
	grep "^   left     1 not started: the budget of tokens is used up$" out &&
	test_expect_code 1 batch paid.batch >out && grep "1 not started" out &&
	test "$(grep -c "" log)" = 2 && batch paid.batch --total-tokens 20000 >out &&
	grep "^✓ 3 verified, 0 not fixed, 0 errors of 3, 12000 tokens" out
'

check ROOT 'a full disk: what ended before is kept, and the next start goes on' '
	mkdir full && unshare -m sh -c "mount -t tmpfs -o size=200k tmpfs full &&
		\"$RONDO\" batch --executor $EXECUTOR -q -j 1 parts.jsonl -o full/x; echo \$? &&
		mount -o remount,size=50m full &&
		\"$RONDO\" batch --executor $EXECUTOR -q full/x" >out 2>err && cat out err >&5 &&
	grep "^75$" out && grep "^✓ 5 verified, 0 not fixed, 0 errors of 5" out &&
	grep "No space left" err
'

check 'bad input is told exactly' '
	refuses() { test_expect_code 2 "$RONDO" batch "$@" 2>err && grep "^rondo: $said$" err; } &&
	said="rondo batch needs tasks: a file or a directory" refuses &&
	said="--shard must be I/N such as 2/8, found .3/2." refuses parts.jsonl --shard 3/2 &&
	said="option .--jobs.: jobs must be between 1 and 10000, found .0." refuses parts.jsonl -j 0 &&
	said="tasks from standard input need a name for the batch" refuses - &&
	said="there is no task in .gate.: no directory in it is a git repository" refuses gate &&
	: >empty.jsonl && said="there is no task in .empty.jsonl.: .*" refuses empty.jsonl &&
	said="there is no task in .one.yaml.: the scenario has no .batch." &&
	sed "s/{{how}}/x/; /^parameters/d; /^batch/,\$d" scene.yaml >one.yaml && refuses one.yaml &&
	said=".*nofile.*No such file or directory" refuses nofile &&
	said="cannot write .*/nowhere/p.: there is no directory for it" \
		refuses parts.jsonl -o late.batch --predictions nowhere/p && test ! -e late.batch &&
	printf "%s\n" "{\"name\": \"x\", \"repository\": \"five\"}" \
		"{\"name\": \"x\", \"repository\": \"five\"}" \
		"{\"name\": \"../y\", \"repository\": \"one\"}" "[]" \
		"{\"test\": \"x\"}" "{\"repository\": \"one\", \"limits\": {\"time\": \"soon\"}}" \
		>names.jsonl && test_expect_code 1 batch names.jsonl >out &&
	grep "names.jsonl:2:1: a second task has the name .x.; the first is on line 1" out &&
	grep "names.jsonl:3:1: a task.s name has letters, digits and . _ - + @" out &&
	grep "names.jsonl:4:1: a task is an object" out &&
	grep "names.jsonl:5:1: a task needs .repository." out &&
	grep "error: option .--limit.: time must be a duration" out
'

test_done
