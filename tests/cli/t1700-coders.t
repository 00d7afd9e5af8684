#!/bin/sh
test_description='rondo fix --coder: programs that are no part of rondo edit the tree themselves'
. "$(dirname "$0")/lib.sh"

AGENT=$SOURCE/tests/lib/coder_agent

# coder DIR MODE... [-- OPTION...]: rondo fixes a tiny repository by an agent that does this.
coder() {
	dir=$1
	modes=
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		modes="$modes $1" && shift
	done
	[ $# = 0 ] || shift
	[ -e "$dir" ] || tiny "$dir" || return
	(cd "$dir" && fix --coder "python3 $AGENT$modes" "$@")
}

# said: what the coder said in the last run, all of it.
said() {
	"$RONDO" show | awk '/^---------- .* ----------$/ { on = $2 == "coder"; next } on'
}

check 'it edits the tree, the task comes on its standard input, and the branch is verified' '
	tiny one && (cd one && fingerprint) >before && coder one mend tell >out &&
	(cd one && fingerprint) >after && test_cmp before after &&
	grep "verified in a fresh checkout: 2 of 2 passed (was 1)" out && said >it &&
	grep "^shapes.py: 1 line added, 1 removed$" it && grep "^I was told: You work on" it &&
	grep "^Make the failing tests" it && grep "^- area" it && grep "run by: make check" it &&
	grep "^+    return width \* height$" it &&
	cd one && passes_in_clone "make check"
'

check 'the task comes as an argument, or in a file, whatever it holds' '
	tiny argument && (cd argument && sed -i "s/- area/- a \$(touch z) \"b\" \`c\`/" tests/run.py &&
		sed -i "s/\"area\"/\"area \$(touch z) \x27 \\\\\"quoted\\\\\" \`c\`\"/" tests/run.py &&
		commit_all names &&
		fix --coder "python3 $AGENT mend tell {task}" --branch a >../out && said >../it &&
		grep "area \$(touch z)" ../it && grep "^I was told: You work on" ../it &&
		fix --coder "python3 $AGENT mend tell \"{task_file}\"" --branch b >../out &&
		said >../it && grep "area \$(touch z)" ../it &&
		fix --coder "python3 $AGENT mend tell \"in front {task}\"" --branch c >../out &&
		said >../it && grep "^I was told: in front You work on" ../it) && test ! -e argument/z
'

check 'a script of its own is shown to it, beside the checkout and in it' '
	tiny script && echo "sed -i \"s/width + h/width * h/\" shapes.py" >beside.sh &&
	(cd script && cp ../beside.sh inside.sh && fix --coder "sh ../beside.sh" --branch a >../out &&
		fix --coder "sh inside.sh {task}" --branch b >../out &&
		echo inside.sh >.gitignore && fix --coder "sh inside.sh" --branch c >../out &&
		chmod +x ../beside.sh && sed -i "1i #!/bin/sh" ../beside.sh &&
		fix --coder "exec ../beside.sh" --branch d >../out) &&
	(cd script && for branch in a b c d; do
		git show $branch:shapes.py | grep "width \* height" || exit 1
	done && ! git show c:inside.sh)
'

check 'the tester says what is wrong, and it goes on until the tests pass' '
	coder twice half tell -- --limit turns=2 >out; test $? = 1 &&
	cat >two.sh <<-\EOF && tiny again && cd again &&
	case $1 in
	*"changed nothing"*) echo "The second time." && sed -i "s/width + h/width * h/" shapes.py ;;
	*) echo "The first time." ;;
	esac
	EOF
	fix --coder "sh ../two.sh {task}" >../out && said >../it &&
	grep "The first time." ../it && grep "The second time." ../it
'

check 'protected files are put back, and it is told' '
	cat >cheat.sh <<-EOF && tiny cheat && cd cheat &&
	case \$1 in
	*"Put back, since it is protected: Makefile, tests/new_helper.py, tests/run.py"*)
		echo "I see." && exec python3 $AGENT mend "" ;;
	esac
	exec python3 $AGENT cheat ""
	EOF
	fix --coder "sh ../cheat.sh {task}" --mount ../nothing >../out 2>&1; test $? = 2 &&
	sed "s/python3 .*coder_agent/python3 agent/" ../cheat.sh >cheat.sh && cp "$AGENT" agent &&
	fix --coder "sh cheat.sh {task}" >../out && said >../it && grep "^I see.$" ../it &&
	git diff --name-only "$(the_branch)^" "$(the_branch)" >../names &&
	echo shapes.py >../expected && test_cmp ../expected ../names &&
	grep "2 of 2 passed (was 1)" ../out
'

check 'what agents leave in the tree and what they do to git reaches no patch' '
	coder litter mend litter commit -- >out && (cd litter &&
		git diff --name-only main "$(the_branch)" >../names && git tag >../tags &&
		git branch --list mine) >>names && echo shapes.py >expected && test_cmp expected names &&
	test ! -s tags && coder rewrite mend rewrite >out && cd rewrite &&
	test "$(git rev-parse "$(the_branch)^")" = "$(git rev-parse main)" &&
	git diff --name-only main "$(the_branch)" >../names && test_cmp ../expected ../names
