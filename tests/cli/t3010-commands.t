#!/bin/sh
test_description='list, init, gc and test; configuration, state directory, log and keys'
. "$(dirname "$0")/lib.sh"

says() {
	printf '%s\n' "$1" >expected && test_cmp expected "${2:-err}"
}

# scenario FILE [MAX_TURNS [WORD]]: two turns that need no program; the executor is started anyway.
scenario() {
	cat >"$1" <<-EOF
	name: ${1%.yaml}
	task: Say two things
	models: {said: {provider: replay, replies: [one, TERMINATE]}}
	agents: {speaker: {type: coder, model: said, edit_format: none}}
	team: {participants: [speaker], termination: text_mention, max_turns: ${2:-4}}
	executor: local
	assert: [{contains: ${3:-one}}]
	EOF
}

config=$HOME/.config/rondo/config.yaml
mkdir -p "$(dirname "$config")"

check 'list config shows each setting with its file and line; the last one counts' '
	tiny shop && cd shop && mkdir sub && "$RONDO" list config >out &&
	grep "^limits.turns  *40  *default$" out && grep "^executor.type  *sandbox  *default$" out &&
	printf "%s\n" \
		"# mine" "limits:" "  turns: 7" "  cost: 1" "executor: {type: local, network: host}" \
		"protect: [mine]" "model: openai/x" >"$config" &&
	printf "test: make check\nprotect: [theirs]\nworkspace:\n  on_dirty: head\n" >rondo.yaml &&
	(cd sub && "$RONDO" list config) >out &&
	grep -v "default$" out | tr -s " " >found &&
	says "model openai/x $config:7
executor.type local $config:5
executor.network host $config:5
limits.turns 7 $config:3
limits.cost 1 $config:4
test.command make check $PWD/rondo.yaml:1
protect mine, theirs $PWD/rondo.yaml:2
workspace.on_dirty head $PWD/rondo.yaml:4" found
'

check 'rondo fix -s: a key overrides the configuration of the same executor' '
	cd shop && printf "executor: {type: local, env: {ONE: 1, TWO: 2}}\n" >"$config" &&
	"$RONDO" fix -q --state-dir ../set -s executor.env.TWO=3 --test "test \"\$ONE\$TWO\" = 13" \
		>out && grep "nothing to fix" out &&
	"$RONDO" fix -q --state-dir ../set --executor sandbox -s executor.env.TWO=3 --test \
		"test \"\$ONE\$TWO\" = 3" >out && grep "nothing to fix" out &&
	"$RONDO" fix -n --state-dir ../set -s executor.type=docker -s executor.image=x >out &&
	grep "  docker, no network" out && rm -r ../set "$config"
'

check 'rondo fix -s: another type drops the options of the old one, a model gets one more' '
	cd shop &&
	printf "executor: {type: docker, image: x}
models: {m: openai/x}
" >"$config" &&
	"$RONDO" fix -n -s executor.type=local >out && grep "  local: no sandbox" out &&
	"$RONDO" fix -n --model m -s models.m.retries=2 >out && grep "repair, then m  docker" out &&
	test_expect_code 2 "$RONDO" fix -n -s models.m.provider=record 2>err &&
	grep "^rondo: -s models.m.provider=record: model .m. needs .model.: " err && rm "$config"
'

check 'rondo fix -s: unknown keys and values are named' '
	cd shop && test_expect_code 2 "$RONDO" fix -n -s executor.iamge=x --executor docker 2>err &&
	says "rondo: -s executor.iamge=x: unknown key '\''iamge'\'' in executor, \
did you mean '\''image'\''?" &&
	test_expect_code 2 "$RONDO" fix -n -s executor.pull=sometimes --executor docker 2>err &&
	says "rondo: -s executor.pull=sometimes: pull must be one of missing, always, never, \
found '\''sometimes'\''" &&
	printf -- "- a list\n" >"$config" &&
	test_expect_code 2 "$RONDO" fix -n -s limits.turns=3 2>err &&
	grep "^rondo: $config:1:1: " err && rm "$config" && : >"$config" &&
	test_expect_code 2 "$RONDO" fix -n -s executor 2>err &&
	says "rondo: -s executor: a setting is given as KEY.KEY=VALUE" && rm "$config"
