#!/bin/sh
test_description='models: servers and clients that others wrote'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/node_modules.sh"

export OPENAI_API_KEY=sk-planted-0123456789abcdef ANTHROPIC_API_KEY=sk-planted-9876543210fedcba
if command -v npm >/dev/null; then
	install peers openai @anthropic-ai/sdk @copilotkit/aimock
fi

# Packaged since Debian 14.
command -v llama-server >/dev/null && test_set_prereq LLAMA

# llama: llama.cpp's server with random weights, two slots of 2,048 tokens, at $base.
llama() {
	"$SOURCE/tests/slow/t5500/tiny_model.py" tiny.gguf &&
		port=$(python3 -c "import socket
s = socket.socket()
s.bind((\"127.0.0.1\", 0))
print(s.getsockname()[1])") && base=http://127.0.0.1:$port || return 1
	llama-server -m "$PWD/tiny.gguf" --host 127.0.0.1 --port "$port" -c 4096 -np 2 --no-jinja \
		>llama.log 2>&1 3>&- 4>&- 5>&- &
	server=$! && trap 'kill $server' EXIT && await "grep -q listening llama.log"
}

check LLAMA 'llama.cpp: chats of several turns in each dialect; its context is known, and kept to' '
	llama && for provider in anthropic openai openai_responses; do
		cat >chat.yaml <<-EOF &&
		task: Say something.
		models: {m: {provider: $provider, model: tiny, base_url: $base/v1, max_tokens: 40}}
		agents: {coder: {type: coder, model: m, edit_format: none}}
		team: {participants: [coder], max_turns: 3}
		EOF
		test_expect_code 1 "$RONDO" run --json chat.yaml >out &&
		test "$(grep -c "\"model.reply\"" out)" -gt 1 && grep "\"prompt_tokens\":[1-9]" out &&
		mkdir -p .config/rondo && echo "$(sed -n 2p chat.yaml)" >.config/rondo/config.yaml &&
		"$RONDO" doctor --model m >out && grep "it reads 2048 tokens at most" out &&
		sed "s/Say something/$(head -c 9000 /dev/zero | tr "\0" x)/" chat.yaml >long.yaml &&
		test_expect_code 2 "$RONDO" run long.yaml 2>err &&
		grep "HTTP 400 (exceed_context_size_error" err || exit 1
	done && rm .config/rondo/config.yaml
'

check peers 'the official clients read what the server of the tests says, in each dialect' '
	printf "scene scene\nsay A word for strangers.\n" >script &&
	port=$("$SOURCE/tests/lib/server" -d script log 3>&- 4>&- 5>&-) &&
	trap "kill \$(cat log.pid)" EXIT &&
	cp "$SOURCE/tests/slow/t5500/client.mjs" peers && base=http://127.0.0.1:$port/scene &&
	(cd peers && node client.mjs "$base" "$base") >said &&
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
	server=$! && trap 'kill $server' EXIT && await "grep -q listening mock.log" &&
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
