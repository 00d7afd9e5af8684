#!/bin/sh
test_description='whole suites in Daytona: baseline, search, gate, each in sandboxes of their own;
hostile blocks; kill -9 at any time'
. "$(dirname "$0")/../cli/lib.sh"

if ! test_have_prereq SANDBOX; then
	skip_all='no sandbox here, and the sandboxes of the server are such'
	test_done
fi

export DAYTONA_API_KEY=dtn_0123456789
DAYTONA_API_URL=http://127.0.0.1:$("$SOURCE/tests/lib/daytona" -d cloud start=0.05 3>&- 4>&- \
	5>&-)/api
export DAYTONA_API_URL XDG_CONFIG_HOME="$HOME/config"
cleanup 'kill $(cat cloud/pid)'
mkdir -p config/rondo && echo 'executor: daytona' >config/rondo/config.yaml

check 'rondo fix: a verified branch, and no sandbox is left' '
	tiny tiny && cd tiny && "$RONDO" fix --branch fixed >../out && cat ../out && cd .. &&
	grep "verified in a fresh checkout: 2 of 2 passed (was 1)" out &&
	git -C tiny diff main fixed | grep "^+    return width \* height$" &&
	test -z "$(ls cloud/sandboxes)"
'

if [ -d /usr/lib/python3/dist-packages/pytest ]; then
	test_set_prereq PYTEST
fi
check PYTEST 'pytest: its report comes back from the sandbox' '
	mkdir pytest && cd pytest && git init -q &&
	printf "def double(x):\n    return x + 2\n" >double.py &&
	printf "%s\n" \
		"from double import double" "" "def test_two():" "    assert double(2) == 4" "" \
		"def test_five():" "    assert double(5) == 10" >test_double.py &&
	commit_all && "$RONDO" fix --test "/usr/bin/python3 -m pytest -q" >../out && cd .. &&
	grep "verified in a fresh checkout: 2 of 2 passed (was 1)" out &&
	test -z "$(ls cloud/sandboxes)"
'

# block LINE...: a scenario with one block of sh, which is out.
block() {
	printf 'task: Go on.\nmodels: {said: {replay: {replies: ["```sh\\n%s\\n```", TERMINATE]}}}\n' \
		"$1" >block.yaml &&
		cat >>block.yaml <<-\EOF &&
		agents: {coder: {type: coder, model: said}, executor: executor}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: daytona, timeout: 20s}
		EOF
		"$RONDO" run block.yaml >out
}

check '500 processes that ignore SIGTERM are gone with their block' '
	block "i=0; while [ \$i -lt 500 ]; do (trap \\\"\\\" TERM HUP; sleep 1000) & i=\$((i+1)); done; echo \$i" &&
	grep "^Code output: 500$" out && test -z "$(ls cloud/sandboxes)"
'

check 'a block that prints a gigabyte is cut, and says so' '
	block "head -c 1000000000 /dev/zero | tr \\\"\\\\\\\\0\\\" x" && grep "execution failed" out &&
	test $(wc -c <out) -lt 200000
'

check 'kill -9 of rondo at many moments leaves nothing after rondo gc' '
	block "sleep 0.3; echo on" && for ms in 020 060 100 150 200 300 400 500 700 900; do
		"$RONDO" run block.yaml >out 2>&1 & pid=$!
		timeout 0.$ms tail --pid=$pid -f /dev/null; kill -KILL $pid 2>/dev/null; wait $pid || :
	done &&
	# What was asked for just before is made after the kill; it is there at once, or never.
	end=$(($(date +%s) + 10)) &&
	until "$RONDO" gc &&
	test -z "$(ls cloud/sandboxes)"; do test $(date +%s) -lt $end || exit 1; done
'

test_done
