#!/bin/sh
test_description='models that are wrong, missing, down or broken: exit codes and exact words'
. "$(dirname "$0")/lib.sh"

export OPENAI_API_KEY=sk-planted-0123456789abcdef
scenes=$SHARNESS_TEST_SRCDIR/t3110/replies
URL=http://127.0.0.1:$("$SOURCE/tests/lib/server" -d "$scenes" log 3>&- 4>&- 5>&-)
cleanup "kill $(cat log.pid)"

cat >chat.yaml <<-\EOF
	task: Say something.
	models: {m: {provider: openai, model: x, retries: 1}}
	agents: {coder: {type: coder, model: m}}
	team: {participants: [coder], max_turns: 1}
EOF

# faces SCENE CODE WORDS HELP [OPTION...]: a chat with the model of this scene ends with CODE and
# prints exactly WORDS and HELP.
faces() {
	scene=$1 code=$2 words=$3 help=$4 && shift 4 &&
		{ [ "$code" != 75 ] || help="$help; rondo resume continues it"; } &&
		printf "rondo: agent 'coder': model m: %s\n  help  %s\n" "$words" "$help" \
			>"$scene.expected" &&
		OPENAI_BASE_URL=${BASE:-$URL/$scene} test_expect_code "$code" "$RONDO" run chat.yaml \
			--executor "$EXECUTOR" "$@" >"$scene.out" 2>"$scene.err" &&
		test_cmp "$scene.expected" "$scene.err"
}

# requests SCENE: how many there were.
requests() {
	grep -c "^{\"scene\": \"$1\"" log
}

check 'a fault that the user must mend: exit code 2, and how' '
	here=$URL/401/chat/completions &&
	faces 401 2 "$here answered with HTTP 401 (invalid_api_key): Incorrect API key provided: \
[OPENAI_API_KEY]." \
		"set OPENAI_API_KEY to a key that $here accepts" &&
	here=$URL/403/chat/completions &&
	faces 403 2 "$here answered with HTTP 403: forbidden [request req-7]" \
		"set OPENAI_API_KEY to a key that $here accepts" &&
	here=$URL/404/chat/completions &&
	faces 404 2 "$here answered with HTTP 404 (model_not_found): The model \`x\` does not exist" \
		"check '\''model'\'' (x) and '\''base_url'\''" &&
	here=$URL/html/chat/completions &&
	faces html 2 "$here answered with text/html, which is no model'\''s answer: \
<html><head><title>Log in</title></head></html>" \
		"check '\''base_url'\'', and that no proxy or login page stands before it" &&
	for scene in 401 403 404 html; do test $(requests $scene) = 1 || exit 1; done
'

check 'a fault that may pass: exit code 75, after the configured number of tries' '
	here=$URL/429/chat/completions &&
	faces 429 75 "$here answered with HTTP 429 (rate_limit_error): Slow down (5 tries)" \
		"try again later" -s models.m.retries=5 &&
	faces 500 75 "$URL/500/chat/completions answered with HTTP 500: oops" "try again later" &&
	faces cut 75 "the answer broke off from ${URL#http://}: \
transfer closed with outstanding read data remaining" "try again later" &&
	faces json 75 "the answer of $URL/json/chat/completions cannot be read (1:15: not JSON): \
{\"choices\":[{\"mess" "try again later" &&
	BASE=http://127.0.0.1:1 &&
	faces nobody 75 "no answer from 127.0.0.1:1: Connection refused" "try again later" &&
	test $(requests 429) = 5 && test $(requests 500) = 1
'

