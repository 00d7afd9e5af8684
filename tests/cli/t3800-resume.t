#!/bin/sh
test_description='rondo resume continues runs that were killed, cut off, interrupted or failed'
. "$(dirname "$0")/lib.sh"

runs=$XDG_STATE_HOME/rondo/runs

# Without the last reply the run ends by a fault and can be resumed.
diary '- TERMINATE' >whole.yaml
diary '' >cut.yaml

# prefix N: the run's directory with the first N records of its journal, without checkouts, and with
# the reply that was missing.
prefix() {
	rm -rf "$XDG_STATE_HOME" "$XDG_CACHE_HOME" && cp -r state.cut "$XDG_STATE_HOME" &&
		head -n "$1" state.cut/rondo/runs/*/attempts/1/journal.jsonl \
			>"$(echo "$runs"/*/attempts/1)/journal.jsonl" &&
		sed -i 's/"Two\..*"/&, "TERMINATE"/' "$runs"/*/scenario.json
}

test_expect_success 'a whole run, and one that lacks its last reply' '
	"$RONDO" run whole.yaml && "$RONDO" show --normal >expected &&
	cp "$runs"/*/files/diary diary.expected && rm -rf "$XDG_STATE_HOME" &&
	test_expect_code 2 "$RONDO" run cut.yaml 2>err &&
	grep "it has 3 replies, and one more is asked for" err &&
	cp -r "$XDG_STATE_HOME" state.cut &&
	cat state.cut/rondo/runs/*/attempts/1/journal.jsonl | wc -l >records
'

check 'no reply from before a fault is paid for twice' '
	prefix 1000 && "$RONDO" resume >out &&
	grep "^. resumed     2.* after 6 turns, 6 messages$" out &&
	"$RONDO" show --normal >actual && test_cmp expected actual &&
	test_cmp diary.expected "$runs"/*/files/diary &&
	test 4 = "$(grep -c "\"type\":\"model.reply\"" "$runs"/*/attempts/1/journal.jsonl)" &&
	test ! -e "$runs"/*/blobs
'

# Any record may be the last one on disk, and the next may be torn. make check tries some, make
# check-slow all.
for n in $(seq 2 "${RESUME_STEP:-5}" "$(cat records)"); do
	check "cut off after $n records, and within the next" '
		prefix '"$n"' && journal=$(echo "$runs"/*/attempts/1/journal.jsonl) &&
		printf "{\"v\":2,\"seq\":99,\"ty" >>"$journal" &&
		"$RONDO" resume >out && "$RONDO" show --normal >actual && test_cmp expected actual &&
		test_cmp diary.expected "$runs"/*/files/diary && test ! -e "$runs"/*/files/sub/a &&
		test 4 -ge "$(grep -c "\"type\":\"model.reply\"" "$journal")" &&
		grep -q "^{\"v\":2,\"seq\":99,\"ty$" "$journal.torn"
	'
done

# A block that says when it has begun and waits.
here=$PWD
mkfifo begun go
cat >waits.yaml <<-EOF
	task: Wait.
	models:
	  said:
	    provider: replay
	    replies:
	      - |
	        \`\`\`sh
	        ls; touch half; echo >'$here/begun'; cat '$here/go'; echo over
	        \`\`\`
	      - TERMINATE
	agents: {speaker: {type: coder, model: said}, runner: executor}
	team: {participants: [speaker, runner], termination: text_mention/TERMINATE}
	executor: local
EOF

for signal in INT.130 TERM.143; do
	check "a block that SIG${signal%.*} cut is taken again, on the files of then (20, wrong 6)" "
		rm -rf \"\$XDG_STATE_HOME\" && {
			env --default-signal=INT \"\$RONDO\" run waits.yaml >out 2>err & } && pid=\$! &&
		timeout 60 head -n 1 begun && kill -${signal%.*} \$pid && { wait \$pid; code=\$?; } &&
		test \$code = ${signal#*.} && grep '^Cancelled$' out && grep 'exitcode: 125' out &&
		\"\$RONDO\" show >shown && grep '^Cancelled$' shown &&
		{ timeout 60 head -n 1 begun >line & } && { echo on >go & } &&
		\"\$RONDO\" resume >out && grep 'after 1 turn, 2 messages' out && grep '^over$' out &&
		! grep -E '(^|output: )half$' out && grep '^. done' out
	"
done

check 'a run that has ended is not resumed' '
	test_expect_code 2 "$RONDO" resume 2>err && grep "^rondo: run 2.* has ended: done$" err &&
	grep "rondo show" err
'

check 'a broken record in the middle is refused with its line, and nothing is written' '
	prefix 1000 && journal=$(echo "$runs"/*/attempts/1/journal.jsonl) &&
	sed -i "9s/.*/{\"v\":2,\"se/" "$journal" &&
	sha256sum "$journal" "$runs"/*/report.json >before &&
	test_expect_code 2 "$RONDO" resume 2>err && grep "journal.jsonl:9: " err &&
	sha256sum -c before
'

check 'a run that was killed before its journal began is refused and says so' '
	prefix 1000 && rm "$runs"/*/attempts/1/journal.jsonl &&
	test_expect_code 2 "$RONDO" resume 2>err &&
	grep "^rondo: this run ended before its journal began: " err && grep "^  help  begin" err
