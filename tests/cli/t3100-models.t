#!/bin/sh
test_description='rondo fix --model and models of scenarios, with a real HTTP server'
. "$(dirname "$0")/lib.sh"

KEY=sk-planted-0123456789abcdef
export OPENAI_API_KEY=$KEY
scenes=$SHARNESS_TEST_SRCDIR/t3100/replies
BASE=http://127.0.0.1:$("$SOURCE/tests/lib/server" -d "$scenes" log 3>&- 4>&- 5>&-)
cleanup "kill $(cat log.pid)"

# ask SCENE OPTION...: rondo fix with a model that replies as in the scene.
ask() {
	scene=$1 && shift && OPENAI_BASE_URL=$BASE/$scene fix --model openai/x "$@"
}

# sent SCENE [N]: the messages in all requests of a scene, or in the Nth.
sent() {
	python3 - "$HOME/log" "$@" <<-\EOF
	import json, sys
	for line in open(sys.argv[1]):
	    request = json.loads(line)
	    if request["scene"] == sys.argv[2] and sys.argv[3:] in ([], [str(request["number"])]):
	        print("request", request["number"], "connection", request["connection"])
	        for message in request["body"]["messages"]:
	            print(f"<{message['role']}>", message["content"])
	EOF
}

tiny tiny

for form in search diff whole named; do
	check "an edit as $form becomes a verified branch" '
		cd tiny && ask '$form' --coder model --branch '$form' >../out 2>../err &&
		grep "coder       openai/x" ../out &&
		grep "! what openai/x costs is unknown, so the limit of 3 USD does not hold for it: \
give its .price." ../out &&
		grep "verified in a fresh checkout: 2 of 2 passed (was 1)" ../out &&
		git diff main '$form' >../diff && grep "^+    return width \* height$" ../diff &&
		test $(grep -c "^[-+][^-+]" ../diff) = 2 &&
		git log -1 --format=%B '$form' | grep -A1 "^Rondo-Model: openai/x$" |
			grep "^Rondo-Cost: unknown (18 tokens)$"
	'
done

check 'one file: a whole program in a fence is its new text (20, wrong 2)' '
	mkdir alone && printf "%s\n" "def area(width, height):" "    return width + height" "" "" \
		"assert area(3, 5) == 15" >alone/shape.py &&
	(cd alone && ask program shape.py --coder model >../out) &&
	grep "^     + *return width \* height$" out && test $(sent program | grep -c "^request") = 1
'

check 'a request has the failing tests, their messages and the files, and the key in its header' '
	sent search >messages && grep "^request" messages >requests && test $(wc -l <requests) = 1 &&
	grep "^<system> You are the coder" messages &&
	grep "^- area: found 8, expected 15$" messages &&
	grep "^Files of the repository: Makefile shapes.py tests/run.py$" messages &&
	grep "^    return width + height$" messages &&
	grep -o "\"authorization\": \"Bearer $KEY\"" log >keys &&
	test $(grep -c "" keys) = $(grep -c "" log) &&
	sed "s/\"authorization\": \"Bearer $KEY\"//" log >rest && ! grep "$KEY" rest
'

# Two thousand functions, half of them on each side, and as many files.
check 'of a long file and many files it is shown what the test runs, and the test' '
	tiny large && cd large && mkdir many && sed -n 4,7p shapes.py >rest && sed -i 3,7d shapes.py &&
	for side in a b; do
		seq 1000 | sed "s/.*/def ${side}_&(x):\n    return x + &\n\n/" >$side || exit 1
	done && cat a shapes.py b rest >all && mv all shapes.py && rm a b rest &&
	for i in $(seq 500); do echo "def of_$i(): pass" >many/m$i.py; done && commit_all large &&
	ask large --coder model >../out && cd .. && grep "verified in a fresh checkout" out &&
	sent large >messages &&
	grep "^shapes.py (lines [0-9]* to [0-9]* of [0-9]*)$" messages &&
	grep -A1 "^def area(width, height):$" messages | grep "^    return width + height$" &&
	grep "^test(1, .area., area(3, 5), 15)$" messages &&
	grep "^tests/run.py (protected)$" messages && grep "^The repository, nearest to" messages &&
	grep "^and [1-9][0-9]* more files$" messages && ! grep "return x + 900$" messages &&
	test $(wc -c <messages) -lt 20000