'

check SANDBOX 'it sees an empty home, no key, no network, and nothing that configures agents' '
	tiny look && (cd look && mkdir -p .claude sub/.codex && echo "{\"evil\": 1}" >opencode.json &&
		cp opencode.json .claude/settings.json && cp opencode.json sub/.codex/config.toml &&
		echo "Be kind." >AGENTS.md && commit_all && OPENAI_API_KEY=sk-secret \
		fix --executor sandbox --coder "python3 $AGENT mend look" >../out && said >../it &&
		grep "^home: \[.\.cache.\] /home/agent$" ../it && grep "^keys: \[\]$" ../it &&
		grep "^tree: \[.\.git., .AGENTS.md., .Makefile., .shapes.py., .tests.\]$" ../it &&
		grep "^hooks in history: False$" ../it && grep "^network: none$" ../it &&
		grep "^status: \[.M., .shapes.py.\]$" ../it &&
		git diff --name-only main "$(the_branch)" >../names) &&
	echo shapes.py >expected && test_cmp expected names
'

check SANDBOX 'the configuration adds coders, which may be shown what the repository says' '
	mkdir -p .config/rondo && cat >.config/rondo/config.yaml <<-EOF && tiny mine &&
	coders:
	  mine:
	    {type: command, command: python3 $AGENT mend look, configuration: true, env: {A_KEY: x}}
	EOF
	(cd mine && mkdir .claude && echo "{\"evil\": 1}" >.claude/settings.json && commit_all &&
		fix --executor sandbox --coder mine >../out && grep "^. coder       mine" ../out &&
		said) >it &&
	grep "^hooks in history: True$" it && grep "^keys: \[.A_KEY.\]$" it && grep "\.claude" it &&
	"$RONDO" list config >out && grep "^coders.mine.command  *python3" out
'

check SANDBOX 'nothing outside is written, and links out of the tree are not kept' '
	coder escape mend escape -- --executor sandbox >out && said >it &&
	grep "cannot write /usr/outside: Read-only file system" it && test ! -e outside &&
	grep "^Not kept: .link-out. is a link that leads out" it && (cd escape &&
		git diff --name-only main "$(the_branch)") >names && ! grep link-out names
'

check SANDBOX 'it cannot have another directory shown as its home' '
	tiny swap && mkdir -m 777 victim && echo "$PWD/victim" >swap/victim &&
	(cd swap && commit_all) &&
	test_expect_code 1 coder swap swap_home tell -- --executor sandbox >out &&
	test "$(said | grep -c "^I was told:")" -ge 1 && test -z "$(ls -A victim)"
'

check 'its silence and its time have an end, and what it did until then is judged' '
	cat >slow.yaml <<-EOF && tiny slow &&
	task: Make the tests pass.
	agents:
	  coder: {type: command, command: python3 $AGENT mend wait, LIMIT}
	  tester: tester
	team: {participants: [coder, tester], termination: tests_pass}
	workspace: {repo: slow}
	executor: {type: $EXECUTOR}
	EOF
	sed "s/LIMIT/idle: 10s/" slow.yaml >idle.yaml &&
	sed "s/LIMIT/timeout: 6s/" slow.yaml >timeout.yaml &&
	"$RONDO" run idle.yaml >out &&
	grep "^stopped: nothing was heard of it for 10.0 s (idle)$" out &&
	grep "^waiting$" out && grep "verified in a fresh checkout" out &&
	"$RONDO" run timeout.yaml >out &&
	grep "^stopped: its turn took longer than 6.0 s (timeout)$" out
'

check 'it dies in mid-edit: the half is judged, and is no fix' '
	test_expect_code 1 coder half half die -- --limit turns=2 >out && said >it &&
	grep "^ended with exit code 137$" it && (cd half && test -z "$(the_branch)")
'

check 'its exit code proves nothing: a fix is one, and nothing is none' '
	coder failing mend fail >out && said >it && grep "^ended with exit code 3$" it &&
	test_expect_code 1 coder idle "say=Done!" >out &&
	grep "gave up: it changed nothing in 2 turns; the last said: Done!" out && grep "not fixed" out
'

check 'lines of JSON say text and usage' '
	cat >json.yaml <<-EOF && tiny json && "$RONDO" run json.yaml >out &&
	agents:
	  coder: {type: command, command: python3 $AGENT mend json, output: json}
	  tester: tester
	team: {participants: [coder, tester], termination: tests_pass}
	workspace: {repo: json}
	executor: {type: $EXECUTOR}
	EOF
	said >it && tr "\n" " " <it >line && grep "One. Two. not JSON" line &&
	"$RONDO" show --json >json.out &&
	grep "\"models_usage\":{\"prompt_tokens\":100,\"completion_tokens\":7" json.out