'

check 'a message of the wrong speaker is refused' '
	prefix 1000 &&
	sed -i "s/\(\"type\":\"turn.start\",\"turn\":2,\"source\":\)\"runner\"/\1\"writer\"/" \
		"$runs"/*/attempts/1/journal.jsonl &&
	test_expect_code 2 "$RONDO" resume 2>err &&
	grep ".writer. speaks in the record, where another one would here" err
'

check 'the journal of a newer rondo is refused; that of an older one is only shown' '
	prefix 1000 && journal=$(echo "$runs"/*/attempts/1/journal.jsonl) &&
	sed -i "s/{\"v\":2,/{\"v\":3,/" "$journal" &&
	test_expect_code 2 "$RONDO" resume 2>err &&
	grep "journal.jsonl:1: a record of version 3, and this rondo reads up to 2" err &&
	prefix 1000 && sed -i "s/{\"v\":2,/{\"v\":1,/" "$journal" &&
	test_expect_code 2 "$RONDO" resume 2>err &&
	grep "a record of version 1, which says too little to continue" err && "$RONDO" show >out &&
	grep "Nothing to run here" out
'

check 'a second process is refused, and the message names the first' '
	prefix 1000 && cd "$runs"/*/attempts/1 && echo "process 1 on elsewhere since today" >lock &&
	flock lock sh -c "test_expect_code() { \"\$@\"; }; \"$RONDO\" resume 2>err; test \$? = 2" &&
	grep "this run is running already: process 1 on elsewhere since today" err &&
	"$RONDO" resume >out
'

check 'without a run there is nothing to resume' '
	rm -rf "$XDG_STATE_HOME" && test_expect_code 2 "$RONDO" resume 2>err &&
	grep "there is no run yet" err &&
	test_expect_code 2 "$RONDO" resume 2026 2>err && grep "no run begins with .2026." err
'

check 'a repair of uncommitted work is resumed with the work as it was' '
	rm -rf "$XDG_STATE_HOME" && tiny work && cd work && echo "# mine" >>shapes.py &&
	fix >../out &&
	"$RONDO" show --normal >../expected &&
	git rev-parse "$(the_branch)^{tree}" >../tree && git branch -qD "$(the_branch)" &&
	rm -rf "$XDG_STATE_HOME" "$XDG_CACHE_HOME" &&
	interrupted KILL && echo "# later" >>shapes.py && rm -rf "$XDG_CACHE_HOME" &&
	"$RONDO" resume >../out && grep "verified in a fresh checkout" ../out &&
	git rev-parse "$(the_branch)^{tree}" >../tree.actual && test_cmp ../tree ../tree.actual &&
	"$RONDO" show --normal >../actual &&
	test_cmp ../expected ../actual &&
	test 1 = "$(grep -c "\"type\":\"baseline\"" "$runs"/*/attempts/1/journal.jsonl)"
'

check 'so is one that SIGTERM stopped' '
	rm -rf "$XDG_STATE_HOME" work && tiny work && cd work && interrupted TERM &&
	"$RONDO" resume >out && grep "verified in a fresh checkout" out
'

check 'a message of an unknown type is shown, and the run is not resumed' '
	prefix 1000 &&
	sed -i "s/\(\"message\":{\"id\":2,\"type\":\)\"text\"/\1\"candidates\"/" \
		"$runs"/*/attempts/1/journal.jsonl &&
	"$RONDO" show >out && grep "^candidates: ." out && test_expect_code 2 "$RONDO" resume 2>err &&
	grep "message of unknown type .candidates." err &&
	grep "another version of rondo wrote it: rondo show reads it" err
'

test_done
