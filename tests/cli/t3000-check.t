#!/bin/sh
test_description='rondo check, the schema, the manual pages and completions'
. "$(dirname "$0")/lib.sh"

WELL='task: x
agents: {a: executor}
team: {participants: [a]}'

says() {
	printf '%s\n' "$1" >expected && test_cmp expected out
}

check 'all errors of all files, and how many' '
	mkdir dir && printf "%s\n" "$WELL" >dir/well.yaml &&
	printf "%s\nnaem: y\n" "$WELL" >dir/a.yml && echo "task: [" >dir/b.json &&
	echo "no scenario" >dir/README.md && : >dir/.hidden.yaml &&
	test_expect_code 2 "$RONDO" check dir/well.yaml dir nowhere.yaml >out &&
	says "dir/a.yml:4:1: unknown key '\''naem'\'', did you mean '\''name'\''?
dir/b.json:2:1: expected a value
nowhere.yaml: cannot be read: No such file or directory
3 errors in 3 of 5 files" &&
	(cd dir && test_expect_code 2 "$RONDO" check >../out) && grep "^2 errors in 2 of 3 files" out &&
	test_expect_code 2 "$RONDO" check dir/a.yml >out && grep "^1 error in 1 of 1 file$" out
'

check 'nothing wrong' '
	"$RONDO" check dir/well.yaml >out && says "1 file, nothing wrong"
'

check 'a directory without scenarios' '
	mkdir none && test_expect_code 2 "$RONDO" check none 2>out &&
	says "rondo: '\''none'\'' holds no scenario: no .yaml, .yml or .json file"
'

check 'a batch is a section, with its tasks' '
	printf "%s\nbatch: [one, two]\n" "$WELL" >batch.yaml &&
	test_expect_code 2 "$RONDO" check batch.yaml >out &&
	says "batch.yaml:4:8: batch must be a section of keys, found a list
1 error in 1 of 1 file" && "$RONDO" schema >schema && grep -w batch schema
'

check 'a name of a file does not steer the terminal' '
	name=$(printf "a\033[2J.yaml") && echo "- a" >"$name" &&
	test_expect_code 2 "$RONDO" check "$name" >out &&
	says "a\\e[2J.yaml:1:1: a scenario is a section of keys, such as team: and agents:
1 error in 1 of 1 file"
'

check 'rondo run prints the same and runs nothing' '
	test_expect_code 2 "$RONDO" run dir/a.yml -p n=1 -s team.max_turns=0 >out 2>err &&
	test_must_be_empty out && cat err >out &&
	says "-p n=1: parameter '\''n'\'' is not declared
-s team.max_turns=0: max_turns must be between 1 and 1000000, found '\''0'\''
dir/a.yml:4:1: unknown key '\''naem'\'', did you mean '\''name'\''?
rondo: 3 errors; nothing was run" &&
	test ! -e "$XDG_STATE_HOME/rondo/runs"
'

