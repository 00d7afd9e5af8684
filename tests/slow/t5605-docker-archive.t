#!/bin/sh
test_description='the docker executor where the engine does not see the tree: it is sent there and
back'
. "$(dirname "$0")/../cli/lib.sh"
ENGINE_HIDES=$SHARNESS_TEST_DIRECTORY
. "$SOURCE/tests/slow/docker.sh"

[ -n "$ENGINE" ] && command -v debootstrap >/dev/null && image_python python:3-slim &&
test_set_prereq PYTHON_IMAGE

check ENGINE 'what programs see and cannot do, how they end, and what they leave: the units, each tree sent' '
	RONDO_TEST_TREE=archive RONDO_TEST_IMAGE=small "$RONDO_BUILD/tests/unit/services" docker &&
	test "$(containers)" = 0 && test "$(volumes)" = 0
'

check ENGINE 'auto: what programs do not see is sent; mount: it is told' '
	blocks "pwd; echo made >made; ls -a" >sent.yaml && "$RONDO" run sent.yaml >out &&
	grep "made" out &&
	grep made state/rondo/runs/*/files/made && test "$(volumes)" = 0 &&
	test_expect_code 3 "$RONDO" run sent.yaml -s executor.tree=mount 2>err && cat err &&
	grep "help  .*executor.tree=archive" err && test "$(containers)" = 0
'

check PYTHON_IMAGE 'a red suite is fixed, and judged at another path' '
	mkdir red && cd red && git init -q &&
	printf "def area(width, height):\n    return width + height\n" >shapes.py &&
	printf "import shapes\n\n\ndef test_area():\n    assert shapes.area(3, 5) == 15\n\n\ndef test_square():\n    assert shapes.area(2, 2) == 4\n" \
		>test_shapes.py && commit_all &&
	"$RONDO" fix --executor docker --test "python3 -m pytest -q" >../out &&
	grep "docker, no network" ../out &&
	grep "verified in a fresh checkout: 2 of 2 passed" ../out && test "$(containers)" = 0 &&
	test "$(volumes)" = 0
'

check ENGINE 'what changes here or there changes on the other side: made, changed, removed, and a file for a directory' '
	cat >diary.yaml <<-\EOF &&
	name: diary
	task: Go.
	models:
	  recorded:
	    provider: replay
	    replies:
	      - "```sh\n# filename: sub/one.sh\necho one >>diary; mkdir d; echo x >d/x; echo run >tool; chmod 755 tool; ln -s diary link\n```"
	      - "```sh\necho two >>diary; rm -r d; echo file >d; rm sub/one.sh\n```"
	      - "```sh\n# filename: sub/one.sh\ncat diary d; ls sub; test -x tool && cat link | wc -l\n```"
	      - TERMINATE
	agents: {writer: {type: coder, model: recorded}, runner: executor}
	team: {participants: [writer, runner], termination: {text_mention: TERMINATE}}
	executor: {type: docker, image: small}
	EOF
	rm -rf state && "$RONDO" run diary.yaml >out && cat out && grep "^file$" out &&
	grep "^one.sh$" out && grep "^2$" out && cd state/rondo/runs/*/files &&
	printf "one\ntwo\n" | cmp - diary && test -f d && test -f tool && test -f sub/one.sh
'

check ENGINE 'sandbox.md, row 82: what would lead out, and what is no file, stays in the container, and is named' '
	blocks "ln -s /etc/passwd out; ln -s ../../.. up; mkfifo pipe; ln -s sub in; mkdir sub; echo x >sub/x; dd if=/dev/zero of=big bs=1M count=70 2>/dev/null" \
		>hostile.yaml && rm -rf state && "$RONDO" run hostile.yaml >out && cat out &&
	grep "\[out stays in the container: it is a link that leads out of the tree\]" out &&
	grep "\[up stays in the container: it is a link" out &&
	grep "\[pipe stays in the container: it is no file, directory or link\]" out &&
	grep "\[big stays in the container: it is larger than 64 MiB\]" out &&
	cd state/rondo/runs/*/files && test "$(cat sub/x)" = x && test ! -e out && test ! -e pipe &&
	test ! -e big
'

check ENGINE \
	'kill -9 of rondo in the midst of a block: the container goes with it, and its volumes' '
	blocks "echo begun; sleep 98761" >long.yaml && { "$RONDO" run long.yaml >out 2>&1 & } &&
	rondo=$! &&
	await "pgrep -f \"sleep 98761\" >/dev/null" && kill -9 $rondo &&
	await "! pgrep -f \"sleep 98761\" >/dev/null" &&
	{ await "test \$(containers) = 0 && test \$(volumes) = 0" || { docker ps -a; docker volume ls; \
		false; }; }
'

test_done
