#!/bin/sh
test_description='the executor jupyter, its kernel in a container'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/docker.sh"

[ -n "$ENGINE" ] && command -v debootstrap >/dev/null && image_jupyter kernels &&
test_set_prereq JUPYTER_IMAGE

# chat SETTINGS REPLY...: a coder who says these, in YAML's double quotes, and an executor.
chat() {
	settings=$1
	shift
	{
		printf 'name: kernel\ntask: Go on.\nmodels:\n  said:\n    provider: replay\n    replies:\n'
		printf '      - "%s"\n' "$@" TERMINATE
		cat <<-EOF
		agents: {coder: {type: coder, model: said, edit_format: none}, executor: executor}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: jupyter, in: docker, image: kernels$settings}
		EOF
	} >chat.yaml
}

# block CODE: a reply that is a block of Python.
block() {
	printf '```python\\n%s\\n```' "$1"
}

check JUPYTER_IMAGE 'variables are kept from block to block, and a failure loses none' '
	chat "" "$(block "a = 41\\ndef next(n): return n + 1")" "$(block "next(a)")" \
		"$(block "1 / 0")" "$(block "print(a)")" &&
	"$RONDO" run chat.yaml >out && grep "^Code output: 42$" out &&
	grep "^ZeroDivisionError: division by zero$" out && grep "^Code output: 41$" out &&
	test "$(containers)" = 0
'

check JUPYTER_IMAGE 'a picture that is shown is a file of the run' '
	png=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== &&
	chat "" "$(block "import base64\\nfrom IPython.display import Image, display\\ndisplay(Image(data=base64.b64decode(\\\"$png\\\")))")" &&
	rm -rf state && "$RONDO" run chat.yaml >out && cat out &&
	grep "^Image data saved to output-1.png$" out &&
	head -c 8 state/rondo/runs/*/files/output-1.png | od -An -tx1 | grep "89 50 4e 47 0d 0a 1a 0a"
'

check JUPYTER_IMAGE 'a timeout interrupts, a death is told, and the next block has a new kernel' '
	chat ", timeout: 10s" "$(block "x = 1\\nimport time, os; time.sleep(60)")" \
		"$(block "print(x); os._exit(9)")" "$(block "print(x)")" &&
	"$RONDO" run chat.yaml >out && cat out && grep "^Timeout$" out && grep "^exitcode: 124 " out &&
	grep "^exitcode: 9 " out &&
	grep "The kernel ended with exit code 9. The next block has a new one: variables are lost." \
		out &&
	grep "^NameError: name .x. is not defined$" out && test "$(containers)" = 0
'

check JUPYTER_IMAGE 'kill -9 of rondo in the midst of a block: kernel and container go with it' '
	chat "" "$(block "import subprocess; subprocess.run([\\\"sleep\\\", \\\"98759\\\"])")" &&
	{ "$RONDO" run chat.yaml >out 2>&1 & } && rondo=$! &&
	await "pgrep -f \"^sleep 98759\" >/dev/null" && kill -9 $rondo &&
	await "! pgrep -f \"^sleep 98759\" >/dev/null" &&
	await "test \$(containers) = 0" && "$RONDO" gc
'

check ENGINE 'an image without a kernel is told before anything is paid for' '
	chat "" "$(block 1)" &&
	test_expect_code 3 "$RONDO" run chat.yaml -s executor.image=small 2>err && cat err &&
	grep "Kernel python3 is not installed" err && test "$(containers)" = 0
'

if [ -n "$ENGINE" ]; then
	engine_halt
	ENGINE_HIDES=$SHARNESS_TEST_DIRECTORY
	engine_run
fi
check ENGINE 'where the engine does not see the tree there is no kernel, and it is told' '
	chat "" "$(block 1)" &&
	test_expect_code 3 "$RONDO" run chat.yaml -s executor.image=small 2>err && cat err &&
	grep "a kernel in docker needs an engine that sees the files of this machine" err &&
	test "$(containers)" = 0
'

test_done