'

check 'a configuration of comments sets nothing' '
	cd shop && printf "# nothing\n\n  # yet\n" >"$config" && : >rondo.yaml &&
	"$RONDO" list config >out &&
	! grep -v "default$" out
'

check 'doc/rondo-yaml.md lists each key, and what a repository may set' '
	cd shop && rm -f "$config" &&
	{ "$SOURCE/tests/lib/rondo_yaml" "$RONDO" "$SOURCE/doc/rondo-yaml.md" >out ||
		{ cat out; exit 1; }; } &&
	rm rondo.yaml && grep " keys, 0 faults$" out
'

check 'a repository cannot choose where code runs, what is worked on or who is paid' '
	cd shop && here=$PWD/rondo.yaml && user="~/.config/rondo/config.yaml" &&
	cat >rondo.yaml <<-\EOF &&
	executor: {type: local, network: host}
	model: openai/x
	limits: {cost: 1000}
	EOF
	test_expect_code 2 "$RONDO" list config 2>err &&
	says "rondo: $here:1:1: a repository cannot set executor; set it in $user, \
with -s executor.KEY=VALUE or in a scenario
$here:2:1: a repository cannot set model; set it in $user or with -s model=VALUE
$here:3:1: a repository cannot set limits; set it in $user, \
with -s limits.KEY=VALUE or in a scenario" &&
	printf "%s\n" "allow_edit: [Makefile]" "workspace: {repo: /, mount: [x]}" "tests: x" \
		>rondo.yaml &&
	test_expect_code 2 "$RONDO" fix 2>err &&
	says "rondo: $here:1:1: a repository cannot set allow_edit; set it \
with -s allow_edit=VALUE or in a scenario
$here:2:13: a repository cannot set workspace.repo; set it in a scenario
$here:3:1: unknown key '\''tests'\'', did you mean '\''test'\''?" && rm rondo.yaml
'

check 'a repository cannot read directories of the user, or weaken its verification' '
	cd shop && here=$PWD/rondo.yaml && user="~/.config/rondo/config.yaml" && mkdir ../secret &&
	cat >rondo.yaml <<-EOF &&
	verify:
	  hidden: cat key
	  hidden_copy: $PWD/../secret
	  sentinels: false
	  repeat: 1
	EOF
	test_expect_code 2 "$RONDO" fix 2>err &&
	says "rondo: $here:2:3: a repository cannot set verify.hidden; set it in $user, \
with -s verify.hidden=VALUE or in a scenario
$here:3:3: a repository cannot set verify.hidden_copy; set it in $user, \
with -s verify.hidden_copy=VALUE or in a scenario
$here:4:14: a repository can only set verify.sentinels to true; set it to false in $user, \
with -s verify.sentinels=VALUE or in a scenario
$here:5:11: a repository cannot set verify.repeat below 2, found '\''1'\''; set it in $user, \
with -s verify.repeat=VALUE or in a scenario" &&
	rm rondo.yaml && test ! -e "$XDG_STATE_HOME/rondo/runs"
'

check 'the places that these messages name are accepted' '
	cd shop && printf "verify: {sentinels: false, checks: [mine]}\n" >"$config" &&
	printf "verify: {checks: [theirs]}\n" >rondo.yaml && "$RONDO" list config >out &&
	grep "^verify.sentinels  *false  *$config:1$" out &&
	grep "^verify.checks  *mine, theirs  *$PWD/rondo.yaml:1$" out &&
	"$RONDO" fix -q --state-dir ../set -s verify.sentinels=false -s verify.hidden=true \
		-s test.goal=x --test true >out 2>&1 && grep "nothing to fix" out && rm "$config" rondo.yaml
'

