#!/bin/sh
test_description='teams as a user runs them: rounds with real code, and teams within teams'
. "$(dirname "$0")/lib.sh"

if [ "$EXECUTOR" = local ]; then
	mkdir -p "$HOME/.config/rondo" && echo 'executor: local' >"$HOME/.config/rondo/config.yaml"
fi

# The fence is indented by one space, as in AutoGen's own test.
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

check 'a coder, an executor and a word: AutoGen'\''s first case (1)' '
	"$RONDO" run hello.yaml >out && test "$(speakers out)" = "user coder executor coder " &&
	grep "Code output: Hello, world!$" out && grep "done: Text .TERMINATE. mentioned   3 turns" out
'

check 'a refusal stops the chat, and what the model was sent is shown (20, wrong 1)' '
	sed "s/ {stop_kind: success}//; s/^    - empty_message:/    - empty_message/" \
		"$SOURCE/scenarios/refusal.yaml" >refusal.yaml &&
	test_expect_code 1 "$RONDO" run refusal.yaml >out &&
	test "$(speakers out)" = "user assistant " &&
	grep "by empty_message (stall), after 2 messages" out && grep "recorded: 1 call," out &&
	"$RONDO" show --prompts >shown &&
	grep -A8 "to model recorded, beside the chat:" shown | grep "^ *An executor runs the code" &&
	grep "^ *TERMINATE$" shown
'

check 'who only talks is not nudged; who is to write code is, twice, with the word that ends it' '
	cat >talk.yaml <<-\EOF && test_expect_code 1 "$RONDO" run talk.yaml >out &&
	task: Count.
	models: {m: {provider: replay, replies: [one, two, three]}}
	agents: {counter: {type: coder, model: m}}
	team: {participants: [counter], max_turns: 3}
	EOF
	test "$(speakers out)" = "user counter counter counter " &&
	"$RONDO" show --prompts >shown && ! grep "Nothing has come" shown &&
	cat >code.yaml <<-\EOF && test_expect_code 1 "$RONDO" run code.yaml >out &&
	task: Count.
	models: {m: {provider: replay, replies: [one, two, three]}}
	agents: {coder: {type: coder, model: m, instructions: Write code.}, runner: executor}
	team: {participants: [coder, runner], termination: text_mention/STOP}
	EOF
	test "$(speakers out)" = "user coder coder coder " &&
	"$RONDO" show --prompts >shown && test $(grep -c "Nothing has come" shown) = 2 &&
	grep -A9 "Nothing has come" shown | grep "^ *STOP$"
'

check 'a success and a limit on one message is a success; code that failed is told (20, wrong 4)' '
	cat >both.yaml <<-\EOF && "$RONDO" run both.yaml >out &&
	task: Run it.
	models: {m: {provider: replay, replies: ["```sh\nexit 3\n```", DONE]}}
	agents: {coder: {type: coder, model: m}, runner: executor}
	team:
	  participants: [coder, runner]
	  termination: [{max_messages: 4}, {text_mention: DONE}]
	EOF
	grep "done: Maximum number of messages 4 reached.*, Text .DONE. mentioned" out &&
	grep "^! look at   the last code that ran: it failed, exit code 3$" out &&
	sed "s/exit 3/true/" both.yaml >well.yaml && "$RONDO" run well.yaml >out &&
	! grep "look at" out
'

nested=$SOURCE/scenarios/team-in-team.yaml
inner="desk/writer desk/reviewer"

check 'a team within a team speaks under its name, and no message is repeated' '
	"$RONDO" run "$nested" >out &&
	test "$(speakers out)" = "user $inner $inner desk editor $inner desk editor " &&
	grep "done: Text .PRINT. mentioned   4 turns" out && ! grep "Text .APPROVED." out
'

check 'a dry run names who speaks within a team (20, wrong 10)' '
	"$RONDO" run -n "$nested" >dry &&
	grep "desk (team of writer (coder), reviewer (coder); stops at text_mention), editor" dry
