#!/bin/sh
test_description='semantics 8.3: a coder and an executor do what AutoGen'\''s executing agent does'
. "$(dirname "$0")/lib.sh"

# chat REPLY...: runs a coder who says these replies, written as in YAML's double quotes, and an
# executor. The chat is in out.
chat() {
	{
		printf 'task: Go on.\nmodels:\n  said:\n    provider: replay\n    replies:\n'
		printf '      - "%s"\n' "$@"
		cat <<-EOF
		agents: {coder: {type: coder, model: said}, executor: executor}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: $EXECUTOR}
		EOF
	} >chat.yaml && "$RONDO" run chat.yaml >out
}

check '51: code runs as it was written, and TERMINATE ends the chat' '
	chat "Here:\n$(fences python "numbers = [10, 2.5, 6.481]\nprint( numbers[2] )")" TERMINATE &&
	said_by coder | grep -F "print( numbers[2] )" &&
	said_by executor | grep "^Code output: 6.481$" &&
	grep "stopped  by text_mention at message 4 of coder" out
'

check '53: an error is shown, and the corrected code runs' '
	chat "$(fences python "print(sum([10, 20, 60] / 3")" \
		"Attempt 2:\n$(fences python "print(\\\"The mean is:\\\", sum([10, 20, 60]) / 3)")" \
		TERMINATE &&
	said_by executor >said && grep "SyntaxError: \(.(. was never closed\|incomplete input\)" said &&
	grep "^Code output: The mean is: 30.0$" said
'

check '55: code that prints nothing differs from code that failed' '
	chat "$(fences python "x = 1")" TERMINATE &&
	said_by executor | grep "^exitcode: 0 (execution succeeded)$"
'

check '57: no block runs after one that failed, and earlier output stays' '
	chat "$(fences python "print(6.481)" sh "echo The current time is: \$(date +%Y)" \
		python "raise ValueError(1)" sh "echo never")" TERMINATE &&
	said_by executor >said && grep "^exitcode: 1 (execution failed)$" said && grep "6.481$" said &&
	grep "^The current time is: 2" said &&
	grep "^ValueError: 1$" said && ! grep never said
'

check '127: nothing runs without an executor or without code; code of an older message runs once' '
	chat "$(fences sh "echo hello world")" TERMINATE &&
	sed "s/, executor: executor}/}/; s/\[coder, executor\]/[coder]/" chat.yaml >alone.yaml &&
	said_by executor | grep -x "exitcode: 0 (execution succeeded)" &&
	said_by executor | grep -x "Code output: hello world" &&
	"$RONDO" run alone.yaml >out && ! grep exitcode out &&
	chat "Nothing to run." TERMINATE && ! grep exitcode out &&
	chat "$(fences sh "echo hello world")" "Nothing to run." TERMINATE &&
	sed "s/\[coder, executor\]/[coder, second, executor]/
		s/coder: {type/second: {type: coder, model: said}, &/" chat.yaml >older.yaml &&
	"$RONDO" run older.yaml >out && said_by executor | grep -x "Code output: hello world"
'

# journal: the records of the only run; the first ones have what the coder is asked.
journal() {
	cat "$HOME"/state/rondo/runs/*/attempts/1/journal.jsonl
}

check 'a coder knows who runs its blocks, and whether each is a program of its own' '
	rm -rf "$HOME/state" && chat TERMINATE && journal >said &&
	grep "An executor runs the code" said &&
	if [ "$EXECUTOR" = jupyter ]; then
		grep "Blocks in Python run in one kernel" said
	else
		grep "Each block is a program of its own" said
	fi &&
	sed -i "s/, executor: executor}/}/; s/\[coder, executor\]/[coder]/" chat.yaml &&
	rm -rf "$HOME/state" && "$RONDO" run chat.yaml >out &&
	journal >said && grep "one of several participants" said &&
	! grep -e "An executor" -e "program of its own" -e kernel said
'

check 'the model is told of its world, and a failing pip that there is no network (20, missing 3)' '
	cat >net.yaml <<-\EOF && "$RONDO" run net.yaml >out && "$RONDO" show --prompts >shown &&
	task: Install it.
	models:
	  m: {provider: replay, replies: ["```sh\npip install --retries 0 nosuch-package\n```", DONE]}
	agents: {coder: {type: coder, model: m}, runner: executor}
	executor: {timeout: 90s, allow: [sh, python]}
	team: {participants: [coder, runner], termination: text_mention/DONE}
	EOF
	grep "Programs have no network: nothing can be fetched or installed. Only these languages run: \
sh, python. Each may take 1 min 30 s." shown &&
	grep "^There is no network here; executor.network: host allows it.$" out
'

check 'approval sees the language that runs, and the model what is allowed (20, wrong 5)' '
	cat >judge <<-\EOF && chmod +x judge &&
	#!/bin/sh
	grep -o "\"language\":\"[a-z]*\"" >>seen
	echo "{\"approved\": true}"
	EOF
	cat >tags.yaml <<-\EOF && "$RONDO" run tags.yaml >out && "$RONDO" show --prompts >shown &&
	task: Do it.
	models:
	  m: {provider: replay, replies: ["```\necho one\n```\n```shell\necho two\n```", DONE]}
	agents:
	  coder: {type: coder, model: m}
	  runner: {type: executor, approval: ./judge, allow: [sh]}
	executor: {allow: [python, sh]}
	team: {participants: [coder, runner], termination: text_mention/DONE}
	EOF
	grep "^two$" out && printf "\"language\":\"sh\"\n%.0s" 1 2 | test_cmp - seen &&
	grep "Only these languages run: sh\. Each" shown
'

check 'executor.env counts as given, each name once; pip says what there is (20, wrong 8)' '
	cat >env.yaml <<-\EOF &&
	task: Show it.
	models:
	  m:
	    provider: replay
	    replies:
	      - |
	        ```sh
	        cd; pwd; echo $LANG $PATH; env | cut -d= -f1 | sort | uniq -d
	        python3 -m pip list
	        ```
	      - DONE
	agents: {coder: {type: coder, model: m}, runner: executor}
	executor: {env: {LANG: C.utf8, HOME: /tmp, PATH: "/opt/none:/usr/bin:/bin"}}
	team: {participants: [coder, runner], termination: text_mention/DONE}
	EOF
	for type in local sandbox; do
		"$RONDO" run env.yaml --executor $type >out &&
		grep "^Code output: /tmp$" out && grep "^C.utf8 /opt/none:/usr/bin:/bin$" out &&
		sed -n "/^C.utf8/{n;p;}" out | grep "^Package" || exit 1
	done
'

check 'a link that leads out is told once (20, wrong 10)' '
	cat >links.yaml <<-\EOF && "$RONDO" run links.yaml >out &&
	task: Link it.
	models:
	  m:
	    provider: replay
	    replies: ["```sh\nln -s /etc/passwd out\n```", "```sh\nls\n```", DONE]
	agents: {coder: {type: coder, model: m}, runner: executor}
	team: {participants: [coder, runner], termination: text_mention/DONE}
	EOF
	test "$(grep -c "leads out of the tree" out)" = 1 && grep "^Code output: out$" out
'

check 'a block that is only saved says so (20, wrong 8)' '
	cat >save.yaml <<-\EOF && "$RONDO" run save.yaml >out && grep "Code saved to page.py$" out
	task: Save it.
	models:
	  m: {provider: replay, replies: ["```python\n# filename: page.py\nboom\n```", DONE]}
	agents: {coder: {type: coder, model: m}, runner: executor}
	executor: {policies: {python: save}}
	team: {participants: [coder, runner], termination: text_mention/DONE}
	EOF
'

check 'much output is cut and not ended, and kept in the logs (20, wrong 10)' '
	cat >big.yaml <<-\EOF && "$RONDO" run big.yaml >out &&
	task: Print much.
	models:
	  m:
	    provider: replay
	    replies: ["```sh\nyes 0123456 | head -c 70000000; echo END\n```", DONE]
	agents: {coder: {type: coder, model: m}, runner: executor}
	team: {participants: [coder, runner], termination: text_mention/DONE}
	EOF
	grep "^END$" out && grep "exitcode: 0" out &&
	log=$(sed -n "s/^All that was printed, up to 256 MB, in the logs of the run: //p" out) &&
	test $(find "$HOME" -name "$log" -size +66M | wc -l) = 1 &&
	sed "s/70000000/700/" big.yaml >small.yaml && "$RONDO" run small.yaml >out &&
	! grep "All that was printed" out
'

check 'an edit of a file in Latin-1 keeps its other characters' '
	git init -q latin && cd latin && mkdir tests &&
	printf "# -*- coding: latin-1 -*-\n\ndef size():\n    return len(\"\351t\351\") + 1\n" \
		>size.py &&
	printf "import sys\nsys.path.insert(0, \".\")\nfrom size import size\n\nok = size() == 3\n" \
		>tests/run.py && printf "print(\"1..1\\\\n\" + (\"\" if ok else \"not \") + \"ok 1\")\n" \
		>>tests/run.py && commit_all && cat >../latin.yaml <<-EOF &&
	models:
	  said:
	    provider: replay
	    replies:
	      - |
	        \`\`\`diff
	        --- a/size.py
	        +++ b/size.py
	        @@ -3,2 +3,2 @@
	         def size():
	        -    return len("été") + 1
	        +    return len("été€")
	        \`\`\`
	      - |
	        \`\`\`diff
	        --- a/size.py
	        +++ b/size.py
	        @@ -3,2 +3,2 @@
	         def size():
	        -    return len("été") + 1
	        +    return len("éte")
	        \`\`\`
	agents: {coder: {type: coder, model: said}, executor: executor, tester: tester}
	team: {participants: [coder, executor, tester], termination: tests_pass, max_turns: 3}
	workspace: {repo: latin}
	test: python3 tests/run.py
	executor: {type: $EXECUTOR}
	output: {branch: fixed}
	EOF
	"$RONDO" run ../latin.yaml >../out && git show fixed:size.py >../fixed.py &&
	printf "    return len(\"\351te\")\n" >../expected && tail -n 1 ../fixed.py | cmp - ../expected
'

test_done
