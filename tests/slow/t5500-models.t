#!/bin/sh
test_description='models: servers and clients that others wrote'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/node_modules.sh"

export OPENAI_API_KEY=sk-planted-0123456789abcdef ANTHROPIC_API_KEY=sk-planted-9876543210fedcba
if command -v npm >/dev/null; then
	install peers openai @anthropic-ai/sdk @copilotkit/aimock
fi

check peers 'the official clients read what the server of the tests says, in each dialect' '
	printf "scene scene\nsay A word for strangers.\n" >script &&
	port=$("$SOURCE/tests/lib/server" -d script log 3>&- 4>&- 5>&-) && cleanup "kill $(cat log.pid)" &&
	cp "$SOURCE/tests/slow/t5500/client.mjs" peers && (cd peers && node client.mjs "$port") >said &&
	cat >expected <<-\EOF && test_cmp expected said
	chat: A word for strangers. 18
	chat stream: A word for strangers.
	messages: A word for strangers. end_turn 7
	messages stream: A word for strangers. end_turn 7
	responses: A word for strangers. completed 18
	responses stream: A word for strangers.
	EOF
'

# mock: @copilotkit/aimock with what it answers, at $base.
mock() {
	mkdir -p fixtures && python3 -c "
import json
busy = {\"error\": {\"message\": \"Overloaded\", \"type\": \"overloaded_error\"}, \"status\": 529}
said = [{\"match\": {\"userMessage\": \"talk\"}, \"response\": {\"content\": \"The answer. DONE\"}}]
for name in \"openai\", \"openai_responses\", \"anthropic\":
    match = {\"userMessage\": f\"fail for {name}.\"}
    again = {\"content\": \"The second try. DONE\"}
    said += [{\"match\": {**match, \"sequenceIndex\": 0}, \"response\": busy},
             {\"match\": {**match, \"sequenceIndex\": 1}, \"response\": again}]
print(json.dumps({\"fixtures\": said}))
" >fixtures/all.json || return 1
	peers/node_modules/.bin/llmock -p 0 -f fixtures -c 5 >mock.log 2>&1 3>&- 4>&- 5>&- &
	cleanup "kill $!" && await "grep -q listening mock.log" &&
		base=$(sed -n "s/.*listening on \(http[^ ]*\).*/\1/p" mock.log)
}

check peers 'rondo reads what aimock says in each dialect, piece by piece, and asks again' '
	mock && for provider in openai openai_responses anthropic; do
		for task in talk "fail for $provider."; do
			cat >chat.yaml <<-EOF &&
			task: $task
			models: {m: {provider: $provider, model: gpt-5-mini, base_url: $base/v1}}
			agents: {coder: {type: coder, model: m}}
			team: {participants: [coder], termination: {text_mention: DONE}}
			EOF
			"$RONDO" run --json --stream on chat.yaml >out &&
			grep "\"model.reply\".*\"text\":\"The [a-z ]*. DONE\"" out &&
			test "$(grep -c "\"type\":\"chunk\"" out)" -gt 2 || exit 1
		done
	done
'

test_done
