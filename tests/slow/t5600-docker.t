#!/bin/sh
test_description='the docker executor on an engine of its own'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/docker.sh"

[ -n "$ENGINE" ] && command -v debootstrap >/dev/null && image_python python:3-slim &&
test_set_prereq PYTHON_IMAGE

check ENGINE 'what programs see and cannot do, how they end, and what they leave: the units, on a real engine' '
	RONDO_TEST_IMAGE=small "$RONDO_BUILD/tests/unit/services" docker && test "$(containers)" = 0
'

check ENGINE 'doctor names the engine' '
	"$RONDO" doctor --json >doctor &&
	grep "\"docker\",.*Docker [0-9.+a-z]*, API 1.[0-9]*, at $ENGINE/socket" doctor
'

check PYTHON_IMAGE 'a red suite is fixed in containers, and judged at another path' '
	mkdir red && cd red && git init -q &&
	printf "def area(width, height):\n    return width + height\n" >shapes.py &&
	printf "import shapes\n\n\ndef test_area():\n    assert shapes.area(3, 5) == 15\n\n\ndef test_square():\n    assert shapes.area(2, 2) == 4\n" \
		>test_shapes.py && commit_all &&
	"$RONDO" fix --executor docker --test "python3 -m pytest -q" >../out &&
	grep "docker, no network" ../out &&
	grep "verified in a fresh checkout: 2 of 2 passed" ../out && test "$(containers)" = 0 &&
	grep -r "elsewhere" ../state/rondo/runs/*/report.md ||
		grep "another path" ../state/rondo/runs/*/report.md
'

check ENGINE \
	'a file that a block names stays, and state of the container between blocks does, too' '
	cat >keeps.yaml <<-\EOF &&
	name: keeps
	task: Go.
	models:
	  recorded:
	    provider: replay
	    replies:
	      - "One.\n\n```sh\n# filename: sub/one.sh\necho in the container >/tmp/between\n```"
	      - "Two.\n\n```sh\ncat /tmp/between; ls sub\n```"
	      - TERMINATE
	agents: {writer: {type: coder, model: recorded}, runner: executor}
	team: {participants: [writer, runner], termination: {text_mention: TERMINATE}}
	executor: {type: docker, image: small}
	EOF
	"$RONDO" run keeps.yaml >out && grep "^Code output: in the container" out && grep "^one.sh" out
'

check ENGINE 'what a block prints is told as it comes (20, missing 1)' '
	blocks "for i in 1 2 3; do echo line \$i; sleep 0.3; done" >stream.yaml &&
	"$RONDO" run --json --stream on stream.yaml >out &&
	test "$(grep -c "\"chunk\",\"source\":\"runner\",\"text\":\"line [123]..\"" out)" = 3
'

# 79: an interpreter of a virtual environment is the image's to bring: the host's is not there.
check PYTHON_IMAGE 'semantics.md 79: a virtual environment of the tree is that of the container' '
	blocks "python3 -m venv --without-pip --system-site-packages env; env/bin/python -c \\\"import sys; print(sys.prefix != sys.base_prefix)\\\"" >venv.yaml &&
	sed -i "s/image: small/image: \"python:3-slim\"/" venv.yaml && "$RONDO" run venv.yaml >out &&
	grep "True" out
'

check ENGINE \
	'semantics.md 81, 87: a scenario as a run has kept it is the same: directory, timeout, image' '
	blocks "pwd; echo kept >here" ", work_dir: sub/dir, timeout: 7s, tree: mount" >once.yaml &&
	rm -rf state && "$RONDO" run once.yaml >out &&
	cp state/rondo/runs/*/scenario.json again.json && rm -rf state &&
	"$RONDO" run again.json >out.again &&
	cmp again.json state/rondo/runs/*/scenario.json && grep "sub/dir" out.again &&
	grep "\"timeout\":[[:space:]]*\"7s\"" again.json &&
	grep "\"image\":[[:space:]]*\"small\"" again.json &&
	grep "\"work_dir\":[[:space:]]*\"sub/dir\"" again.json
'

check ENGINE 'kill -9 of rondo in the midst of a block: the container goes with it' '
	blocks "echo begun; sleep 98765" >long.yaml && { "$RONDO" run long.yaml >out 2>&1 & } &&
	rondo=$! &&
	await "pgrep -f \"sleep 98765\" >/dev/null" && kill -9 $rondo &&
	await "! pgrep -f \"sleep 98765\" >/dev/null" &&
	await "test \$(containers) = 0"
'

check ENGINE 'SIGTERM in the midst of a block: nothing is left, exit 143' '
	blocks "sleep 98764" >long.yaml && { "$RONDO" run long.yaml >out 2>&1 & } && rondo=$! &&
	await "pgrep -f \"sleep 98764\" >/dev/null" && kill $rondo &&
	test_expect_code 143 wait $rondo &&
	! pgrep -f "sleep 98764" && test "$(containers)" = 0
'

# A label is the boot, the namespace of process ids, the id and when that process began.
label_of() {
	printf "%s/%s/%s/%s" "$(cat /proc/sys/kernel/random/boot_id)" \
		"$(readlink /proc/self/ns/pid | tr -cd 0-9)" "$1" "$(cut -d" " -f22 /proc/"$2"/stat)"
}
machine=$(printf %s "$(cat /etc/machine-id)" | openssl dgst -sha256 -hmac rondo -r | cut -d" " -f1)