'

check 'each mistake is reported to the model and not applied, over one connection' '
	cd tiny && ask long --coder model --branch long >../out && cd .. &&
	git -C tiny diff --exit-code search long && ! test -e outside.py &&
	! test -e cache/rondo/outside.py &&
	sent long >messages &&
	for report in 2:"Nothing has come of your last message: it held no edit" \
		3:"Code output: 2:    return width + height" \
		4:"- block 1, search 1, shapes.py: the lines to replace are not in the file. \
The nearest are" \
		4:"    2 |     return width + height" \
		5:"<user> Your last reply was cut off by the limit of tokens" \
		6:"- block 1: .../outside.py. leaves the tree" \
		7:"tests/run.py is protected: judged without its change" \
		7:"The same tests fail in the same way as before" 8:"# found -2, expected 15"; do
		n=${report%%:*} &&
		sed "1,/^request $n /d; /^request/,\$d" messages | grep "^${report#*:}" >/dev/null &&
		! sed "/^request $n /,\$d" messages | grep "^${report#*:}" || { echo "$report"; exit 1; }
	done && grep "TESTS PASS  2 of 2 passed" out &&
	sed -n "s/^request [0-9]* //p" messages >connections &&
	test $(wc -l <connections) = 8 && test $(uniq connections | wc -l) = 1
'

check 'a file of keys says where its own keys go, and no others (20, wrong 7)' '
	cat >talk.yaml <<-\EOF && printf "%s\n" "OPENAI_API_KEY=sk-of-the-file-123456" \
		"OPENAI_BASE_URL=$BASE/talk" >.env && chmod 600 .env &&
	task: Say something.
	agents: {a: {type: coder, model: openai/x}}
	team: {participants: [a], max_turns: 1}
	EOF
	(unset OPENAI_API_KEY && test_expect_code 1 "$RONDO" run talk.yaml >out) &&
	grep "^Good morning.$" out && grep "sk-of-the-file" log >/dev/null &&
	OPENAI_BASE_URL=$BASE/talk2 test_expect_code 1 "$RONDO" run talk.yaml >out && rm .env &&
	test $(sent talk | grep -c "^request") = 1 && test $(sent talk2 | grep -c "^request") = 1 &&
	grep "\"talk2\"" log | grep "Bearer $KEY" >/dev/null
'

check 'a bug that repair fixes costs no request' '
	cd tiny && ask puzzle --branch free --limit repair=5m >../out &&
	grep "coder       repair, then openai/x" ../out &&
	test -z "$(sent puzzle)" && git diff --exit-code search free &&
	git log -1 --format=%B free | grep "^Rondo-Model: none (repair)$"
'

check LONG 'the model gets what repair cannot fix, and what repair learnt' '
	tiny puzzle && cd puzzle && sed -i "s/15/52/" tests/run.py && commit_all puzzle &&
	ask puzzle --limit repair=1s >../out &&
	grep "repair gave up after [0-9]* candidates.* openai/x continues" ../out &&
	sent puzzle 1 >../messages &&
	grep "^repair: gave up after [0-9]* candidates: its time is over" ../messages &&
	grep "^Lines it suspects, likeliest first: shapes.py:1, shapes.py:2" ../messages &&
	! grep "candidates, likeliest" ../messages &&
	git log -1 --format=%B "$(the_branch)" | grep -A1 "^Rondo-Model: openai/x$" |
		grep "(18 tokens)$"
'

check 'a model gives up, and the run says why' '
	cd tiny &&
	for try in "refusal:nothing came of 3 replies in a row; the last said: the model refused: \
I cannot help" \
		"misfits:5 replies in a row could not be applied; of the last: block 1, search 1, \
shapes.py: the lines" \
		"cut:the limit of tokens cut off 3 replies in a row"; do
		test_expect_code 1 ask ${try%%:*} --coder model >../out &&
		grep "^   why      gave up: ${try#*:}" ../out || exit 1
	done
'

