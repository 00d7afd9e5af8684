#!/bin/sh
test_description='several attempts at one task: the first, the smallest, those that agree, all'
. "$(dirname "$0")/lib.sh"

export OPENAI_API_KEY=sk-planted-0123456789abcdef
runs=$XDG_STATE_HOME/rondo/runs
BASE=http://127.0.0.1:$("$SOURCE/tests/lib/server" -d "$SHARNESS_TEST_SRCDIR/t1800/replies" log \
	3>&- 4>&- 5>&-)
cleanup "kill $(cat log.pid)"

# ask SCENE OPTION...: rondo fix in tiny, with a model that replies as in the scene; in out and err.
ask() {
	scene=$1 && shift && rm -rf "$XDG_STATE_HOME" &&
		(cd tiny && OPENAI_BASE_URL=$BASE/$scene fix --model openai/x "$@" >../out 2>../err)
}

# asked SCENE: how many requests there were.
asked() {
	grep -c "\"scene\": \"$1\"" log || :
}

# rows FIELD...: of report.json, a line an attempt.
rows() {
	python3 - "$(echo "$runs"/*/report.json)" "$@" <<-\EOF
	import json, sys
	for row in json.load(open(sys.argv[1]))["attempts"]:
	    print(*(row.get(name, "-") for name in sys.argv[2:]))
	EOF
}

# leaves_nothing: neither a checkout nor a branch of a loser, and no more than one branch.
leaves_nothing() {
	test -z "$(ls "$XDG_CACHE_HOME/rondo/work")" &&
		test "$(git -C tiny for-each-ref refs/heads/rondo | wc -l)" = "${1:-1}"
}

forget() {
	git -C tiny for-each-ref --format="%(refname:short)" refs/heads/rondo |
		xargs -r git -C tiny branch -qD
}

tiny tiny

# Whoever asks second is stopped while it waits for its model.
check SANDBOX 'the first verified fix stops the others, which leave nothing' '
	ask first --coder model --attempts 3 && grep "verified in a fresh checkout" out &&
	rows chosen outcome >rows && test $(grep -c "^True verified$" rows) = 1 &&
	test $(grep -c "^False stopped$" rows) = 2 && leaves_nothing &&
	test $(grep -c "^. attempt [123]   stopped$" out) = 2 &&
	grep "^. attempt [123]   verified$" out && grep -E "^[123]: coder +shapes.py" out &&
	test $(asked first) -le 3 &&
	cd tiny && passes_in_clone "make -s check" && test 1 = $(git log --format=%B "$(the_branch)" |
		grep -c "^Rondo-Run: ")
'

check 'the table is in report.json, report.md, on the screen and in rondo show' '
	"$RONDO" show >shown && grep -A3 "^   attempts " out >table && test $(wc -l <table) = 4 &&
	grep -A3 "^   attempts " shown >again && test_cmp table again &&
	grep "^## Attempts (select: first)$" "$runs"/*/report.md &&
	test $(grep -cE "^\| [123]( \(chosen\))? \| (verified|stopped) \| " "$runs"/*/report.md) = 3 &&
	rows attempt temperature >actual && printf "1 -\n2 0.4\n3 0.7\n" >expected &&
	test_cmp expected actual && "$RONDO" list runs | grep "openai/x, 3 attempts" &&
	"$RONDO" show --timeline >times && grep "attempt [123]: verified$" times &&
	test $(grep -c "attempt [123]: " times) = 3 && ! grep "did not end" times &&
	/usr/bin/python3 "$SOURCE/tests/lib/report-schema" "$RONDO" verified "$runs"/*/report.json
'

check 'each attempt has a temperature of its own, where none is named' '
	python3 - <<-\EOF >actual && printf "None\n0.4\n0.7\n" >expected && test_cmp expected actual
	import json
	asked = [json.loads(line) for line in open("log")]
	said = {request["body"].get("temperature") for request in asked if request["scene"] == "first"}
	print("\n".join(sorted(map(str, said), key=lambda one: (one != "None", one))))
	EOF
'

check 'one that a scenario names holds for all' '
	cat >named.yaml <<-EOF && rm -rf "$XDG_STATE_HOME" &&
	models: {m: {openai: {model: x, temperature: 0.5, base_url: "$BASE/same"}}}
	agents: {coder: {type: coder, model: m}, executor: executor, tester: tester}
	team: {participants: [coder, executor, tester], termination: tests_pass}
	workspace: {repo: tiny}
	executor: $EXECUTOR
	attempts: 2
	EOF
	forget && "$RONDO" run named.yaml >out && rows temperature >actual &&
	printf "0.5\n0.5\n" >expected && test_cmp expected actual
'

check 'a model that takes no temperature is asked again without, and once' '
	forget && ask cold --coder model --attempts 2 -s attempts.parallel=1 --select all &&
	grep "verified in a fresh checkout" out && rows outcome >actual &&
	printf "verified\nverified\n" >expected || { cat out err; exit 1; }
'

check SANDBOX 'smallest: all are awaited, and the smallest diff counts' '
	forget && ask sizes --coder model --attempts 3 --select smallest &&
	grep "^+    return width \* height$" "$runs"/*/patch.diff &&
	rows chosen outcome lines | sort >actual &&
	printf "%s\n" "False verified 5" "False verified 6" "True verified 2" >expected &&
	test_cmp expected actual && leaves_nothing