check ENGINE 'what a rondo left that was killed between making a container and starting it goes: by gc, and at the next start' '
	docker create -l rondo="$(label_of 1 $$)" small true &&
	docker create -l rondo="$(label_of $$ $$)" --name living small true &&
	docker create -l rondo=other-boot/1/1/1 -l rondo.machine="$machine" small true &&
	docker create -l rondo=other-boot/1/1/1 -l rondo.machine=other --name elsewhere small true &&
	docker volume create --label rondo="$(label_of 1 $$)" &&
	docker create --name foreign small true &&
	"$RONDO" gc >out && cat out && grep "^3 sandboxes of dead runs elsewhere removed" out &&
	test "$(containers)" = 3 &&
	docker create -l rondo="$(label_of 1 $$)" small true && blocks true >true.yaml &&
	"$RONDO" run true.yaml >out &&
	test "$(containers)" = 3 && test "$(volumes)" = 0 && docker rm living foreign elsewhere
'

check ENGINE 'stop_container and auto_remove are what they are to AutoGen' '
	blocks true ", container_name: stays, stop_container: false" >stays.yaml &&
	"$RONDO" run stays.yaml >out &&
	test "$(docker inspect -f "{{.State.Running}}" stays)" = true && "$RONDO" gc &&
	"$RONDO" run stays.yaml >out &&
	test "$(containers)" = 1 && docker rm -f stays &&
	blocks true ", container_name: rests, auto_remove: false" >rests.yaml &&
	"$RONDO" run rests.yaml >out &&
	test "$(docker inspect -f "{{.State.Running}}" rests)" = false && docker rm rests
'

check ENGINE 'extra_hosts gives names to addresses, as in AutoGen' '
	blocks "cat /etc/hosts" ", network: host, extra_hosts: {db.test: 10.9.8.7}" >hosts.yaml &&
	"$RONDO" run hosts.yaml >out && grep "10.9.8.7.*db.test" out
'

check ENGINE 'a container of that name which is not rondo'\''s is left alone' '
	docker create --name taken small true && blocks true ", container_name: taken" >taken.yaml &&
	test_expect_code 3 "$RONDO" run taken.yaml 2>err &&
	grep "a container called taken is there already, and is not rondo" err &&
	grep "help  docker rm -f taken, or choose another executor.container_name" err &&
	docker rm taken
'

check ENGINE 'an image without a shell says so' '
	mkdir -p bare/etc && tar -C bare -c . | docker import - bare && blocks true >bare.yaml &&
	sed -i "s/image: small/image: bare/" bare.yaml &&
	test_expect_code 3 "$RONDO" run bare.yaml 2>err &&
	grep "the image bare cannot execute /bin/sh: No such file" err
'

check ENGINE 'a missing image: as pull says' '
	blocks true ", pull: never" >never.yaml &&
	sed -i "s/image: small/image: none-such/" never.yaml &&
	test_expect_code 3 "$RONDO" run never.yaml 2>err &&
	grep "the image none-such is not there, and executor.pull is never" err &&
	grep "help  docker pull none-such" err
'

check ENGINE 'the engine is stopped in the midst of a block: exit 75, and what mends it' '
	blocks "echo begun; sleep 98763" >long.yaml &&
	sed -i "s/- TERMINATE/- \"Again.\\\\n\\\\n\`\`\`sh\\\\ntrue\\\\n\`\`\`\"/" long.yaml &&
	{ "$RONDO" run long.yaml >out 2>&1 & } && rondo=$! &&
	await "pgrep -f \"sleep 98763\" >/dev/null" && kill $engine_pid &&
	test_expect_code 75 wait $rondo &&
	grep "nobody listens at\|no container engine\|went away" out && ! pgrep -f "sleep 98763"
'
[ -z "$ENGINE" ] || { engine_halt; engine_run; }

check ENGINE \
	'the engine is killed in the midst of a block, and its containers go at the next start' '
	blocks "echo begun; sleep 98762" >long.yaml && { "$RONDO" run long.yaml >out 2>&1 & } &&
	rondo=$! &&
	await "pgrep -f \"sleep 98762\" >/dev/null" && kill -9 $engine_pid &&
	test_expect_code 75 wait $rondo
'
if [ -n "$ENGINE" ]; then
	engine_halt
	engine_sweep
	engine_run
fi
check ENGINE 'and it works again' '
	blocks "echo works" >true.yaml && "$RONDO" run true.yaml >out &&
	grep "Code output: works" out && test "$(containers)" = 0 &&
	await "! pgrep -f \"sleep 98762\""
'

check ENGINE 'whoever may not speak with the engine is told how to be allowed to' '
	chmod 660 "$ENGINE/socket" && chmod 755 "$ENGINE" &&
	{ HOME=/tmp setpriv --reuid 65534 --clear-groups "$RONDO" doctor --json >doctor ||
		test $? = 3; } &&
	grep "\"this user may not speak with the container engine at $ENGINE/socket\",\"help\":\"sudo usermod -aG docker" doctor
'

test_done
