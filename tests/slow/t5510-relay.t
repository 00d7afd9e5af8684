#!/bin/sh
test_description='the relay, from a box without a network, by the clients that agents use'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/node_modules.sh"

export RELAY_API_KEY=sk-planted-0123456789abcdef
if [ "$EXECUTOR" = sandbox ] && command -v npm >/dev/null; then
	install peers openai @anthropic-ai/sdk @google/genai
	cp "$SOURCE/tests/slow/t5500/client.mjs" "$SOURCE/tests/slow/t5510/gemini.mjs" peers
fi
set -- "$RONDO_BUILD"/executors/relay_port/*.elf
port_program=$1

# relay_to BASE_URL [LIMITS]: a relay to it at ./box/socket, with what it prints in ./relayed.
relay_to() {
	rm -rf box relay.stdin && mkfifo relay.stdin || return 1
	"$RONDO_BUILD/tests/lib/relay" "$PWD/box/socket" "$@" <relay.stdin >relayed 3>&- 4>&- 5>&- &
	relay=$! && exec 7>relay.stdin && await "grep -q ready relayed"
}

# Its input ends, and so does it.
end_relay() {
	exec 7>&- && wait "$relay"
}

# boxed COMMAND...: run it in a box whose only way out is the relay.
boxed() {
	bwrap --unshare-all --die-with-parent --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp \
		--ro-bind "$PWD/box" /tmp/box --ro-bind "$PWD/peers" /tmp/peers \
		--chdir /tmp/peers --ro-bind "$port_program" /tmp/relay_port \
		/tmp/relay_port /tmp/box/socket 0 @relay@ "$@" 7>&-
}

check peers 'the official clients read the same as without it, and all is counted' '
	printf "scene scene\nsay A word for strangers.\n" >script &&
	port=$("$SOURCE/tests/lib/server" -d script log 3>&- 4>&- 5>&-) &&
	trap "kill \$(cat log.pid)" EXIT && relay_to "http://127.0.0.1:$port/scene/v1" &&
	boxed node client.mjs @relay@/v1 @relay@ >said && end_relay &&
	cat >expected <<-\EOF && test_cmp expected said &&
	chat: A word for strangers. 18
	chat stream: A word for strangers.
	messages: A word for strangers. end_turn 7
	messages stream: A word for strangers. end_turn 7
	responses: A word for strangers. completed 18
	responses stream: A word for strangers.
	EOF
	cat >expected <<-\EOF && test_cmp expected relayed &&
	ready
	POST /v1/chat/completions test 200 tokens 11+7
	POST /v1/chat/completions test 200 tokens 11+7
	POST /v1/messages test 200 tokens 11+7
	POST /v1/messages test 200 tokens 11+7
	POST /v1/responses test 200 tokens 11+7
	POST /v1/responses test 200 tokens 11+7
	requests 6, refused 0, faults 0, tokens 66+42
	EOF
	test "$(grep -c "$RELAY_API_KEY" log)" = 6 && ! grep sk-test log
'

check peers 'so does that of Gemini' '
	cp "$SOURCE/tests/slow/t5510/gemini.script" script &&
	port=$("$SOURCE/tests/lib/server" -d script log 3>&- 4>&- 5>&-) &&
	trap "kill \$(cat log.pid)" EXIT && relay_to "http://127.0.0.1:$port" &&
	boxed node gemini.mjs @relay@ >said && end_relay &&
	printf "gemini: A word 11\ngemini stream: A word\n" | test_cmp - said &&
	cat >expected <<-\EOF && test_cmp expected relayed &&
	ready
	POST /v1beta/models/gemini-test:generateContent gemini-test 200 tokens 11+7
	POST /v1beta/models/gemini-test:streamGenerateContent gemini-test 200 tokens 9+5
	requests 2, refused 0, faults 0, tokens 20+12
	EOF
	test "$(grep -c "\"x-goog-api-key\": \"$RELAY_API_KEY\"" log)" = 2
'

check peers 'a limit is an error that clients do not try again on' '
	printf "scene scene\nsay A word.\n" >script &&
	port=$("$SOURCE/tests/lib/server" -d script log 3>&- 4>&- 5>&-) &&
	trap "kill \$(cat log.pid)" EXIT && relay_to "http://127.0.0.1:$port/scene/v1" 50 &&
	cat >peers/limit.mjs <<-\EOF &&
	import Anthropic from "@anthropic-ai/sdk";
	import OpenAI from "openai";
	const [, , url] = process.argv;
	const asked = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "x".repeat(99) }] };
	const failed = (error) => console.log(error.constructor.name, error.status, error.message);
	const openai = new OpenAI({ apiKey: "x", baseURL: url + "/v1", maxRetries: 3 });
	await openai.chat.completions.create(asked);
	await openai.chat.completions.create(asked).catch(failed);
	const anthropic = new Anthropic({ apiKey: "x", baseURL: url, maxRetries: 3 });
	await anthropic.messages.create(asked).catch(failed);
	EOF
	boxed node limit.mjs @relay@ >said && end_relay && cat said &&
	test "$(grep -c "^PermissionDeniedError 403 .*18 of 50 tokens are spent" said)" = 2 &&
	grep "^requests 1, refused 2, faults 0, tokens 11+7, exhausted$" relayed
'

check peers 'nothing else is reached from the box' '
	printf "body x\n" >script && port=$("$SOURCE/tests/lib/server" -d script log 3>&- 4>&- 5>&-) &&
	trap "kill \$(cat log.pid)" EXIT && relay_to "http://127.0.0.1:$port" &&
	boxed node -e "
		const get = (url) => fetch(url).then((r) => r.status, (e) => e.cause?.code ?? e.message);
		const [relay, direct] = process.argv.slice(1);
		Promise.all([get(direct), get(relay), get(relay + \"/v1/files\"), get(\"http://example.com/\")])
			.then((all) => console.log(all.join(\" \")));
	" @relay@ "http://127.0.0.1:$port/" >said && end_relay &&
	grep -E "^ECONNREFUSED 404 404 (EAI_AGAIN|ENOTFOUND)$" said && test ! -s log
'

test_done