check LONG 'the schema is valid, and accepts all that rondo check accepts' '
	if ls "$SOURCE"/scenarios/*.yaml >/dev/null 2>&1; then more=$SOURCE/scenarios; fi &&
	/usr/bin/python3 "$SOURCE/tests/lib/schema" "$RONDO" 100 "$SOURCE/tests/scenarios" $more >out ||
		{ cat out; exit 1; }
	grep ", 0 faults$" out
'

# The pages as man formats them, and as mandoc reads them; scdoc adds paragraphs that mandoc skips.
check 'both manual pages, without a warning' '
	"$RONDO" schema --format man | scdoc >rondo-scenario.5 &&
	scdoc <"$SOURCE/doc/rondo.1.scd" >rondo.1 &&
	for page in rondo.1 rondo-scenario.5; do
		if command -v man >/dev/null; then
			man --warnings -l $page >text 2>warnings && test_must_be_empty warnings &&
			test -s text || exit 1
		fi &&
		if command -v mandoc >/dev/null; then
			! mandoc -T lint -W warning $page | grep -v "skipping paragraph macro" || exit 1
		fi || exit 1
	done
'

check 'the manual page of scenarios has every type and every key of the schema' '
	"$RONDO" schema | /usr/bin/python3 -c "
import json, sys
def names(at):
    if isinstance(at, dict):
        yield from at.get(\"properties\", {})
        for value in at.values(): yield from names(value)
    elif isinstance(at, list):
        for value in at: yield from names(value)
print(\"\n\".join(sorted(set(names(json.load(sys.stdin))))))" >names &&
test $(wc -l <names) -gt 80 &&
	"$RONDO" schema --format man | sed "s/\\\\//g" >page &&
	while read -r name; do
		grep -qw "$name" page || { echo "$name is missing"; exit 1; }
	done <names
'

# words WORD...: what bash offers for the last of the words, sorted, on a line.
words() {
	PATH=$RONDO_BUILD:$PATH bash --norc -c '
		. <(rondo completion bash)
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_rondo_words 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}" | LC_ALL=C sort | tr "\n" " " | sed "s/ \$//"' bash "$@"
}

# offers EXPECTED WORD...
offers() {
	expected=$1 && shift && found=$(words "$@") &&
		test "$found" = "$expected" || { echo "$*: $found"; return 1; }
}

check 'bash completes commands, options, values, types, lists, keys and runs' '
	offers "check completion" rondo c &&
	offers "--env-file --executor" rondo fix --e &&
	offers "--state-dir" rondo check --s &&
	offers "daytona docker jupyter local sandbox" rondo fix --executor "" &&
	offers "sandbox" rondo fix --executor = s &&
	offers "json man" rondo schema --format = &&
	offers "text_mention text_message" rondo help text &&
	offers "teams terminations" rondo list t &&
	offers "limits.time= limits.tokens= limits.turns=" rondo run -s limits.t &&
	offers "team.grace_execution= team.max_turns= team.on_stop= team.participants= \
team.termination=" rondo run f.yaml --set team. &&
	offers "fish" rondo completion f &&
	offers "report" rondo schema r &&
	offers "" rondo run f.yaml &&
	offers "last" rondo show "" &&
	mkdir -p "$XDG_STATE_HOME/rondo/runs/20260102-030405-abcd" &&
	offers "20260102-030405-abcd last" rondo show "" &&
	rm -r "$XDG_STATE_HOME"
'

command -v fish >/dev/null && test_set_prereq FISH
command -v zsh >/dev/null && test_set_prereq ZSH

check 'a value may be in the word of its option, as in shells other than bash' '
	"$RONDO" completion words -- fix --executor=s | cut -f1 >out && says "--executor=sandbox" &&
	"$RONDO" completion words -- fix -s limits.t | cut -f2 >out && says "turns of the chat
the whole run
tokens of all models; else no limit" &&
	"$RONDO" completion words -- fix --coder "" | cut -f1 >out && says "auto
repair
model
aider
claude
codex
gemini
mini
opencode
qwen" && "$RONDO" completion words -- fix --limit re >out &&
	grep "^repair=	the search of the coder without a model" out &&
	"$RONDO" completion words -- fix >out && grep "^fix	make the failing" out
'

check 'declarative files of other programs are named, with the reason (20, missing 4)' '
	printf "kind: Prompt\nname: A\ninstructions: Help.\nmodel: {id: gpt-5}\n" >agent.yaml &&
	test_expect_code 2 "$RONDO" check agent.yaml >out &&
	grep "^agent.yaml:1:1: this is of kind Prompt of Microsoft.s Agent Framework, and no" out &&
	printf "kind: Workflow\ntrigger: {kind: OnConversationStart}\n" >flow.yaml &&
	test_expect_code 2 "$RONDO" run flow.yaml 2>err &&
	grep "1:1: this is of kind Workflow" err &&
	printf "kind: hosted\nname: A\nprotocols: [{protocol: responses}]\n" >hosted.yaml &&
	test_expect_code 2 "$RONDO" check hosted.yaml >out && grep "this is of kind hosted" out &&
	echo "[{\"model\": \"gpt-5-mini\", \"api_key\": \"sk-1\"}]" >OAI_CONFIG_LIST &&
	test_expect_code 2 "$RONDO" check OAI_CONFIG_LIST >out && grep "a list of models for AG2" out &&
	! grep sk-1 out
'

check 'a handoff that nobody can make is told; braces of others can be written (20, wrong 9)' '
	cat >hand.yaml <<-\EOF && "$RONDO" check hand.yaml >out &&
	task: Print \{{name}}
	models: {m: {provider: replay, replies: [DONE]}}
	agents: {a: {type: coder, model: m}}
	team: {participants: [a], termination: [text_mention/DONE, handoff/user]}
	EOF
	grep "^! hand.yaml:4:60: handoff never fires: no agent here hands over" out &&
	"$RONDO" run hand.yaml >out && grep "^Print {{name}}$" out && grep "! .*handoff never" out
'

check 'what run refuses, check refuses; other programs'\'' words are known (20, wrong 9)' '
	cat >peer.yaml <<-\EOF && test_expect_code 2 "$RONDO" check peer.yaml >out &&
	task: t
	models: {m: {provider: replay, replies: []}, n: {provider: replay, file: none.jsonl}}
	agents: {a: {type: coder, model: m}, b: coder/n}
	team: {participants: [a, b]}
	EOF
	says "peer.yaml:2:13: model '\''m'\'': '\''replies'\'' or '\''file'\'' must say what it replies
peer.yaml:2:49: model '\''n'\'': there is no file '\''none.jsonl'\''
2 errors in 1 of 1 file" &&
	cat >peer.yaml <<-\EOF && test_expect_code 2 "$RONDO" check peer.yaml >out &&
	task: t
	agents: {a: {type: AssistantAgent}, b: {type: executor, timeout: 3}, c: foo}
	executor: commandline-local
	team: {type: RoundRobinGroupChat, participants: [b]}
	EOF
	says "peer.yaml:2:20: unknown agent type '\''AssistantAgent'\'', which is '\''coder'\'' here
peer.yaml:2:57: unknown key '\''timeout'\'' in agent '\''b'\''
peer.yaml:2:73: unknown agent type '\''foo'\''; it must be one of repair, coder, command, \
acp, sequence, team, executor, tester, user
peer.yaml:3:11: unknown executor type '\''commandline-local'\'', which is '\''local'\'' here
peer.yaml:4:14: unknown team type '\''RoundRobinGroupChat'\'', which is '\''round_robin'\'' here
5 errors in 1 of 1 file" &&
	cat >peer.yaml <<-\EOF && test_expect_code 2 "$RONDO" check peer.yaml >out &&
	task: t
	agents: {a: {type: executor, code_execution_config: {}, max_consecutive_auto_reply: 3}}
	batch: {over: [1]}
	executor: {type: docker, bind_dir: x, extra_hosts: {db: 10.0.0.9}}
	team: {participants: [a], max_round: 3, is_termination_msg: DONE}
	EOF
	says "peer.yaml:2:30: unknown key '\''code_execution_config'\'' in agent '\''a'\'': \
the section '\''executor'\'' says where code runs
peer.yaml:2:57: unknown key '\''max_consecutive_auto_reply'\'' in agent '\''a'\'': \
'\''max_turns'\'' of the team bounds a chat
peer.yaml:3:9: unknown key '\''over'\'' in batch
peer.yaml:4:26: unknown key '\''bind_dir'\'' in executor: leave it out: rondo finds where the \
engine sees the files ('\''tree'\'')
peer.yaml:5:27: unknown key '\''max_round'\'' in team: '\''max_turns'\'' of the team bounds a chat
peer.yaml:5:41: unknown key '\''is_termination_msg'\'' in team: \
'\''termination: {text_mention: WORD}'\'' of the team ends a chat
6 errors in 1 of 1 file"
'

check FISH 'fish completes the same' '
	offer() { PATH=$RONDO_BUILD:$PATH fish -c \
		"rondo completion fish | source; complete -C \"$1\"" | cut -f1 | sort | tr "\n" " "; } &&
	test "$(offer "rondo c")" = "check completion " &&
	test "$(offer "rondo fix --executor ")" = "daytona docker jupyter local sandbox " &&
	test "$(offer "rondo help text")" = "text_mention text_message " &&
	test "$(offer "rondo gc --st")" = "--state-dir "
'

check ZSH 'zsh reads its script' '
	"$RONDO" completion zsh >_rondo && zsh -f -n _rondo
'

check 'an unknown shell' '
	test_expect_code 2 "$RONDO" completion csh 2>out &&
	says "rondo: a shell must be one of bash, zsh, fish, found '\''csh'\''
  help  rondo completion --help"
'

test_done
