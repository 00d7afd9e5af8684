#!/bin/sh
test_description='how a chat is shown: AG2'\''s form, piped and on a terminal; the end of a run'
. "$(dirname "$0")/lib.sh"

chats=$SHARNESS_TEST_SRCDIR/t3600
if [ "$EXECUTOR" = local ]; then
	mkdir -p "$HOME/.config/rondo" && echo 'executor: local' >"$HOME/.config/rondo/config.yaml"
fi

# transcript FILE: the messages up to the line that ends the run, without the run's id.
transcript() {
	sed "s/\(TERMINATING RUN\) ([-0-9a-f]*)/\1 (ID)/; /TERMINATING RUN/q" "$1"
}

check 'semantics 0, example 000: a pair in AG2'\''s form' '
	"$RONDO" run "$chats/pair.yaml" --style ag2 >out && transcript out >said &&
	test_cmp "$chats/pair.ag2" said
'

check 'semantics 6: rondo show prints it in the same form' '
	"$RONDO" show --style ag2 >out && sed "1,/^$/d" out >body && transcript body >shown &&
	test_cmp "$chats/pair.ag2" shown
'

check NODE 'semantics 0, example 000: scenarios/rle.yaml' '
	"$RONDO" run "$SOURCE/scenarios/rle.yaml" --style ag2 >out && transcript out >said &&
	test_cmp "$chats/rle.ag2" said
'

check 'semantics 6: a group speaks through a manager' '
	"$RONDO" run "$chats/group.yaml" --style ag2 >out && transcript out >said &&
	test_cmp "$chats/group.ag2" said
'

check 'semantics 6: colours on a terminal, senders yellow and notices red' '
	export TERM=xterm &&
	"$SOURCE/tests/cli/on-a-terminal" "$RONDO" run "$chats/group.yaml" --style ag2 >seen &&
	python3 "$SOURCE/tests/cli/without-live-lines" seen >out && transcript out >said &&
	test_cmp "$chats/group.terminal" said
'

# asking MODE: runs the pair; its executor asks a human, who presses Enter.
asking() {
	asks="{type: executor, human_input_mode: $1, default_answer: \"\"}" &&
		sed "s/code_executor: executor/code_executor: $asks/" "$chats/pair.yaml" >asking.yaml &&
		"$RONDO" run asking.yaml >out
}

check 'semantics 4: a human presses Enter, writes, or is asked only at the end' '
	rm -rf state && asking ALWAYS && "$RONDO" show --style ag2 >enter &&
	sed -n "/^Two and two/,/^exitcode/p" enter >between &&
	grep -A3 "^>>>>>>>> NO HUMAN INPUT RECEIVED.$" between >notices &&
	test "$(grep -c "" notices)" = 4 &&
	grep "^>>>>>>>> USING AUTO REPLY...$" notices &&
	sed -i "s/\"type\":\"code_execution\"/\"type\":\"text\"/" \
		state/rondo/runs/*/attempts/1/journal.jsonl &&
	"$RONDO" show --style ag2 >text && sed -n "/^Two and two/,/^exitcode/p" text >between &&
	! grep ">>>>>>>>" between &&
	rm -rf state && asking TERMINATE && "$RONDO" show --style ag2 >end &&
	! grep "NO HUMAN INPUT" end &&
	test "$(grep -c "USING AUTO REPLY" end)" = 5
'

check 'an edit is not shown as a code block' '
	tiny repo && (cd repo && fix --style ag2 >../out) && grep "^coder (to chat_manager):$" out &&
	grep "^executor (to chat_manager):$" out && ! grep "EXECUTING" out &&
	grep "^>>>>>>>> TERMINATING RUN (.*): " out
'

check 'no message steers the terminal, and an unknown style is named' '
	sed "s/It is printed/\\\\e[31mred/" "$chats/group.yaml" >red.yaml &&
	"$RONDO" run red.yaml --style ag2 >out &&
	grep -F "\\e[31mred: *a line*" out &&
	test_expect_code 2 "$RONDO" show --style ag3 2>err &&
	grep "style must be one of rondo, ag2, autogen, found .ag3." err
'

# --- The end of a run ---

check 'semantics 9.5: the end names condition, message and speaker, and what each model cost' '
	"$RONDO" run "$chats/group.yaml" >out &&
	sed -n "/^. done: /,\$p" out | sed "s/[0-9.]* m*s$/TIME/" >end &&
	test_cmp "$chats/group.end" end && "$RONDO" show >out &&
	sed -n "/^stopped /,/^files/p" out | sed "/^files/d; /^patch/d" >end &&
	test_cmp "$chats/group.shown" end &&
	for line in "- stopped by text_mention at message 5 of coder, after" \
		"- agent reviewer: 1 call, 0 tokens in" \
		"- model coder: 2 calls, 0 tokens in, 0 out, 0 USD"; do
		grep -e "^$line" state/rondo/runs/*/report.md || exit 1
	done
