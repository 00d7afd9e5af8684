#!/bin/sh
test_description='semantics 8.3: what AutoGen'\''s executing agent does, by a coder and an executor
in turns'
. "$(dirname "$0")/lib.sh"

# chat REPLY...: a coder who says these, in YAML's double quotes, and an executor; what was said is
# out.
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

# said_by NAME: what an agent said, message by message.
said_by() {
	awk -v name="---------- $1 ----------" \
		'/^---------- .* ----------$/ { on = $0 == name; next } /^[✓✗]/ { exit } on' out
}

check '51: code is made, runs as it is, and the last word ends it' '
	chat "Here:\n\`\`\`python\nnumbers = [10, 2.5, 6.481]\nprint( numbers[2] )\n\`\`\`" TERMINATE &&
	said_by coder | grep -F "print( numbers[2] )" &&
	said_by executor | grep "^Code output: 6.481$" &&
	grep "stopped  by text_mention at message 4 of coder" out
'

check '53: an error is shown, and what corrects it runs' '
	chat "\`\`\`python\nprint(sum([10, 20, 60] / 3\n\`\`\`" \
		"Attempt 2:\n\`\`\`python\nprint(\\\"The mean is:\\\", sum([10, 20, 60]) / 3)\n\`\`\`" \
			TERMINATE &&
	said_by executor >said && grep "SyntaxError: \(.(. was never closed\|incomplete input\)" said &&
	grep "^Code output: The mean is: 30.0$" said
'

check '55: code that prints nothing is told from code that failed' '
	chat "\`\`\`python\nx = 1\n\`\`\`" TERMINATE &&
	said_by executor | grep "^exitcode: 0 (execution succeeded)$"
'

check '57: the first block that fails is the last that runs, and what was printed stays' '
	chat "\`\`\`python\nprint(6.481)\n\`\`\`\n\`\`\`sh\necho The current time is: \$(date +%Y)\n\`\`\`\n\`\`\`python\nraise ValueError(1)\n\`\`\`\n\`\`\`sh\necho never\n\`\`\`" TERMINATE &&
	said_by executor >said && grep "^exitcode: 1 (execution failed)$" said && grep "6.481$" said &&
	grep "^The current time is: 2" said &&
	grep "^ValueError: 1$" said && ! grep never said
'

# AG2 looks at so many messages, if it is told to run code at all.
check '127: without an executor, or without code, nothing runs; code of an older message does, where nobody has run it' '
	chat "\`\`\`sh\necho hello world\n\`\`\`" TERMINATE &&
	sed "s/, executor: executor}/}/; s/\[coder, executor\]/[coder]/" chat.yaml >alone.yaml &&
	said_by executor | grep -x "exitcode: 0 (execution succeeded)" &&
	said_by executor | grep -x "Code output: hello world" &&
	"$RONDO" run alone.yaml >out && ! grep exitcode out &&
	chat "Nothing to run." TERMINATE && ! grep exitcode out &&
	sed "s/^    replies:/&\n      - \"\`\`\`sh\\\\necho hello world\\\\n\`\`\`\"/; s/\[coder, executor\]/[coder, second, executor]/; s/coder: {type/second: {type: coder, model: said}, &/" chat.yaml >older.yaml &&
	"$RONDO" run older.yaml >out && said_by executor | grep -x "Code output: hello world"
'

# told: what the coder was told at first, as the journal has it.
told() {
	cat "$HOME"/state/rondo/runs/*/attempts/1/journal.jsonl
}

check 'a coder is told whether blocks start anew, where somebody runs them' '
	rm -rf "$HOME/state" && chat TERMINATE && told >said && grep "An executor runs the code" said &&
	if [ "$EXECUTOR" = jupyter ]; then grep "Blocks in Python run in one kernel" said; else grep \
		"Each block is a program of its own" said; fi &&
	sed -i "s/, executor: executor}/}/; s/\[coder, executor\]/[coder]/" chat.yaml &&
	rm -rf "$HOME/state" && "$RONDO" run chat.yaml >out &&
	told >said && grep "one of several participants" said &&
	! grep -e "An executor" -e "program of its own" -e kernel said
'

test_done