'

check SANDBOX 'all: a branch each' '
	forget && ask sizes --coder model --attempts 2 --select all --branch mine &&
	git -C tiny for-each-ref --format="%(refname:short)" refs/heads/mine* >branches &&
	printf "mine-1\nmine-2\n" >expected && test_cmp expected branches &&
	for branch in mine-1 mine-2; do
		git -C tiny log -1 --format=%B $branch | grep "^Rondo-Run: " || exit 1
	done &&
	rows branch >actual && test_cmp expected actual && git -C tiny branch -qD mine-1 mine-2
'

check SANDBOX 'all: a name that is taken is refused before anything is run' '
	git -C tiny branch mine-2 && before=$(asked same) &&
	test_expect_code 2 ask same --coder model --attempts 2 --select all --branch mine &&
	grep "mine-2" err && test "$before" = "$(asked same)" && git -C tiny branch -D mine-2
'

check SANDBOX 'agreed: two that are alike count more than a smaller or earlier one' '
	forget && ask agreed --coder model --attempts 3 --select agreed &&
	grep "^+    return width \* height$" "$runs"/*/patch.diff &&
	rows chosen outcome alike | sort >actual &&
	printf "%s\n" "False verified 1" "False verified 2" "True verified 2" >expected &&
	test_cmp expected actual && leaves_nothing
'

# In copies of the test with other values the one fails, and the other two say the same.
check SANDBOX 'agreed: other texts that behave alike are alike' '
	mkdir units && cd units && git init -q &&
	printf "%s\n" "def area(width, height):" "    return width + height" >shapes.py &&
	printf "%s\n" "import unittest" "from shapes import area" "" "" \
		"class Shapes(unittest.TestCase):" "    def test_area(self):" \
		"        self.assertEqual(area(3, 5), 15)" >test_shapes.py && commit_all && cd .. &&
	mv tiny aside && mv units tiny && {
		ask alike --coder model --attempts 3 --select agreed --test "python3 -m unittest -v"
		code=$?
		mv tiny units && mv aside tiny
	} && test $code = 0 && grep "^+    result = height \* width$" "$runs"/*/patch.diff &&
	rows chosen outcome alike | sort >actual &&
	printf "%s\n" "False verified 1" "False verified 2" "True verified 2" >expected &&
	test_cmp expected actual
'

check 'where none is verified, the run is not fixed, and each says why' '
	forget && test_expect_code 1 ask none --coder model --attempts 2 &&
	grep "not fixed: 1 of 1 goal test still fails" out &&
	rows outcome >actual && printf "not_fixed\nnot_fixed\n" >expected && test_cmp expected actual &&
	test $(grep -c "^. attempt [12]   not_fixed: " out) = 2 && leaves_nothing 0
'

check SANDBOX 'a model that fails for one attempt does not fail the run' '
	ask refused --coder model --attempts 2 --select smallest &&
	rows chosen outcome | sort >actual && printf "False error\nTrue verified\n" >expected &&
	test_cmp expected actual &&
	grep "^. attempt [12]   error: .*model openai/x: .*no such model" out
'

check 'where it fails for all, the error is the first one'"'"'s' '
	forget && test_expect_code 2 ask gone --coder model --attempts 2 &&
	grep "^rondo: attempt 1: .*no such model" err && leaves_nothing 0
'

check 'what repair fixes costs no request' '
	ask puzzle --attempts 3 --limit repair=5m >out &&
	test -z "$(grep "\"scene\": \"puzzle\"" log)" &&
	rows outcome turns >actual && head -n 1 actual | grep "^verified [1-9]" &&
	test "$(tail -n 2 actual)" = "$(printf "not started 0\nnot started 0")" ||
		{ cat actual out; exit 1; }
'

check 'the budget is that of all: it ends them, and says so' '
	forget && test_expect_code 1 ask none --coder model --attempts 3 --limit tokens=1000 &&
	rows outcome >actual && ! grep -v not_fixed actual &&
	grep "tokens are spent.*, and the next call would take about" out &&
	python3 - "$(echo "$runs"/*/report.json)" <<-\EOF
	import json, sys
	report = json.load(open(sys.argv[1]))
	rows = sum(row["tokens"] for row in report["attempts"])
	assert rows == report["usage"]["total_tokens"] <= 1000, (rows, report["usage"])
	EOF
'

check 'the time limit is that of all: it ends them, and what there is is judged' '
	forget && test_expect_code 1 ask away --coder model --attempts 3 --limit time=15s &&
	rows outcome >actual && printf "not_fixed\nnot_fixed\nnot_fixed\n" >expected &&
	test_cmp expected actual && grep "the time limit of the run is over" out && leaves_nothing 0
'

check 'a dry run says how many there would be' '
	ask same --attempts 3 --select smallest --dry-run && grep "; attempts 3, select smallest" out &&
	! test -e "$XDG_STATE_HOME"
'

