#!/bin/sh
test_description='humans in the loop: questions at a terminal'
. "$(dirname "$0")/lib.sh"

export TERM=xterm
unset asked
code='"```python\nprint(6 * 7)\n```"'

# human REPLIES [KEYS]: writes human.yaml, with a coder who says REPLIES and an executor that asks
# and has these further keys.
human() {
	cat >human.yaml <<-EOF
	task: Do it.
	models: {recorded: {provider: replay, replies: $1}}
	agents:
	  coder: {coder: recorded}
	  executor: {type: executor, human_input_mode: ALWAYS${2:+, $2}}
	team: {participants: [coder, executor], max_turns: 6}
	executor: {type: $EXECUTOR, allow: [python]}
	EOF
}

# at_terminal [WAIT SEND]...: runs human.yaml at a terminal, or rondo with the words of $asked. The
# last screen is in seen, without colours and live lines.
at_terminal() {
	"$SOURCE/tests/lib/terminal" "$@" -- "$RONDO" ${asked:-run human.yaml} >raw
	status=$?
	sed "s/\r*\$//; s/.*\r//; s/$(printf '\033')\[[0-9;]*[A-Za-z]//g" raw >seen
	return $status
}

# journal: the records of the newest run.
journal() {
	"$RONDO" show --json
}

check 'Enter runs the code, and lets the chat end: the summary is what was said (20, wrong 4)' '
	human "[$code, It is 42. TERMINATE]" &&
	at_terminal "conversation: " "\r" "conversation: " "\r" &&
	grep "^! agent .executor. asks you, each turn$" seen && grep "^Code output: 42$" seen &&
	grep "done: .coder. said TERMINATE, and the user had nothing to add   4 turns" seen &&
	grep "summary  It is 42\.$" seen
'

check 'the prompt follows the message that it asks about, and is recorded; Enter adds nothing' '
	grep -n "^print(6 \* 7)$\|^Provide feedback to coder\|^exitcode" seen | cut -d: -f2 |
		cut -c1-8 >order &&
	printf "%s\n" "print(6 " "Provide " exitcode >expected && test_cmp expected order &&
	question="\"type\":\"question\",\"source\":\"executor\",\"text\":" &&
	journal | grep -A1 "$question\"Provide feedback to coder. Press enter to run" |
		grep "\"type\":\"code_execution\""
'

check 'a text goes to the coder instead of a run; exit ends the chat, without success' '
	human "[$code, TERMINATE]" &&
	test_expect_code 1 at_terminal "conversation: " "add them\r" "conversation: " "exit\r" &&
	! grep exitcode seen && grep "stopped: User requested to end the conversation   4 turns" seen &&
	journal >records && grep "\"source\":\"executor\",\"content\":\"add them\"" records &&
	grep "\"type\":\"stop\".*\"condition\":\"user\",\"stop_kind\":3" records
'

check 'exit in place of a run: the code does not run' '
	human "[$code]" && test_expect_code 1 at_terminal "conversation: " "exit\r" &&
	! grep exitcode seen
'

check 'Ctrl-C stops the run and restores the terminal' '
	human "[$code]" && test_expect_code 130 at_terminal "conversation: " "print" "print" "\x03" &&
	grep "^rondo: agent .executor.: stopped by SIGINT$" seen &&
	test "$(grep -c "^the conversation: " seen)" = 1
'

check 'so does SIGTERM' '
	human "[$code]" && test_expect_code 143 at_terminal "conversation: " TERM &&
	grep "stopped by SIGTERM" seen
'

check 'a terminal that is closed stops the run' '
	human "[$code]" && test_expect_code 129 at_terminal "conversation: " CLOSE &&
	"$RONDO" show --json | grep "\"type\":\"run.end\",\"text\":\"error\""
'

check 'Ctrl-D means exit, or the default answer if there is one' '
	human "[$code]" && test_expect_code 1 at_terminal "conversation: " "\x04" &&
	grep "stopped: User requested to end the conversation" seen &&
	human "[$code, TERMINATE]" "default_answer: \"\"" &&
	at_terminal "conversation: " "\x04" "conversation: " "\x04" &&
	grep "^Code output: 42$" seen
'

check 'a timeout takes the default answer, and says so' '
	human "[$code]" "ask_timeout: 50ms, default_answer: exit" &&
	test_expect_code 1 at_terminal "conversation: " "" &&
	grep "^! nobody answered .executor. within 0.1 s: the answer is .exit., its default$" seen
'

check 'a timeout without a default answer ends the run, and the help names the key' '
	human "[$code]" "ask_timeout: 50ms" && test_expect_code 75 at_terminal "conversation: " "" &&
	grep "^rondo: agent .executor.: nobody answered within 0.1 s$" seen &&
	grep "help  .*default_answer" seen
'

check 'the time limit of the run does not wait for an answer' '
	human "[$code]" "default_answer: never taken" && echo "limits: {time: 15s}" >>human.yaml &&
	test_expect_code 1 at_terminal "conversation: " "" && ! grep "never taken" seen
'

check 'without a terminal, nothing runs' '
	rm -rf state && human "[$code]" &&
	test_expect_code 2 "$RONDO" run human.yaml </dev/null 2>err &&
	grep "^rondo: agent .executor. asks a human, and standard input is no terminal" err &&
	grep "help  .*agents.executor.default_answer=TEXT, or -s \
agents.executor.human_input_mode=NEVER" err &&
	test -z "$(find state -name journal.jsonl)" && for option in --json --quiet; do
		test_expect_code 2 "$SOURCE/tests/lib/terminal" -- "$RONDO" run human.yaml $option || exit 1
	done
'