'

check 'semantics 6, AG2'\''s cost: --json has the cost of each model' '
	"$RONDO" run "$chats/group.yaml" --json | tail -1 >result && python3 -c "
import json
result = json.load(open(\"result\"))
stop, usage = result[\"stop\"], result[\"usage\"]
assert stop.items() >= {
    \"condition\": \"text_mention\", \"message\": 5, \"source\": \"coder\",
    \"stop_kind\": \"success\", \"messages\": 5, \"rounds\": 2, \"left_unexecuted\": False
}.items(), stop
for users in usage[\"by_agent\"], usage[\"by_model\"]:
    assert sorted(users) == [\"coder\", \"reviewer\"], usage
model = usage[\"by_model\"][\"coder\"]
assert model.items() >= {\"prompt_tokens\": 0, \"completion_tokens\": 0, \"total_tokens\": 0,
    \"cost\": 0, \"calls\": 2}.items(), model
assert \"cost\" not in usage[\"by_agent\"][\"coder\"], usage
"
'

check 'semantics 0, max_turns: a last block that was not run is reported' '
	test_expect_code 1 "$RONDO" run "$chats/pair.yaml" -s team.max_turns=3 \
		-s team.grace_execution=false >out &&
	grep "^   stopped  by max_turns (limit), after 4 messages in 2 rounds$" out &&
	grep "^   left     the last proposed code was not run$" out &&
	"$RONDO" show >out && grep "^the last proposed code was not run$" out
'

check 'a grace execution follows the message that stopped the chat' '
	"$RONDO" run "$chats/group.yaml" \
		-s "models.coder.replies=[\"$(fences sh "echo one")\nTERMINATE\"]" >out &&
	grep "^   stopped  by text_mention at message 2 of coder, after 3 messages in 1 round$" out &&
	! grep "was not run" out
'

check 'a fix without a model reports no calls of models' '
	tiny short && (cd short && fix >../out) &&
	sed -n "/^. verified/,\$s/^   \([a-z][a-z]*\).*/\1/p" out >labels &&
	printf "%s\n" branch change look take drop >expected && test_cmp expected labels &&
	"$RONDO" show >out &&
	grep "^stopped by tests_pass at message [0-9]* of tester, \
after [0-9]* messages in [0-9]* rounds*: .*; 0 tokens$" out
'

# --- The summary ---

cat >talk.yaml <<\EOF
task: Say it.
models:
  said: {provider: replay, file: said.jsonl}
  sum: {provider: replay, file: sum.jsonl}
agents: {speaker: {type: coder, model: said}}
team: {participants: speaker, termination: {text_mention: {text: TERMINATE, mode: substring}}}
EOF

# tape FILE TEXT...: replies of 107 tokens each.
tape() {
	file=$1 && shift && for text; do
		printf '{"text":"%s","prompt_tokens":100,"completion_tokens":7}\n' "$text"
	done >"$file"
}

# sums_up SUMMARY [OPTION...]: rondo run reports this summary; "" for none.
sums_up() {
	wanted=$1 && shift && "$RONDO" run talk.yaml --json "$@" >lines && tail -1 lines >result &&
	python3 -c "
import json, sys
found = json.load(open('result')).get('summary', '')
assert found == sys.argv[1], found
" "$wanted"
}

check 'semantics 0, 6: the summary is the last message that has more than TERMINATE' '
	tape said.jsonl "It is 42." "TERMINATE" && sums_up "It is 42." &&
	tape said.jsonl "It is 43.\\n\\nTERMINATE." && sums_up "It is 43." &&
	tape said.jsonl "It is **44**. **TERMINATE**" && sums_up "It is **44**." &&
	tape said.jsonl "It is 45." "   " "\`TERMINATE\`\\n" && sums_up "It is 45." &&
	tape said.jsonl "TERMINATE is what I say." && sums_up "TERMINATE is what I say." &&
	tape said.jsonl "This is INDETERMINATE" && sums_up "This is INDETERMINATE" &&
	tape said.jsonl TERMINATE && sums_up "" &&
	tape said.jsonl "It is 46." "DONE" &&
	sums_up "It is 46." -s team.termination.text_mention.text=DONE
'

check 'the summary is on the screen, folded by words, and in the reports' '
	rm -rf state && tape said.jsonl "$(seq -s " " 100 400) TERMINATE" &&
	"$RONDO" run talk.yaml >out && sed -n "/^   summary/,/^   more/p" out >shown &&
	test "$(head -1 shown)" = "   summary  $(seq -s " " 100 135)" &&
	test "$(grep -c "" shown)" = 7 && sed -n 6p shown | grep " \.\.\.$" &&
	grep -A2 "^## Summary$" state/rondo/runs/*/report.md | grep "398 399 400$" &&
	grep "\"summary\":.*399 400\"" state/rondo/runs/*/report.json
'

check 'semantics 6, reflection: a model writes the summary, and its call counts' '
	tape said.jsonl "It is 42. TERMINATE" && tape sum.jsonl "The answer was found. It is 42.\\n" &&
	sums_up "The answer was found. It is 42." -s output.summary=model -s output.summary_model=sum &&
	python3 -c "
import json
usage = json.load(open(\"result\"))[\"usage\"]
assert usage[\"calls\"] == 2 and usage[\"total_tokens\"] == 214, usage
assert list(usage[\"by_agent\"]) == [\"speaker\"], usage
assert usage[\"by_model\"][\"sum\"][\"calls\"] == 1, usage
" && tape said.jsonl "It is 42. TERMINATE" "By the one that spoke." &&
sums_up "By the one that spoke." -s output.summary=model
'

check 'a model that fails to sum up is reported, and the last message is the summary' '
	tape said.jsonl "It is 42. TERMINATE" && sums_up "It is 42." -s output.summary=model &&
	grep "\"notice\".*the summary is the last message, not a model.s: model said: it has 1 reply, \
and one more is asked for" lines &&
	tape said.jsonl "It is 42. TERMINATE" "never asked for" &&
	sums_up "It is 42." -s output.summary=model -s limits.tokens=110 &&
	grep "not a model.s: the budget is used up" lines &&
	printf "{\"text\":\"It\",\"finish\":\"length\"}\n" >sum.jsonl &&
	sums_up "It is 42." -s output.summary=model -s output.summary_model=sum &&
	grep "not a model.s: the limit of tokens cut it off" lines &&
	dead="{provider: openai, model: x, base_url: \"http://127.0.0.1:9/v1\", retries: 1}" &&
	OPENAI_API_KEY=x "$RONDO" run talk.yaml -s "models.sum=$dead" \
		-s output.summary=model -s output.summary_model=sum >out &&
	grep "^! the summary is the last message, not a model.s: model sum: " out &&
	grep "^   model    sum: 1 call, at least 0 tokens in, 0 out, cost unknown$" out &&
	grep "^   summary  It is 42.$" out
'

echo stall >script
port=$("$SOURCE/tests/lib/server" -d script log 3>&- 4>&- 5>&-)
cleanup "kill $(cat log.pid)"
check 'semantics 9.9: the time limit is reported as a limit everywhere' '
	OPENAI_API_KEY=x test_expect_code 1 "$RONDO" run talk.yaml -s limits.time=300ms --style ag2 \
		-s "models.said={provider: openai, model: x, base_url: \"http://127.0.0.1:$port\"}" >out &&
	grep "^>>>>>>>> TERMINATING RUN (.*): stopped$" out &&
	grep "^. stopped: the time limit of the run is over" out &&
	grep "^   stopped  by time_limit (limit)$" out && "$RONDO" show >out &&
	grep "^stopped by time_limit (limit): the time limit of the run is over" out
'

check 'a fix has no summary: its answer is its branch' '
	tiny branch && (cd branch && fix >../out) && ! grep "^   summary" out
'

test_done