check 'without a model all would be alike: one is made, and it is said' '
	(cd tiny && rm -rf "$XDG_STATE_HOME" && fix --attempts 3 >../out) &&
	grep "^! nobody in the team asks a model, so all attempts would be alike: one is made$" out &&
	test -e "$runs"/*/attempts/1/journal.jsonl && ! test -e "$runs"/*/attempts/2 && forget
'

check 'where nothing fails, no attempt is made' '
	cp -R tiny green && cd green && sed -i "s/width + height/width * height/" shapes.py &&
	fix --model openai/x --coder model --attempts 2 -s test.repeat=3 >../out && cd .. &&
	grep "nothing to fix: 2 of 2 passed, each time$" out
'

check 'wrong numbers and words are refused, and a team that no suite judges' '
	test_expect_code 2 ask same --attempts 0 &&
	grep "^rondo: option .--attempts.: attempts must be between 1 and 64, found .0.$" err &&
	test_expect_code 2 ask same --attempts 65 && grep "between 1 and 64, found .65." err &&
	test_expect_code 2 ask same --attempts 2 --select best &&
	grep "^rondo: option .--select.: select must be one of first, smallest, agreed, all, found" \
		err &&
	cat >talk.yaml <<-\EOF &&
	task: Talk.
	models: {m: {replay: {replies: [a, b]}}}
	agents: {a: {type: coder, model: m}}
	team: {participants: [a], max_turns: 1}
	attempts: 2
	EOF
	test_expect_code 2 "$RONDO" run talk.yaml 2>err &&
	grep "^rondo: attempts are 2, and no suite says which is right$" err &&
	sed "/^models/d; /^models:/d" named.yaml >records.yaml &&
	echo "models: {m: {record: {model: openai/x, file: tape}}}" >>records.yaml &&
	test_expect_code 2 "$RONDO" run records.yaml 2>err &&
	grep "^rondo: model .m. records into one file, and attempts are 2$" err
'

# stopped_at SIGNAL PATTERN OPTION...: a run of three attempts that gets it when it prints that.
stopped_at() {
	signal=$1 pattern=$2 && shift 2 && rm -rf "$XDG_STATE_HOME" &&
		(cd tiny && OPENAI_BASE_URL=$BASE/slow cut_at "$pattern" "$signal" \
			env --default-signal=INT "$RONDO" fix --executor "$EXECUTOR" --json \
			--model openai/x --attempts 3 "$@") 2>err
}
killed_at() {
	stopped_at KILL "$@"
}

# The server may read after the kill what was sent before: what is asked then has another scene.
resume() {
	OPENAI_BASE_URL=$BASE/again timeout 300 "$RONDO" resume >out 2>err
}

for point in '"type":"baseline"' '"type":"model.request"' '"type":"model.reply"' \
	'"attempt":2,"turn":2' '"type":"stop"' '"type":"verdict"' '"type":"attempt"'; do
	check SANDBOX "killed at $point, all of them go on, and no reply is paid for twice" '
		before=$(asked again) && killed_at '"'$point'"' --coder model --select smallest &&
		known=$(cat "$runs"/*/attempts/*/journal.jsonl | grep -c "\"type\":\"model.reply\"" || :) &&
		resume && grep "verified in a fresh checkout" out &&
		test $(($(asked again) - before)) = $((3 - known)) &&
		rows outcome >actual && printf "verified\nverified\nverified\n" >expected &&
		test_cmp expected actual && rows chosen >actual && test 1 = "$(grep -c True actual)" &&
		leaves_nothing && forget || { cat out err; exit 1; }
	'
done

# It may have ended before the signal came.
check SANDBOX 'killed when the first one was verified: it stays the result, and nobody is asked' '
	killed_at "\"type\":\"attempt\".*verified" --coder model && before=$(asked again) &&
	if resume; then
		grep "verified in a fresh checkout" out
	else
		grep "has ended: verified" err && "$RONDO" gc
	fi && test "$before" = "$(asked again)" && rows outcome | grep -c "^verified$" >n &&
	test "$(cat n)" = 1 && leaves_nothing && forget
'

# The second one has the row, and the first, whose search the others wait for, has none.
check SANDBOX 'one that was verified is judged once more, whatever became of those before it' '
	row="\"attempt\":2,\"outcome\":\"verified\",\"tree\":\"0\"" &&
	killed_at "\"type\":\"baseline\"" && journal=$(echo "$runs"/*/journal.jsonl) &&
	tail -n 1 "$journal" | sed "s/pt\":0/pt\":2/
		s/\"type\":.*/\"type\":\"attempt\",\"data\":{$row}}/" >row && cat row >>"$journal" &&
	resume && rows chosen outcome >actual && grep "^True verified$" actual &&
	leaves_nothing && forget || { cat out err; exit 1; }
'

check SANDBOX 'SIGINT stops all, and resume continues all' '
	forget && stopped_at INT "\"type\":\"model.request\"" --coder model --select smallest >code &&
	test "$(cat code)" = 130 && leaves_nothing 0 && resume && rows outcome >actual &&
	printf "verified\nverified\nverified\n" >expected && test_cmp expected actual
'

test_done