check 'without a terminal, a default answer is taken' '
	human "[$code, TERMINATE]" &&
	"$RONDO" run human.yaml -s "agents.executor.default_answer=\"\"" </dev/null >out &&
	grep "^! agent .executor. asks nobody: each answer is .., its default$" out &&
	grep "^Code output: 42$" out
'

check 'after the end of a chat nobody is asked, and no code runs' '
	human "[\"$(fences python "print(6 * 7)")\nTERMINATE\"]" &&
	sed -i "s/max_turns: 6/max_turns: 6, termination: text_mention/" human.yaml && at_terminal &&
	! grep "Provide feedback\|exitcode" seen &&
	grep "left     the last proposed code was not run" seen
'

check 'human_input_mode: TERMINATE asks only at the end' '
	human "[$code, All done. TERMINATE, TERMINATE]" "human_input_mode: terminate" &&
	sed -i "s/human_input_mode: ALWAYS, //" human.yaml &&
	at_terminal "conversation: " "in words\r" "conversation: " "\r" &&
	grep "^! agent .executor. asks you when an agent says TERMINATE$" seen &&
	grep "^in words$" seen &&
	test "$(grep -c "^Please give feedback" seen)" = 2
'

check 'lines can be edited; a history that only its owner may read keeps them' '
	rm -rf state && human "[$code, x]" &&
	test_expect_code 1 at_terminal "conversation: " "nd\x01adx\x7f\r" "conversation: " "exit\r" &&
	grep "^adnd$" seen && test "$(stat -c %a state/rondo/history)" = 600 &&
	test_expect_code 1 at_terminal "conversation: " "\x1b[A\x1b[A!\r" "conversation: " "exit\r" &&
	grep "^adnd!$" seen &&
	test_expect_code 1 at_terminal "conversation: " "\x12" "bck:" "dnd!\r" "conversation: " \
		"exit\r" && grep "^adnd!$" seen
'

check 'letters beyond ASCII, also one that is deleted' '
	human "[$code]" &&
	test_expect_code 2 at_terminal "conversation: " "gr\xc3\xbc\xe2\x82\xac\x7f\xc3\x9fe\r" \
		executor "" &&
	grep "^grüße$" seen
'

check 'each pasted line answers one question' '
	human "[$code, x, y]" && test_expect_code 1 at_terminal "conversation: " "one\rtwo\rexit\r" &&
	grep -x "one\|two" seen && grep "User requested to end" seen
'

check 'Ctrl-Z stops rondo and restores the terminal; then the same line is continued' '
	human "[$code]" &&
	test_expect_code 1 at_terminal "conversation: " "ex" "ex" TSTP "" STOPPED "" GO \
		"conversation: ex" "it\r" &&
	grep "stopped: User requested to end the conversation" seen
'

check 'a run that was killed at a prompt resumes with the question' '
	rm -rf state && human "[$code, TERMINATE]" &&
	test_expect_code 137 at_terminal "conversation: " KILL &&
	test_expect_code 2 "$RONDO" resume </dev/null 2>err &&
	grep "^rondo: agent .executor. asks a human" err &&
	asked=resume && at_terminal "to end\\s+the conversation: " "\r" "conversation: " "\r" &&
	grep "done: .coder. said TERMINATE, and the user had nothing to add" seen &&
	test 1 = "$(grep -c "^Code output: 42$" seen)"
'

check 'an answer from before the kill is not asked for again' '
	rm -rf state && human "[$code, TERMINATE]" &&
	test_expect_code 137 at_terminal "conversation: " "as a sum\r" "conversation: " KILL &&
	asked=resume && at_terminal "stop the\\s+conversation: " "\r" &&
	! grep "^Provide feedback" seen &&
	"$RONDO" show | grep "^as a sum$"
'

check 'a key in an answer is not recorded' '
	human "[$code]" &&
	SHOP_API_KEY=sk-0123456789 test_expect_code 2 at_terminal "conversation: " \
		"use sk-0123456789\r" executor "" &&
	journal >records && grep "use \[SHOP_API_KEY\]" records && ! grep sk-0123456789 records
'

check 'a user speaks in turn and has the last word' '
	cp "$SOURCE/scenarios/reviewed.yaml" human.yaml &&
	at_terminal "reader> " "older than its shores\r" "reader> " "APPROVE\r" &&
	test "$(speakers seen)" = "user poet reader poet reader " &&
	grep "asserts  3 of 3 hold" seen
'

check 'semantics 8.3, 63: a command approves or refuses, and is kept in scenario.json' '
	human "[$code, \"$(fences python "print(1)")\", \"\", \"\"]" \
		"human_input_mode: NEVER, approval: ./judge" &&
	sed -i "s/human_input_mode: ALWAYS, //" human.yaml &&
	cat >judge <<-\EOF && chmod +x judge &&
	#!/bin/sh
	grep -q "6 \* 7" && echo "{\"approved\": false, \"reason\": \"too hard\"}" ||
		echo "{\"approved\": true}"
	EOF
	mkdir -p elsewhere && cd elsewhere && test_expect_code 1 "$RONDO" run ../human.yaml >out &&
	grep "^Code output: Code execution was not approved. Reason: too hard$" out &&
	grep "^Code output: 1$" out &&
	grep "\"approval\":.*\"./judge\"" "$HOME"/state/rondo/runs/*/scenario.json
'

check 'the sources of an executor are agents' '
	human "[$code]" "sources: [codr]" && test_expect_code 2 "$RONDO" check human.yaml >out &&
	grep "^human.yaml:5:13: agent .codr. is not declared (agents: coder, executor), \
did you mean .coder.?$" out
'

test_done
