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

test_done
