#!/bin/sh
test_description='what models write and programs print is seen as it comes (20, missing 1)'
. "$(dirname "$0")/lib.sh"

terminal="$SOURCE/tests/lib/terminal"
export OPENAI_API_KEY=sk-planted-0123456789abcdef TERM=xterm

cat >script <<\EOF
events
data {"choices":[{"index":0,"delta":{"content":"A lost beginning"}}]}
close
reply
events
data {"choices":[{"index":0,"delta":{"content":"The key sk-plan"}}]}
data {"choices":[{"index":0,"delta":{"content":"ted-0123456789abcdef is\\none of "}}]}
await go
data {"choices":[{"index":0,"delta":{"content":"two.\\nDONE"}}]}
data {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
data [DONE]
end
EOF

# serve: what m is asked, the server answers from now on.
serve() {
	base=http://127.0.0.1:$("$SOURCE/tests/lib/server" -d script log 3>&- 4>&- 5>&-) &&
	trap 'kill $(cat log.pid)' EXIT && cat >model.yaml <<-EOF
	task: talk
	models: {m: {openai: {model: x, base_url: $base/v1, price: {input: 1, output: 1}}}}
	agents: {coder: {type: coder, model: m}}
	team: {participants: [coder], termination: {text_mention: DONE}}
	EOF
}

# program CODE: a scenario in which the executor runs it.
program() {
	cat >program.yaml <<-EOF
	task: run it
	models: {m: {provider: replay, file: replies.jsonl}}
	agents: {coder: {type: coder, model: m}, executor: executor}
	executor: $EXECUTOR
	team: {participants: [coder, executor], termination: {text_mention: DONE}}
	EOF
	python3 -c "
import json, sys
for text in (\"\`\`\`python\\n\" + sys.argv[1] + \"\\n\`\`\`\", \"DONE\"):
    print(json.dumps({\"text\": text}))
" "$1" >replies.jsonl
}

# chunks FILE: what came of each stream, as the events of FILE tell it, one JSON text a line.
chunks() {
	python3 - "$1" <<-\EOF
	import json, sys
	texts = []
	for line in open(sys.argv[1]):
	    event = json.loads(line)
	    if event["type"] != "chunk":
	        continue
	    if event["data"]["at"] == 0:
	        texts.append("")
	    texts[-1] += event["text"]
	for text in texts:
	    print(json.dumps(text))
	EOF
}

# drawn: what stands on the screen at the end, in screen.
drawn() {
	python3 "$SOURCE/tests/cli/without-live-lines" seen >screen
}

check 'as events of --json, on request: a reply that broke off, then the one that counts' '
	: >go && serve && "$RONDO" run --json --stream on model.yaml >out && chunks out >said &&
	cat >expected <<-\EOF && test_cmp expected said &&
	"A lost beginning"
	"The key [OPENAI_API_KEY] is\none of two.\nDONE"
	EOF
	grep "\"type\":\"progress\",\"source\":\"m\",\"text\":\"try 2 of" out && ! grep sk-plan out &&
	test "$(grep -c "\"from\":\"model\"" out)" -gt 2
'

check 'without it --json has neither chunks nor progress' '
	serve && "$RONDO" run --json model.yaml >out && ! grep -E "\"(chunk|progress)\"" out
'

check 'piped: nothing of it, or by --stream on line by line, never among the text of a message' '
	serve && "$RONDO" run model.yaml >out && ! grep "|" out &&
	serve && "$RONDO" run --stream on model.yaml >out &&
	grep "|" out >said && sed "s/ *| /|/" said >lines && cat >expected <<-\EOF &&
	  m|A lost beginning
	  m|The key [OPENAI_API_KEY] is
	  m|one of two.
	  m|DONE
	EOF
	test_cmp expected lines &&
	grep -A3 "^---------- coder" out | grep -A1 "is$" | grep "^one of two.$"
'

check 'on a terminal the words are seen before the reply has ended, and are gone behind it' '
	rm go && serve && python3 "$terminal" "one of" "MAKE=./go" -- "$RONDO" run model.yaml >seen &&
	drawn &&
	sed "/ done: /q" screen >chat && test "$(grep -c "one of two" chat)" = 1 &&
	! grep "sk-plan" seen && ! grep lost chat &&
	python3 -c "
text = open(\"seen\", newline=\"\").read()
assert text.index(\"one of \") < text.index(\"one of two\")
"
'

check 'output of a program is seen while it runs; the clock ticks while it prints nothing' '
	program "import os, time
print(\"begun\", flush=True)
while not os.path.exists(\"go\"):
    time.sleep(0.01)
print(\"over\")" && set -- && for i in 1 2 3 4 5 6; do set -- "$@" "running python" ""; done &&
		python3 "$terminal" "begun" "" "$@" "running python" "MAKE=cache/rondo/work/*/main/go" -- \
			"$RONDO" run program.yaml >seen && drawn &&
	tail -n +1 screen | grep -A2 "^exitcode: 0" | grep "^Code output: begun" &&
	test "$(grep -o "executor *[0-9.]* s   running python" seen | sort -u | grep -c "")" -gt 5
'

check '--stream off on a terminal: the clock alone' '
	program "print(40 + 2)" &&
		python3 "$terminal" -- "$RONDO" run --stream off program.yaml >seen &&
	drawn && grep "Code output: 42" screen &&
	test "$(grep -c "^.*42" seen)" = "$(grep -c "42" screen)"
'

check 'a flood is left out in part, a wide line is cut, and what steers a terminal is shown' '
	program "import sys
for i in range(20000):
    print(i, \"x\" * 100, chr(27) + \"[2Jwiped\")" &&
	"$RONDO" run --json --stream on program.yaml >out &&
	grep "\"type\":\"chunk\"" out >told && grep "u001b\[2Jwiped" told >wiped &&
	test "$(wc -c <told)" -lt 1000000 &&
	python3 "$terminal" -- "$RONDO" run program.yaml >seen && grep wiped seen >wiped &&
	! grep "$(printf "\033\[2J")" seen &&
	drawn
'

check 'while somebody is asked, nothing is drawn' '
	cat >ask.yaml <<-\EOF &&
	task: say
	models: {m: {provider: replay, replies: [Well, DONE]}}
	agents: {coder: {type: coder, model: m}, you: {type: user, ask_timeout: 1s, default_answer: no}}
	team: {participants: [coder, you], termination: {text_mention: DONE}}
	EOF
	python3 "$terminal" -- "$RONDO" run ask.yaml >seen && python3 -c "
text = open(\"seen\", newline=\"\").read()
asked = text.index(\"you> \")
assert text[asked:].startswith(\"you> \\r\\n\"), text[asked:]
"
'

check 'a wrong word is told' '
	test_expect_code 2 "$RONDO" run --stream maybe program.yaml 2>err &&
	grep "option .--stream.: stream must be one of auto, on, off, found .maybe." err
'

test_done