check 'a run that a fault ended is kept, with its report' '
	report=$(grep -l "Connection refused" state/rondo/runs/*/report.json) &&
	grep "\"exit_code\":	75" "$report" &&
	grep "Connection refused" "$(dirname "$report")/report.md" && test -z "$(ls cache/rondo/work)"
'

check 'a stream that breaks in the middle is requested again, and its first half is dropped' '
	tiny mended && cd mended &&
	OPENAI_BASE_URL=$URL/mended fix --coder model --model openai/x >../out &&
	grep "verified in a fresh checkout" ../out && ! grep "^coder      I$" ../out &&
	test "$(cd .. && requests mended)" = 2
'

check 'a model that disappears in the middle: exit code 75, the change so far is kept' '
	tiny gone && cd gone &&
	OPENAI_BASE_URL=$URL/gone test_expect_code 75 fix --coder model --model openai/x >../out \
		2>../err &&
	grep "^rondo: agent .coder.: model openai/x: $URL/gone/chat/completions \
answered with HTTP 503 (5 tries)$" ../err &&
	patch=$(sed -n "s/^  help  try again later; the change so far, not judged, is kept in \(.*\); \
rondo resume continues it$/\1/p" ../err) &&
	grep "^+    return width - height$" "$patch" && test -z "$(the_branch)"
'

check 'unknown models are refused before anything runs' '
	tiny tiny && mkdir -p .config/rondo &&
	echo "models: {fast: {provider: openai, model: y}}" >.config/rondo/config.yaml &&
	providers=$("$RONDO" list models | grep API_KEY | cut -d" " -f1 | paste -sd,) &&
	providers=$(echo "$providers" | sed "s/,/, /g") &&
	cd tiny && for name in x openai/ nobody/x replay/x fats gemni/x; do
		near= && case $name in
		fats) near=", did you mean '\''fast'\''?" ;;
		gemni/x) near=", did you mean '\''gemini/x'\''?" ;;
		esac &&
		test_expect_code 2 fix --model $name 2>../err &&
		printf "%s\n" "rondo: unknown model '\''$name'\''$near" \
			"  help  name a model as PROVIDER/MODEL (providers: $providers), or one under \
'\''models'\'' in the configuration (fast)" \
			>../expected && test_cmp ../expected ../err &&
		test_expect_code 2 "$RONDO" doctor --model $name 2>../err &&
		test_cmp ../expected ../err || exit 1
	done &&
	test_expect_code 2 fix --coder model 2>../err &&
	grep "^rondo: the coder shall be a model, and none is named$" ../err &&
	grep "^  help  rondo fix --model openai/gpt-5-mini, or .model. in the configuration$" ../err &&
	test $(ls ../state/rondo/runs | wc -l) = $(ls -d ../state/rondo/runs/*/report.json | wc -l)
'

check 'a missing key or a wrong address is reported before the tests run' '
	cd tiny && unset OPENAI_API_KEY && ls ../state/rondo/runs >../before &&
	OPENAI_BASE_URL=https://models.invalid/v1 test_expect_code 2 fix --model openai/x >../out \
		2>../err &&
	grep "model openai/x: OPENAI_API_KEY is not set, and https://models.invalid/v1 wants a key$" \
		../err &&
	grep "^  help  set OPENAI_API_KEY in the environment or in an --env-file$" ../err &&
	! grep baseline ../out &&
	OPENAI_BASE_URL=models.invalid test_expect_code 2 fix --model openai/x 2>../err &&
	grep "model openai/x: base_url: .models.invalid. must begin with https:// or http://$" ../err &&
	ls ../state/rondo/runs >../after && test_cmp ../before ../after
'

check 'a key comes from .env beside the scenario or from --env-file; others should not read it' '
	mkdir env && cp chat.yaml env/ &&
	printf "# mine\nexport OPENAI_API_KEY=\"$OPENAI_API_KEY\" # the real one\n" >env/.env &&
	chmod 600 env/.env && key=$OPENAI_API_KEY && unset OPENAI_API_KEY &&
	export OPENAI_BASE_URL=$URL/fine &&
	test_expect_code 1 "$RONDO" run env/chat.yaml --executor "$EXECUTOR" >out &&
	test_expect_code 1 "$RONDO" run chat.yaml --executor "$EXECUTOR" --env-file env/.env >out &&
	test_expect_code 1 "$RONDO" run chat.yaml --executor "$EXECUTOR" >out &&
	grep "^{\"scene\": \"fine\"" log |
		sed "s/.*\"authorization\": \"\([^\"]*\)\".*/\1/; s/^{.*/none/" >keys &&
	printf "Bearer $key\nBearer $key\nnone\n" >expected.keys && test_cmp expected.keys keys &&
	rm keys expected.keys &&
	chmod 640 env/.env &&
	for way in "run env/chat.yaml" "run chat.yaml --env-file env/.env" \
		"fix tiny --model openai/x --env-file env/.env"; do
		{ "$RONDO" $way --executor "$EXECUTOR" || true; } >out &&
		grep "^! '\''env/.env'\'' holds keys, and others may read it (mode 640):" out || exit 1
	done && rm env/.env