check 'rondo fix -s: one key of a section leaves the others as they are' '
	tiny asked && cd asked && printf "verify: {checks: [test -e mine]}\n" >"$config" &&
	printf "verify: {checks: [test -e theirs]}\n" >rondo.yaml && touch mine && commit_all asked &&
	test_expect_code 1 "$RONDO" fix -q -s verify.repeat=2 --state-dir ../set >out &&
	grep "test -e theirs" out && rm "$config"
'

check 'a broken configuration stops rondo fix and rondo run with its place' '
	printf "limits:\n  tiem: 5m\nexecutor: moon\n" >"$config" && scenario two.yaml &&
	faults="$config:2:3: unknown key '\''tiem'\'' in limits, did you mean '\''time'\''?
$config:3:11: unknown executor type '\''moon'\''; it must be one of sandbox, docker, \
jupyter, daytona, local" &&
	test_expect_code 2 "$RONDO" fix shop 2>err && says "rondo: $faults" &&
	test_expect_code 2 "$RONDO" run two.yaml 2>err && says "$faults
rondo: 2 errors; nothing was run" &&
	echo "test: make check" >"$config" && test_expect_code 2 "$RONDO" fix shop 2>err &&
	says "rondo: $config:1:1: unknown key '\''test'\''; it is a key of scenarios, and not of the \
configuration" && rm "$config" && test ! -e "$XDG_STATE_HOME/rondo/runs"
'

check LONG 'rondo list names each type, and rondo help describes it' '
	for what in agents models executors terminations teams assertions runners formats; do
		"$RONDO" list $what >out && test -s out && while read -r name summary; do
			test -n "$summary" && "$RONDO" help $name >help && grep "^$name, an* " help || exit 1
		done <out || exit 1
	done &&
	test_expect_code 2 "$RONDO" list termination 2>err &&
	says "rondo: nothing to list is called '\''termination'\'', did you mean '\''terminations'\''?
  help  rondo list --help" &&
	"$RONDO" list --help | sed -n "1s/.*\[\(.*\)\]$/\1/p" | tr "|" "\n" >words &&
	grep -x runners words && while read -r word; do
		grep -F "*$word*" "$SOURCE/doc/rondo.1.scd" || exit 1
	done <words
'

check 'help names the values of --executor: those that are listed' '
	for command in fix run; do
		"$RONDO" $command --help | sed -n "s/.*--executor.*(one of \(.*\))$/\1/p" >said &&
		"$RONDO" list executors | cut -d" " -f1 | paste -s -d, | sed "s/,/, /g" >expected &&
		test_cmp expected said || exit 1
	done && "$RONDO" fix --help | grep -e "--coder WHICH .*(default: auto)$"
'

check 'each rule for a fix is listed, and the guide names it' '
	"$RONDO" list rules >rules && grep "^early-exit  *refuses: " rules &&
	grep "^special-cased  *marks: " rules &&
	while read -r rule what; do
		grep -F "\`$rule\`" "$SOURCE/doc/verified.md" || exit 1
	done <rules
'

check 'init writes what it found, once, and rondo reads it' '
	cd shop && "$RONDO" init sub/.. >out && grep "wrote rondo.yaml" out &&
	grep "^test: \"make check\"$" rondo.yaml &&
	"$RONDO" list config >out && grep "^test.command  *make check  *$PWD/rondo.yaml" out &&
	test_expect_code 2 "$RONDO" init 2>err &&
	says "rondo: '\''$PWD/rondo.yaml'\'' is there already; it is left as it is" &&
	cd .. && test_expect_code 2 "$RONDO" init nowhere 2>err &&
	says "rondo: '\''nowhere'\'': No such file or directory"
'

check 'a run is in the state directory, in the list and in the log' '
	"$RONDO" run two.yaml --state-dir st --log-file log >out && ls st/runs >ids &&
	test $(wc -l <ids) = 1 && grep "  run        message user: " log &&
	"$RONDO" list --state-dir st >out && grep "^$(cat ids) .* two  *done" out &&
	"$RONDO" list >out && test_must_be_empty out &&
	test_expect_code 2 "$RONDO" run two.yaml --log-file nowhere/log 2>err &&
	says "rondo: cannot write '\''nowhere/log'\'': No such file or directory
  help  rondo run --help"