'

check 'what it prints steers no terminal, and a flood is cut' '
	coder steer mend steer >out && said >it && grep "^done$" it && ! grep "$(printf "\033")" it out
'

check LONG 'a flood is cut' '
	coder flood mend flood >out && said | wc -c >size && test "$(cat size)" -lt 200000
'

check SANDBOX 'what it leaves running is killed with its turn' '
	coder daemon mend daemon -- --executor sandbox >out && grep "2 of 2 passed (was 1)" out
'

check 'a name that is none, a program that is not there, a key that is not set' '
	tiny errors && cd errors && test_expect_code 2 fix --coder claud 2>../err &&
	grep "^rondo: unknown coder .claud., did you mean .claude.?$" ../err &&
	grep "help  name one of aider, claude, .* or a command such as ..*/claud {task}.$" ../err &&
	test_expect_code 2 fix --coder "no-such {task}" 2>../err >../out &&
	grep "^rondo: agent .coder.: no program .no-such. is on PATH$" ../err &&
	test_expect_code 2 fix --coder ./no-such 2>../err >../out &&
	grep "there is no program .$PWD/no-such.$" ../err &&
	test_expect_code 2 fix --coder acp: 2>../err >../out && grep "names no command" ../err &&
	(unset ANTHROPIC_API_KEY; test_expect_code 2 fix --coder claude 2>../err >../out) &&
	grep "ANTHROPIC_API_KEY is not set" ../err &&
	mkdir ../bin && (PATH=/usr/bin:/bin && ANTHROPIC_API_KEY=x test_expect_code 2 \
		fix --coder claude 2>../err >../out) &&
	grep "Claude Code: no program .claude. is on PATH$" ../err &&
	grep "help  npm install -g @anthropic-ai/claude-code$" ../err &&
	test_expect_code 2 fix --coder qwen 2>../err >../out &&
	grep "Qwen Code asks a model, and none is named$" ../err &&
	"$RONDO" list coders >../out && grep "^opencode  *npm install -g opencode-ai$" ../out
'

check 'rondo.yaml of a repository names no coder' '
	tiny own && cd own && echo "coder: ./evil.sh" >rondo.yaml && test_expect_code 2 fix 2>../err &&
	grep "rondo.yaml:1:" ../err &&
	echo "coders: {auto: {type: command, command: ./evil.sh}}" >rondo.yaml &&
	test_expect_code 2 fix 2>../err && grep "rondo.yaml:1:" ../err
'

KEY=sk-planted-0123456789abcdef
cat >replies <<-\EOF
	scene good
	say Multiply.
	scene bad
	status 401
	body {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
EOF
BASE=http://127.0.0.1:$("$SOURCE/tests/lib/server" -d replies log 3>&- 4>&- 5>&-)
cleanup "kill $(cat log.pid)"

# modelled SCENE DIR MODE... [-- OPTION...]: the same with a model that replies as in the scene.
modelled() {
	OPENAI_BASE_URL=$BASE/$1 OPENAI_API_KEY=$KEY
	export OPENAI_BASE_URL OPENAI_API_KEY
	shift
	coder "$@"
}

check SANDBOX 'it reaches its model and nothing else, by a key that is none' '
	modelled good asks mend ask stray look -- --model openai/x --executor sandbox >out &&
	said >it &&
	grep "^the model says: Multiply.$" it && ! grep "$KEY" it && grep "^/v1/files 4" it &&
	grep "^/admin 4" it && grep "^network: none$" it && grep "Bearer $KEY" log &&
	grep "\"model\": \"x\"" log && "$RONDO" show --json >json.out && ! grep "$KEY" json.out &&
	grep "agent    coder: 1 call, 11 tokens in, 7 out" out &&
	grep "POST /v1/chat/completions x 200" state/rondo/runs/*/attempts/1/logs/coder-relay.log
'

check 'so, too, without a sandbox, however deep the run lies' '
	XDG_STATE_HOME=$PWD/$(printf "%0120d" 0) && export XDG_STATE_HOME &&
	modelled good deep mend ask -- --model openai/x --executor local >out && said >it &&
	grep "^the model says: Multiply.$" it && grep "agent    coder: 1 call, 11 tokens in" out
'

check LONG 'all that it spends is counted, however often it asks' '
	modelled good many mend often -- --model openai/x --executor local >out && said >it &&
	grep "agent    coder: 1001 calls, 11033 tokens in, 7021 out" out
'

check 'a limit of tokens holds for it' '
	test_expect_code 1 modelled good dear ask -- --model openai/x --limit tokens=1 >out &&
	said >it && grep "a limit of tokens or money is used up" it
'

check 'a key that is refused is told' '
	test_expect_code 1 modelled bad refused ask -- --model openai/x >out && said >it &&
	grep "HTTP 401 .*Incorrect API key" it
'

test_done