'

check 'a chat that is too long is cut once, by what the server says; then the end is clear' '
	python3 -c "print(\"task:\", \"word \" * 2000)" >long.yaml &&
	sed "/^task: Say/d" chat.yaml >>long.yaml &&
	OPENAI_BASE_URL=$URL/small test_expect_code 1 "$RONDO" run long.yaml --executor "$EXECUTOR" &&
	grep "\"scene\": \"small\"" log >asked && awk "{ print length }" asked >sizes &&
	rm asked &&
	test "$(wc -l <sizes)" = 2 && test "$(tail -n 1 sizes)" -lt 3000 &&
	test "$(head -n 1 sizes)" -gt 10000 && tail -n 1 log | grep "the rest is left out" &&
	OPENAI_BASE_URL=$URL/smallest test_expect_code 2 "$RONDO" run long.yaml \
		--executor "$EXECUTOR" 2>err && test "$(requests smallest)" = 2 &&
	grep "prompt is too long: 900 tokens > 700 maximum" err &&
	grep "help  choose a model that takes more text, or a smaller task" err
'

check 'where a model fails, the next of its fallback is asked, and it is said' '
	cat >spare.yaml <<-EOF &&
	task: Say something.
	models:
	  down: {openai: {model: x, base_url: "http://127.0.0.1:1/v1", retries: 1}}
	  wrong: {openai: {model: x, base_url: "$URL/401"}}
	  spare: {replay: {replies: [Well, DONE]}}
	  m: {fallback: [down, wrong, spare]}
	agents: {coder: {type: coder, model: m}}
	team: {participants: [coder], termination: {text_mention: DONE}}
	EOF
	"$RONDO" run --json spare.yaml >out &&
	grep -c "\"notice\",\"source\":\"m\",\"text\":\"model down: .*; asking wrong\"" out >n &&
	grep -c "\"text\":\"model wrong: .* answered with HTTP 401.*; asking spare\"" out >>n &&
	printf "2\n2\n" | test_cmp - n && tail -n 1 out | grep "\"spare\":{\"calls\":2" &&
	sed "s/down, wrong, spare/down, wrong/" spare.yaml >none.yaml &&
	test_expect_code 2 "$RONDO" run none.yaml 2>err && grep "model wrong: .*HTTP 401" err &&
	sed "s/wrong, spare/m, spare/" spare.yaml >ring.yaml &&
	test_expect_code 2 "$RONDO" check ring.yaml >out &&
	grep "^ring.yaml:6:6: model .m. would ask itself$" out &&
	sed "s/coder, model: m/coder, model: r/; s/^agents/  r: {record: {model: m, file: tape}}\n&/" \
		spare.yaml >kept.yaml && test_expect_code 2 "$RONDO" run kept.yaml 2>err &&
	grep "model r: .model. must be one model, and .m. is several: record each" err
'

check 'no file and no output has the key, no program sees it, and a crash leaves no core' '
	cat >sees.yaml <<-\EOF &&
	task: Look.
	models: {m: {replay: {replies: ["```sh\nenv; cat /proc/self/limits\n```", DONE]}}}
	agents: {coder: {type: coder, model: m}, executor: executor}
	team: {participants: [coder, executor], termination: {text_mention: DONE}}
	executor: local
	EOF
	(ulimit -c unlimited 2>/dev/null; "$RONDO" run sees.yaml >seen) &&
	grep "^Max core file size *[01] " seen && grep "^PATH=" seen && ! grep sk-planted seen &&
	test -z "$(grep -rl "$OPENAI_API_KEY" . --exclude=log)"
'

test_done
