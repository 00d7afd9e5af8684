#!/bin/sh
test_description='a model that is a program: messages as JSON on its input, the reply on its output'
. "$(dirname "$0")/lib.sh"

# chat OPTIONS: a chat of one turn with such a model.
chat() {
	cat >chat.yaml <<-EOF && "$RONDO" run chat.yaml --executor "$EXECUTOR"
	task: Say hello.
	models: {mine: {provider: command, $1}}
	agents: {speaker: {type: coder, model: mine, instructions: Be brief.}}
	team: {participants: [speaker], max_turns: 1}
	EOF
}

cat >ask.py <<-\EOF
	import json, os, sys
	messages = json.load(sys.stdin)["messages"]
	roles = " ".join(message["role"] for message in messages)
	print("working", file=sys.stderr)
	keys = sorted(name for name in os.environ if "KEY" in name)
	text = f"{roles}: {messages[-1]['content'].strip()} {keys}"
	if sys.argv[1:] == ["json"]:
	    print(json.dumps({"text": text, "finish": "stop",
	                      "usage": {"prompt_tokens": 12, "completion_tokens": 3}}))
	else:
	    print(text)
EOF

check 'its output is the reply, without what it complained of and without keys' '
	{ OPENAI_API_KEY=sk-x chat "command: python3 ask.py" >out || test $? = 1; } &&
	said_by speaker >it && grep "^system user: user: Say hello. \[\]$" it && ! grep working it
'

check 'an object of JSON says what it took' '
	{ chat "command: python3 ask.py json, output: json" >out || test $? = 1; } &&
	grep "^system user: user: Say" out &&
	grep "model    mine: 1 call, 12 tokens in, 3 out, cost unknown" out
'

check 'a program that fails, says nothing that is meant, or takes too long is quoted' '
	test_expect_code 3 chat "command: \"echo no such model >&2; exit 3\"" >out 2>err &&
	grep "model mine: .echo no .* failed (exit code 3): no such model$" err &&
	test_expect_code 2 chat "command: echo hello, output: json" >out 2>err &&
	grep "model mine: .echo hello. printed no JSON" err &&
	test_expect_code 2 chat "command: \"echo {}\", output: json" >out 2>err &&
	grep "must print an object whose .text. is the reply" err &&
	test_expect_code 3 chat "command: sleep 60, timeout: 300ms" >out 2>err &&
	grep ".sleep 60. did not answer within 0.3 s" err
'

test_done
