#!/bin/sh
test_description='the executor daytona, with a server that follows the published API'
. "$(dirname "$0")/lib.sh"

if ! test_have_prereq SANDBOX; then
	skip_all='no sandbox here, and the server needs one for its sandboxes'
	test_done
fi

export DAYTONA_API_KEY=dtn_0123456789
DAYTONA_API_URL=http://127.0.0.1:$("$SOURCE/tests/lib/daytona" -d cloud 3>&- 4>&- 5>&-)/api
export DAYTONA_API_URL
cleanup 'kill $(cat cloud/pid)'

sandboxes() {
	ls cloud/sandboxes
}

# A bug fixer and an executor: three samples, with nothing changed but the executor.
for sample in postfix ${TEST_LONG:+rle maxsub}; do
	check "$sample runs in Daytona as it does here, in one sandbox, which is deleted" '
		rm -f cloud/log &&
		"$RONDO" run "$SOURCE/scenarios/'$sample'.yaml" -s executor.type=daytona >out &&
		grep "executor    daytona" out && grep "^exitcode: 0 (execution succeeded)$" out &&
		grep "asserts  .* hold" out &&
		test $(grep -c "\"POST\", \"path\": \"/api/sandbox\"" cloud/log) = 1 &&
		test $(grep -c "\"DELETE\", \"path\": \"/api/sandbox/" cloud/log) = 1 &&
		test -z "$(sandboxes)"
	'
done

# block COMMAND EXECUTOR: a chat that runs it.
block() {
	cat <<-EOF
	task: Go on.
	models: {said: {replay: {replies: ["$(fences sh "$1")", TERMINATE]}}}
	agents: {coder: {type: coder, model: said}, executor: executor}
	team: {participants: [coder, executor], termination: text_mention/TERMINATE}
	executor: $2
	EOF
}

check 'the key is in no file of a run, and no program sees it' '
	block "env; cat /proc/self/environ" daytona >env.yaml && "$RONDO" run env.yaml >out &&
	grep "XDG_CACHE_HOME=" out && ! grep dtn_ out && ! grep -r dtn_0123 "$HOME/state/rondo"
'

check 'errors are reported before anything is paid for' '
	sed "s/^executor:.*/executor: {type: daytona, snapshot: a, image: b}/" env.yaml >both.yaml &&
	test_expect_code 2 "$RONDO" run both.yaml 2>err &&
	grep "^both.yaml:5:[0-9]*: executor.image: Cannot specify both snapshot .a. and image .b." \
		err &&
	(unset DAYTONA_API_KEY && test_expect_code 2 "$RONDO" run env.yaml 2>err &&
		grep "no key: DAYTONA_API_KEY is not set" err) &&
	DAYTONA_API_KEY=wrong test_expect_code 2 "$RONDO" run env.yaml 2>err &&
	grep "Failed to create Daytona sandbox: .*does not accept the key in DAYTONA_API_KEY \
(HTTP 401: Invalid credentials)" err
'

# Without a network, the only wheels for the server's sandboxes are those of this machine.
ls /usr/share/python-wheels/setuptools-*.whl >/dev/null 2>&1 && test_set_prereq WHEELS
check LONG,WHEELS 'packages of executor.pip are in the sandbox' '
	block "python3 -c \\\"import setuptools; print(setuptools.__file__)\\\"" "{type: daytona, \
pip: [--no-index, --find-links=/usr/share/python-wheels, setuptools]}" >pip.yaml &&
	"$RONDO" run pip.yaml >out &&
	grep "/.packages/python/setuptools/__init__.py" out && test -z "$(sandboxes)"
'

check 'the key comes from .env beside the scenario, too' '
	mkdir -p beside && cp env.yaml beside && echo "DAYTONA_API_KEY=dtn_0123456789" >beside/.env &&
	chmod 600 beside/.env &&
	(unset DAYTONA_API_KEY && "$RONDO" run beside/env.yaml >out && grep "XDG_CACHE_HOME=" out)
'

check 'SIGINT during a block ends it, and the sandbox is deleted' '
	block "touch begun; sleep 100" daytona >sleep.yaml &&
	{ env --default-signal=INT "$RONDO" run sleep.yaml >out 2>&1 & pid=$!; } &&
	await "ls cloud/sandboxes/*/root/workspace/begun 2>/dev/null" &&
	kill -INT $pid && test_expect_code 130 wait $pid && test -z "$(sandboxes)"
'

check 'kill -9 during a block leaves one sandbox; the next start or rondo gc deletes it' '
	for way in start gc; do
		{ "$RONDO" run sleep.yaml >out 2>&1 & pid=$!; } &&
		await "ls cloud/sandboxes/*/root/workspace/begun 2>/dev/null" &&
		kill -KILL $pid && test_expect_code 137 wait $pid && test $(sandboxes | wc -l) = 1 &&
		if [ $way = gc ]; then
			"$RONDO" gc >out && grep "^1 sandbox of a dead run elsewhere removed$" out
		else
			"$RONDO" run env.yaml >out
		fi && test -z "$(sandboxes)" || exit 1
	done
'

check 'doctor says what works, and names the command that mends the rest' '
	"$RONDO" doctor >out && grep "✓ daytona .*the key in DAYTONA_API_KEY is accepted" out &&
	(unset DAYTONA_API_KEY && { "$RONDO" doctor >out || test $? = 3; } &&
		grep "daytona .*no key: DAYTONA_API_KEY is not set" out &&
		grep "export DAYTONA_API_KEY=" out)
'

test_done
