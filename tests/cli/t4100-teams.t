#!/bin/sh
test_description='teams as a user runs them: rounds with real code, and teams within teams'
. "$(dirname "$0")/lib.sh"

if [ "$EXECUTOR" = local ]; then
	mkdir -p "$HOME/.config/rondo" && echo 'executor: local' >"$HOME/.config/rondo/config.yaml"
fi

# speakers FILE: who is shown to speak, in their order.
speakers() {
	sed -n 's/^---------- \(.*\) ----------$/\1/p' "$1" | tr '\n' ' '
}

# The fence of the peer's own test is indented by one space.
cat >hello.yaml <<\EOF
task: Write a program that prints 'Hello, world!'
models:
  said:
    provider: replay
    replies:
      - "Here is the program\n ```python\nprint(\"Hello, world!\")\n```"
      - TERMINATE
agents: {coder: {type: coder, model: said}, executor: executor}
team: {participants: [coder, executor], termination: text_mention/TERMINATE}
assert:
  - contains: {value: "Hello, world!", sources: [executor]}
  - stop_reason: TERMINATE
EOF

check 'a coder, an executor and a word: the peer'\''s first case (1)' '
	"$RONDO" run hello.yaml >out && test "$(speakers out)" = "user coder executor coder " &&
	grep "Code output: Hello, world!$" out && grep "done: Text .TERMINATE. mentioned   3 turns" out
'

nested=$SOURCE/scenarios/team-in-team.yaml

check 'a team within speaks under its name, and what it was told is not told again' '
	"$RONDO" run "$nested" >out &&
	test "$(speakers out)" = "user desk/writer desk/reviewer desk/writer desk/reviewer desk editor desk/writer desk/reviewer desk editor " &&
	grep "done: Text .PRINT. mentioned   4 turns" out && ! grep "Text .APPROVED." out
'

check 'rondo show tells it as it was told then' '
	"$RONDO" show >later && test "$(speakers later)" = "$(speakers out)"
'

check 'its events carry its name, and its state is in the record once' '
	"$RONDO" show --json >records && grep -c "\"team\":\"desk\"" records >n &&
	test "$(cat n)" -gt 10 &&
	! grep "\"team\":\"desk\".*\"entries\"" records &&
	grep "\"source\":\"desk\".*\"entries\"" records >/dev/null
'

check 'of two equal runs the normal form is the same' '
	"$RONDO" show --normal >first && "$RONDO" run "$nested" >out &&
	"$RONDO" show --normal >second &&
	test_cmp first second && test "$(speakers second)" = "$(speakers out)"
'

check 'with messages: all the others hear all, and each is shown once' '
	sed "s/^    team:\$/    type: team\n    messages: all\n    team:/" "$nested" >all.yaml &&
	"$RONDO" check all.yaml &&
	"$RONDO" run all.yaml >out &&
	test "$(speakers out)" = "user desk/writer desk/reviewer desk/writer desk/reviewer desk editor desk/writer desk/reviewer desk editor " &&
	"$RONDO" show --normal >normal && test "$(speakers normal)" = "$(speakers out)"
'

check 'what is scenario.json of such a run is a scenario' '
	dir=$(ls -td "$XDG_STATE_HOME"/rondo/runs/* | head -n 1) && "$RONDO" check "$dir/scenario.json"
'

check 'a team that would take part in itself is refused with its place' '
	printf "task: x\nagents: {a: {team: {participants: a}}}\nteam: {participants: a}\n" \
		>loop.yaml &&
	test_expect_code 2 "$RONDO" run loop.yaml 2>err &&
	grep "loop.yaml:2:35: .a. would take part in itself" err
'

# A diary that a team within keeps; the last reply of the one who judges it may be left out.
runs=$XDG_STATE_HOME/rondo/runs
nested_diary() {
	cat <<-EOF
	task: Keep a diary.
	models:
	  said: {provider: replay, replies: ["One.\n\n\`\`\`sh\necho one >>diary; cat diary\n\`\`\`", "Two.\n\n\`\`\`sh\necho two >>diary; cat diary\n\`\`\`"]}
	  judged: {provider: replay, replies: [Go on.$1]}
	agents:
	  writer: {type: coder, model: said}
	  runner: executor
	  diarist: {type: team, messages: all, team: {participants: [writer, runner], max_turns: 2}}
	  judge: {type: coder, model: judged}
	team: {participants: [diarist, judge], termination: text_mention/TERMINATE}
	executor: {type: $EXECUTOR}
	EOF
}

test_expect_success 'a team within at work, to its end and as far as a reply that is missing' '
	nested_diary ", TERMINATE" >whole.yaml && nested_diary >cut.yaml && rm -rf "$XDG_STATE_HOME" &&
	"$RONDO" run whole.yaml >out && "$RONDO" show --normal >expected &&
	grep "^two$" "$runs"/*/files/diary &&
	cp "$runs"/*/files/diary diary.expected && rm -rf "$XDG_STATE_HOME" &&
	test_expect_code 2 "$RONDO" run cut.yaml && cp -r "$XDG_STATE_HOME" state.cut &&
	wc -l <"$(echo state.cut/rondo/runs/*/attempts/1/journal.jsonl)" >records
'

# What was done within a turn that broke off is undone, and done again with the replies that were
# paid for. make check looks at some of the records, make check-slow at all.
for n in $(seq 2 "${RESUME_STEP:-6}" "$(cat records)"); do
	check "cut off after $n records" '
		rm -rf "$XDG_STATE_HOME" "$XDG_CACHE_HOME" && cp -r state.cut "$XDG_STATE_HOME" &&
		head -n '"$n"' state.cut/rondo/runs/*/attempts/1/journal.jsonl >"$(echo "$runs"/*/attempts/1)/journal.jsonl" &&
		sed -i "s/\"Go on.\"/&, \"TERMINATE\"/" "$runs"/*/scenario.json &&
		"$RONDO" resume >out && "$RONDO" show --normal >actual && test_cmp expected actual &&
		test_cmp diary.expected "$runs"/*/files/diary &&
		test 4 -ge "$(grep -c "\"type\":\"model.reply\"" "$runs"/*/attempts/1/journal.jsonl)"
	'
done

test_done