'

check 'rondo show shows the same speakers' '
	"$RONDO" show >later && test "$(speakers later)" = "$(speakers out)"
'

check 'its events have its name, and its state is recorded once' '
	"$RONDO" show --json >records && grep -c "\"team\":\"desk\"" records >n &&
	test "$(cat n)" -gt 10 &&
	! grep "\"team\":\"desk\".*\"entries\"" records &&
	grep "\"source\":\"desk\".*\"entries\"" records >/dev/null
'

check 'two equal runs have the same normal form' '
	"$RONDO" show --normal >first && "$RONDO" run "$nested" >out &&
	"$RONDO" show --normal >second &&
	test_cmp first second && test "$(speakers second)" = "$(speakers out)"
'

check 'messages: all: the others see all messages, and each is shown once' '
	sed "s/^    team:\$/    type: team\n    messages: all\n    team:/" "$nested" >all.yaml &&
	"$RONDO" check all.yaml &&
	"$RONDO" run all.yaml >out &&
	test "$(speakers out)" = "user $inner $inner desk editor $inner desk editor " &&
	"$RONDO" show --normal >normal && test "$(speakers normal)" = "$(speakers out)"
'

check 'scenario.json of such a run is a scenario' '
	dir=$(ls -td "$XDG_STATE_HOME"/rondo/runs/* | head -n 1) && "$RONDO" check "$dir/scenario.json"
'

check 'a team that contains itself is refused with its place' '
	printf "task: x\nagents: {a: {team: {participants: a}}}\nteam: {participants: a}\n" \
		>loop.yaml &&
	test_expect_code 2 "$RONDO" run loop.yaml 2>err &&
	grep "loop.yaml:2:35: .a. would take part in itself" err
'

# nested_diary [REPLY]: an inner team keeps a diary, and a judge says "Go on." and REPLY.
runs=$XDG_STATE_HOME/rondo/runs
nested_diary() {
	cat <<-EOF
	task: Keep a diary.
	models:
	  said:
	    provider: replay
	    replies:
	      - "One.\n\n$(fences sh "echo one >>diary; cat diary")"
	      - "Two.\n\n$(fences sh "echo two >>diary; cat diary")"
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

test_expect_success 'a team within a team runs to its end, and up to a missing reply' '
	nested_diary ", TERMINATE" >whole.yaml && nested_diary >cut.yaml && rm -rf "$XDG_STATE_HOME" &&
	"$RONDO" run whole.yaml >out && "$RONDO" show --normal >expected &&
	grep "^two$" "$runs"/*/files/diary &&
	cp "$runs"/*/files/diary diary.expected && rm -rf "$XDG_STATE_HOME" &&
	test_expect_code 2 "$RONDO" run cut.yaml && cp -r "$XDG_STATE_HOME" state.cut &&
	wc -l <"$(echo state.cut/rondo/runs/*/attempts/1/journal.jsonl)" >records
'

# An interrupted turn is undone and done again with the replies that were paid for. make check tries
# some of the records, make check-slow all.
for n in $(seq 2 "${RESUME_STEP:-6}" "$(cat records)"); do
	check "cut off after $n records" '
		rm -rf "$XDG_STATE_HOME" "$XDG_CACHE_HOME" && cp -r state.cut "$XDG_STATE_HOME" &&
		journal=$(echo "$runs"/*/attempts/1/journal.jsonl) &&
		head -n '"$n"' state.cut/rondo/runs/*/attempts/1/journal.jsonl >"$journal" &&
		sed -i "s/\"Go on.\"/&, \"TERMINATE\"/" "$runs"/*/scenario.json &&
		"$RONDO" resume >out && "$RONDO" show --normal >actual && test_cmp expected actual &&
		test_cmp diary.expected "$runs"/*/files/diary &&
		test 4 -ge "$(grep -c "\"type\":\"model.reply\"" "$journal")"
	'
done

test_done
