#!/bin/sh
test_description='how a chat is shown: AG2'\''s form, piped and on a terminal; what a run says at its end'
. "$(dirname "$0")/lib.sh"

chats=$SHARNESS_TEST_SRCDIR/t3600
if [ "$EXECUTOR" = local ]; then
	mkdir -p "$HOME/.config/rondo" && echo 'executor: local' >"$HOME/.config/rondo/config.yaml"
fi

# transcript FILE: what was said, to the line that ends it, without the run's id.
transcript() {
	sed "s/\(TERMINATING RUN\) ([-0-9a-f]*)/\1 (ID)/; /TERMINATING RUN/q" "$1"
}

check 'semantics 0, example 000: a pair in AG2'\''s form' '
	"$RONDO" run "$chats/pair.yaml" --style ag2 >out && transcript out >said && test_cmp "$chats/pair.ag2" said
'

check 'semantics 6: rondo show tells it in the same form' '
	"$RONDO" show --style ag2 >out && sed "1,/^$/d" out >body && transcript body >shown && test_cmp "$chats/pair.ag2" shown
'

check NODE 'semantics 0, example 000: scenarios/rle.yaml' '
	"$RONDO" run "$SOURCE/scenarios/rle.yaml" --style ag2 >out && transcript out >said && test_cmp "$chats/rle.ag2" said
'

check 'semantics 6: a group speaks by way of a manager' '
	"$RONDO" run "$chats/group.yaml" --style ag2 >out && transcript out >said && test_cmp "$chats/group.ag2" said
'

check 'semantics 6: colours on a terminal, senders yellow and notices red' '
	TERM=xterm "$SOURCE/tests/cli/on-a-terminal" "$RONDO" run "$chats/group.yaml" --style ag2 >seen &&
	python3 "$SOURCE/tests/cli/without-live-lines" seen >out && transcript out >said &&
	test_cmp "$chats/group.terminal" said
'

# as_if MODE: the last pair as if its executor asked a human.
as_if() {
	"$RONDO" run "$chats/pair.yaml" >out &&
		sed -i "/\"type\":\"base\"/s/\"name\":\"code_executor\"/&,\"human_input_mode\":\"$1\"/" state/rondo/runs/*/attempts/1/journal.jsonl
}

check 'semantics 4: a human who presses Enter, who writes, and who is asked at the end alone' '
	rm -rf state && as_if ALWAYS && "$RONDO" show --style ag2 >enter && sed -n "/^Two and two/,/^exitcode/p" enter >between &&
	grep -A3 "^>>>>>>>> NO HUMAN INPUT RECEIVED.$" between >notices && test "$(grep -c "" notices)" = 4 &&
	grep "^>>>>>>>> USING AUTO REPLY...$" notices &&
	sed -i "s/\"type\":\"code_execution\"/\"type\":\"text\"/" state/rondo/runs/*/attempts/1/journal.jsonl &&
	"$RONDO" show --style ag2 >text && sed -n "/^Two and two/,/^exitcode/p" text >between && ! grep ">>>>>>>>" between &&
	rm -rf state && as_if TERMINATE && "$RONDO" show --style ag2 >end && ! grep "NO HUMAN INPUT" end &&
	test "$(grep -c "USING AUTO REPLY" end)" = 5
'

check 'what an edit changes is no code block' '
	tiny repo && (cd repo && fix --style ag2 >../out) && grep "^coder (to chat_manager):$" out &&
	grep "^executor (to chat_manager):$" out && ! grep "EXECUTING" out && grep "^>>>>>>>> TERMINATING RUN (.*): " out
'

check 'nothing that was said steers the terminal, and an unknown style is named' '
	sed "s/It is printed/\\\\e[31mred/" "$chats/group.yaml" >red.yaml && "$RONDO" run red.yaml --style ag2 >out &&
	grep -F "\\e[31mred: *a line*" out &&
	test_expect_code 2 "$RONDO" show --style ag3 2>err && grep "style must be one of rondo, ag2, found .ag3." err
'

# --- What a run says at its end ---

check 'semantics 9.5: which condition, which message, whose; who asked which model, at what cost' '
	"$RONDO" run "$chats/group.yaml" >out && sed -n "/^. done: /,\$p" out | sed "s/[0-9.]* m*s$/TIME/" >end &&
	test_cmp "$chats/group.end" end && "$RONDO" show >out && sed -n "/^stopped /,/^files/p" out | sed "/^files/d; /^patch/d" >end &&
	test_cmp "$chats/group.shown" end && for line in "- stopped by text_mention at message 5 of coder, after" \
		"- agent reviewer: 1 call, 0 tokens in" "- model coder: 2 calls, 0 tokens in, 0 out, 0 USD"; do
		grep -e "^$line" state/rondo/runs/*/report.md || exit 1
	done
'

check 'semantics 6, AG2'\''s cost: --json has what each model took' '
	"$RONDO" run "$chats/group.yaml" --json | tail -1 >result && python3 -c "
import json
result = json.load(open(\"result\"))
stop, usage = result[\"stop\"], result[\"usage\"]
assert (stop[\"condition\"], stop[\"message\"], stop[\"source\"], stop[\"verdict\"]) == (\"text_mention\", 5, \"coder\", \"success\"), stop
assert (stop[\"messages\"], stop[\"rounds\"], stop[\"left_unexecuted\"]) == (5, 2, False), stop
assert sorted(usage[\"by_agent\"]) == sorted(usage[\"by_model\"]) == [\"coder\", \"reviewer\"], usage
model = usage[\"by_model\"][\"coder\"]
assert {key: model[key] for key in (\"prompt_tokens\", \"completion_tokens\", \"total_tokens\", \"cost\", \"calls\")} == \
    {\"prompt_tokens\": 0, \"completion_tokens\": 0, \"total_tokens\": 0, \"cost\": 0, \"calls\": 2}, model
assert \"cost\" not in usage[\"by_agent\"][\"coder\"], usage
"
'

check 'semantics 0, max_turns: what was proposed last and not run is said to be so' '
	test_expect_code 1 "$RONDO" run "$chats/pair.yaml" -s team.max_turns=3 -s team.grace_execution=false >out &&
	grep "^   stopped  by max_turns, after 4 messages in 2 rounds$" out && grep "^   left     the last proposed code was not run$" out &&
	"$RONDO" show >out && grep "^the last proposed code was not run$" out
'

check 'a grace execution comes after the message that stopped the chat' '
	"$RONDO" run "$chats/group.yaml" -s "models.coder.replies=[\"\`\`\`sh\necho TERMINATE\n\`\`\`\"]" >out && grep "^   stopped  by text_mention at message 2 of coder, after 3 messages in 1 round$" out &&
	! grep "was not run" out
'

check 'a fix that needed no model says no more than before' '
	tiny short && (cd short && fix >../out) && sed -n "/^. verified/,\$s/^   \([a-z][a-z]*\).*/\1/p" out >labels &&
	printf "%s\n" branch change look take drop >expected && test_cmp expected labels &&
	"$RONDO" show >out && grep "^stopped by tests_pass at message [0-9]* of tester, after [0-9]* messages in [0-9]* rounds: .*; 0 tokens$" out
'

test_done
