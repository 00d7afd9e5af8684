#!/bin/sh
test_description='rondo run and check with the teams that AutoGen dumps'
. "$(dirname "$0")/lib.sh"

dumps=$SOURCE/tests/unit/data/autogen

check 'a dumped team runs to its end' '
	"$RONDO" run "$dumps/case_1.json" --executor "$EXECUTOR" --task "Print hello." >out &&
	test "$(speakers out)" = "user coding_assistant executor coding_assistant " &&
	grep -x "Print hello." out && grep -x "Hello, world!" out &&
	grep "done: Text .TERMINATE. mentioned   3 turns" out &&
	"$RONDO" show >shown && grep -x "Hello, world!" shown
'

check SANDBOX 'its local executor is the sandbox, unless --executor names the local one' '
	"$RONDO" run -n "$dumps/case_1.json" --task x >out && grep "executor    sandbox" out &&
	"$RONDO" run -n "$dumps/case_1.json" --executor local --task x >out &&
	grep "executor    local" out
'

check 'a dry run names the agents, the limits and what in the file has no effect' '
	"$RONDO" run -n "$dumps/case_1.json" --executor "$EXECUTOR" --task x >out &&
	grep "team        coding_assistant (coder), executor (executor); stops at text_mention" out &&
	grep "limits      turns 40, .*block 1m" out &&
	grep "case_1.json:[0-9]*:[0-9]*: work_dir of code_executor of participant 2 is not used: " out
'

check 'the word that ends a chat may be a part of another; the task does not end it' '
	"$RONDO" run "$dumps/case_39_part.json" --task "Do not stop." >out && grep -x unstoppable out &&
	grep "done: Text .stop. mentioned   3 turns" out
'

check 'max_turns counts turns' '
	test_expect_code 1 "$RONDO" run "$dumps/turns.json" --task x >out &&
	grep "stopped: Maximum number of turns 3 reached" out &&
	test_expect_code 1 "$RONDO" run "$dumps/turns.json" --task x -s team.max_turns=1 >out &&
	grep "stopped: Maximum number of turns 1 reached" out
'

check 'a missing task is reported before anything runs' '
	rm -rf state && cp "$dumps/turns.json" . && test_expect_code 2 "$RONDO" run turns.json 2>err &&
	printf "%s\n" "turns.json:1:1: the file needs '\''task'\'': what the chat begins with \
(or --task TEXT)" "rondo: 1 error; nothing was run" >expected && test_cmp expected err &&
	test ! -e state/rondo/runs
'

check 'run and check name a component without a counterpart, with its place' '
	sed "s/agents.CodeExecutorAgent/agents.SocietyOfMindAgent/" "$dumps/case_1.json" >team.json &&
	test_expect_code 2 "$RONDO" run team.json --task x 2>err &&
	test_expect_code 2 "$RONDO" check team.json >out &&
	line="team.json:75:21: component '\''autogen_agentchat.agents.SocietyOfMindAgent'\'' \
(participant 2) has no counterpart in rondo" &&
	grep -Fx "$line" err && grep -Fx "$line" out && rm team.json && "$RONDO" check turns.json
'

check 'a key in the file is neither used nor stored' '
	sed "s/\"\*\*\*\*\*\*\*\*\*\*\"/\"sk-in-clear\"/" "$dumps/openai.json" >keyed.json &&
	grep -q sk-in-clear keyed.json &&
	unset OPENAI_API_KEY && test_expect_code 2 "$RONDO" run keyed.json --task x >out 2>&1 &&
	grep "keyed.json:33:26: api_key is not used" out && grep "OPENAI_API_KEY is not set" out &&
	! grep -r sk-in-clear out state
'

check '--style autogen prints the chat as the Console of AutoGen does (20, missing 1)' '
	cat >expected <<-\EOF &&
	---------- TextMessage (user) ----------
	Do it.
	---------- TextMessage (a) ----------
	Hello
	---------- TextMessage (b) ----------
	World

	EOF
	test_expect_code 1 "$RONDO" run "$dumps/case_45.json" --task "Do it." --style autogen >out &&
	sed "/stopped: /,\$d" out | test_cmp expected -
'

test_done