'

check 'a file of keys that others may read is used with a warning (20, wrong 7)' '
	echo "MOON_API_KEY=secret" >.env && chmod 644 .env && "$RONDO" run two.yaml >out &&
	grep "^! '\''./.env'\'' holds keys, and others may read it (mode 644): chmod 600 ./.env" out &&
	chmod 600 .env && "$RONDO" run two.yaml --quiet >out && rm .env &&
	test_expect_code 2 "$RONDO" run two.yaml --env-file nowhere 2>err &&
	says "rondo: cannot open '\''nowhere'\'': No such file or directory"
'

check 'test: each scenario, how many passed, and well-formed JUnit XML' '
	mkdir tests && cd tests && scenario a.yaml && scenario b.yaml 1 "\"]]> <&\\e[1m\\\"é\"" &&
	echo "task: [" >c.yaml &&
	test_expect_code 1 "$RONDO" test . -j 2 --junit r.xml >out && tail -1 out >last &&
	says "1 passed, 2 failed" last &&
	/usr/bin/python3 -c "
import xml.etree.ElementTree as tree
suite = tree.parse(\"r.xml\").getroot()[0]
print(*(suite.get(key) for key in (\"tests\", \"failures\", \"errors\", \"skipped\")))
for case in suite:
    kinds = [kind.tag + \": \" + kind.get(\"message\").strip() for kind in case]
    print(case.get(\"name\"), *kinds)" >found &&
	says "3 1 1 0
./a.yaml
./b.yaml failure: exit code 1: contains: nobody said '\'']]> <&�[1m\"é'\''
./c.yaml error: exit code 2: ./c.yaml:2:1: expected a value" found &&
	"$RONDO" test a.yaml >out && grep "^1 passed, 0 failed$" out &&
	test_expect_code 2 "$RONDO" test a.yaml --junit nowhere/r.xml 2>err &&
	says "rondo: cannot write '\''nowhere/r.xml'\'': No such file or directory" &&
	test_expect_code 2 "$RONDO" test -j 0 2>err &&
	says "rondo: option '\''--jobs'\'': jobs must be between 1 and 1000, found '\''0'\''
  help  rondo test --help" &&
	test_expect_code 2 "$RONDO" test 2>err && grep "no directory .scenarios. here" err &&
	grep "rondo fix runs the tests of a repository" err &&
	mkdir none && test_expect_code 2 "$RONDO" test none 2>err &&
	says "rondo: '\''none'\'' holds no scenario: no .yaml, .yml or .json file"
'

check 'gc keeps the newest runs, and those of the last days' '
	runs=$XDG_STATE_HOME/rondo/runs && rm -rf "$runs" &&
	for day in 1 2 3 4 5; do mkdir -p "$runs/2026010$day-000000-aaaa" || exit 1; done &&
	touch -d "40 days ago" "$runs"/2026010[12]-* && "$RONDO" gc >out &&
	says "0 checkouts of dead runs removed, 0.0 MB" out &&
	"$RONDO" gc --older-than 30d --keep 4 >out && says "0 checkouts of dead runs removed, 0.0 MB
1 record of an old run removed, 0.0 MB" out && test ! -e "$runs/20260101-000000-aaaa" &&
	"$RONDO" gc --keep 3 >out && ls "$runs" >found && says "20260103-000000-aaaa
20260104-000000-aaaa
20260105-000000-aaaa" found &&
	test_expect_code 2 "$RONDO" gc --keep 0 2>err &&
	says "rondo: option '\''--keep'\'': keep must be at least 1, found '\''0'\''
  help  rondo gc --help" &&
	test_expect_code 2 "$RONDO" gc --older-than 5w 2>err &&
	says "rondo: option '\''--older-than'\'': older-than must be a duration such as 90s or 5m, \
found '\''5w'\''
  help  rondo gc --help"
'

test_done