check 'a limit of tokens or money stops the run before the call that would exceed it' '
	mkdir -p .config/rondo && cat >.config/rondo/config.yaml <<-\EOF &&
	models: {priced: {provider: openai, model: x, price: {input: 100, output: 100}}}
	EOF
	cd tiny && test_expect_code 1 ask wrong --coder model --limit tokens=700 --quiet >../out &&
	grep "why      18 of 700 tokens are spent, and the next call would take about [0-9]*$" ../out &&
	test_expect_code 1 ask wrong --coder model --model priced --limit cost=0.07 --quiet >../out &&
	grep "why      0.0018 of 0.07 USD are spent, and the next call would take about 0.0" ../out &&
	sent wrong | grep "^request" >../requests && test $(wc -l <../requests) = 2 &&
	grep "^   model    priced: 1 call, 11 tokens in, 7 out, 0.0018 USD$" ../out &&
	grep -h "\"cost_usd\"" ../state/rondo/runs/*/report.json >../costs &&
	grep "0.0018," ../costs && grep "\"unknown\"," ../costs &&
	grep -l "\"model\":	\"priced\"" ../state/rondo/runs/*/report.json &&
	grep -h "^- models priced: 18 tokens, 0.0018 USD$" ../state/rondo/runs/*/report.md
'

check 'an interrupt in the middle of a reply: exit code 130, the change so far is kept' '
	tiny hangs && cd hangs && fingerprint >../before &&
	{ OPENAI_BASE_URL=$BASE/hangs env --default-signal=INT "$RONDO" fix --executor "$EXECUTOR" \
		--coder model --model openai/x >../out 2>../err & pid=$!; } &&
	await "grep -q \"\\\"scene\\\": \\\"hangs\\\", \\\"number\\\": 2\" ../log" &&
	kill -s INT $pid && { wait $pid; code=$?; } && test $code = 130 && fingerprint >../after &&
	test_cmp ../before ../after &&
	patch=$(sed -n "s/^  help  the change so far, not judged, is kept in \(.*\); \
rondo resume continues it$/\1/p" ../err) &&
	grep "^+    return width - height$" "$patch" && test -z "$(ls ../cache/rondo/work)" &&
	tail -1 "$(dirname "$patch")/attempts/1/journal.jsonl" |
		grep "\"event\":\"run.end\"\|\"type\":\"run.end\""
'

cat >recorded.yaml <<-\EOF
	task: Make the failing tests pass.
	models:
	  real: {provider: openai, model: x}
	  tape: {provider: record, model: real, file: tape.jsonl}
	agents:
	  coder: {type: coder, model: tape, history: 1}
	  executor: executor
	  tester: tester
	team: {participants: [coder, executor, tester], termination: tests_pass}
	workspace: {repo: tiny}
EOF

# said FILE: the messages in what --json printed; logs are each run's own.
said() {
	python3 -c 'import json, sys
for line in open(sys.argv[1]):
    event = json.loads(line)
    if event["type"] == "message":
        print(*[event["message"][key] for key in ("source", "type", "content")])' "$1" |
	sed "/^full log: /d"
}

check 'a recorded run is replayed without a server, with the same messages' '
	OPENAI_BASE_URL=$BASE/long2 "$RONDO" run recorded.yaml --executor "$EXECUTOR" --json \
		-s output.branch=recorded >recorded && test $(wc -l <tape.jsonl) = 8 &&
	sed "/real:/d; s/provider: record, model: real/provider: replay/" recorded.yaml \
		>replayed.yaml &&
	unset OPENAI_API_KEY &&
	"$RONDO" run replayed.yaml --executor "$EXECUTOR" --json -s output.branch=replayed >replayed &&
	said recorded >one && said replayed >two && test_cmp one two && test $(wc -l <one) -gt 20 &&
	git -C tiny diff --exit-code recorded replayed &&
	sent long2 8 | grep "^.an old output, left out.$"
'

check 'a missing reply is an error, and the run is kept' '
	head -6 tape.jsonl >short.jsonl &&
	test_expect_code 2 "$RONDO" run replayed.yaml --executor "$EXECUTOR" --quiet \
		-s models.tape.file=short.jsonl 2>err &&
	grep "^rondo: agent .coder.: model tape: it has 6 replies, and one more is asked for$" err &&
	"$RONDO" show | grep "^---------- tester ----------$"
'

check 'a recording is never overwritten' '
	test_expect_code 2 "$RONDO" run recorded.yaml --executor "$EXECUTOR" --quiet 2>err &&
	grep "^rondo: agent .coder.: model tape: .tape.jsonl. holds a recording already$" err &&
	grep "^  help  name another file, or remove it: rm tape.jsonl$" err &&
	test $(wc -l <tape.jsonl) = 8
'

# A version manager and a suite that print their environment.
mkdir -p .pyenv/shims .pyenv/bin
printf '#!/bin/sh\nenv >>"%s/asked"\necho /usr/bin/true\n' "$HOME" >.pyenv/bin/pyenv
printf '#!/bin/sh\n' >.pyenv/shims/cc
chmod +x .pyenv/bin/pyenv .pyenv/shims/cc

for executor in "$EXECUTOR" local; do
	check "a key that the model repeats is stored nowhere, and no program sees it ($executor)" '
		rm -rf asked leak && tiny leak && cd leak &&
		sed -i "1i import os; print(\"#\", dict(os.environ))" tests/run.py &&
		commit_all dump && PATH=$HOME/.pyenv/shims:$HOME/.pyenv/bin:/usr/bin:/bin && export PATH &&
		ask leak-'$executor' --coder model --executor '$executor' --json \
			--log-file ../'$executor'.log >../leak.json &&
		grep "I was given .OPENAI_API_KEY.\. What else is there?" ../leak.json &&
		grep "CI=1" ../leak.json &&
		grep "^PATH=" ../asked && ! git log -p --all | grep "$KEY"
	'
done

check 'no file and no output has the key' '
	rm -f rest && ! grep -rl "$KEY" . --exclude=log --exclude=keys
'

# told FILE: what an event or a report says that is the same in each run.
told() {
	sed "s/[0-9]\{8\}-[0-9]\{6\}-[0-9a-f]\{4\}/RUN/g; s/live/played/g" "$1" | python3 -c "
import json, re, sys
for line in sys.stdin:
    event = json.loads(line)
    if event[\"type\"] in (\"message\", \"turn.end\", \"stop\", \"model.reply\"):
        text = json.dumps(event, sort_keys=True)
        text = re.sub(r\"(created_at_ms|duration_ms|ms)\\\": [0-9]+\", \"\", text)
        text = re.sub(r\"make: [Ww]arning.*?\\\\n\", \"\", text)
        print(re.sub(r\"[0-9.]+ m?s\\b\", \"TIME\", text))
"
}

for provider in openai openai_responses anthropic; do
	check "a run that was recorded in the dialect of $provider is replayed the same" '
		export ANTHROPIC_API_KEY=$KEY && repo=recorded-'$provider' && tiny $repo &&
		mkdir -p .config/rondo && cat >.config/rondo/config.yaml <<-EOF &&
		models:
		  asked: {provider: '$provider', model: x, base_url: "$BASE/search"}
		  live: {provider: record, model: asked, file: $HOME/$repo.tape}
		  played: {provider: replay, file: $HOME/$repo.tape, match: strict}
		EOF
		cd $repo && for model in live played; do
			fix --json --coder model --model $model --branch $model >../$model || exit 1
		done && git diff --exit-code live played && git diff main live >../diff && cd .. &&
		grep "^+    return width \* height$" diff && told live >first && told played >second &&
		test "$(wc -l <first)" -gt 4 && test_cmp first second && ! grep "$KEY" $repo.tape &&
		rm .config/rondo/config.yaml
	'
done

check 'doctor asks a model one short question, and says what works' '
	OPENAI_BASE_URL=$BASE/search "$RONDO" doctor --model openai/x >out &&
	grep "^✓ model      openai/x answered in " out && grep "^✓ streaming  the first words" out &&
	grep "^✓ usage      11 tokens in, 7 out: its price is not known" out &&
	grep "^· cache      whether the server has a cache" out &&
	grep "^· context    how many tokens it can read is not" out &&
	OPENAI_BASE_URL=http://127.0.0.1:1/v1 test_expect_code 3 "$RONDO" doctor --json \
		--model "openai/x" >out && grep "\"works\":false.*Connection refused" out &&
	test_expect_code 2 "$RONDO" doctor . --model openai/x 2>err &&
	grep "takes a directory or --model, not both" err &&
	(unset OPENAI_API_KEY && test_expect_code 2 "$RONDO" doctor --model openai/x 2>err) &&
	grep "OPENAI_API_KEY is not set, and https://api.openai.com/v1 wants a key" err
'

test_done
