#!/bin/sh
# shellcheck disable=SC2154 # registry_pid is of docker.sh, took_ms of a check
test_description='rondo is killed at seeded points of a run in docker: nothing is left after the
next start'
REGISTRY_PORT=${REGISTRY_PORT:-15615}
KILLS=${KILLS:-20} SEED=${SEED:-1}
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/docker.sh"

if [ -n "$ENGINE" ] && command -v docker-registry >/dev/null; then
	registry_start "$REGISTRY_PORT"
	trap 'kill $registry_pid; engine_stop; die' EXIT
	IMAGE=127.0.0.1:$REGISTRY_PORT/killed
	head -c 30000000 /dev/urandom >small/payload && image_small "$IMAGE" &&
	await 'docker push -q "$IMAGE" >/dev/null 2>&1' && test_set_prereq REGISTRY
fi

# life TREE: a run that pulls its image and leaves processes and files about.
life() {
	cat <<-EOF
	name: life
	task: Go.
	models:
	  recorded:
	    provider: replay
	    replies:
	      - "\`\`\`sh\necho one >one; (setsid sleep 98760 &); sleep 0.4; mkdir -p d; seq 20000 >d/many\n\`\`\`"
	      - "\`\`\`sh\ntrap '' TERM INT HUP; setsid sleep 98760 & sleep 0.4; rm one\n\`\`\`"
	      - TERMINATE
	agents: {writer: {type: coder, model: recorded}, runner: executor}
	team: {participants: [writer, runner], termination: {text_mention: TERMINATE}}
	executor: {type: docker, image: "$IMAGE", tree: $1}
	EOF
}

# What there is of rondo's here: checkouts, what it puts beside them, and programs.
left() {
	find "$HOME/cache/rondo/work" -mindepth 1 -maxdepth 1
	find "${TMPDIR:-/tmp}" -maxdepth 1 -name "rondo-probe-*" -newer started
	pgrep -f "[s]leep 98760"
}

# killed NUMBER TREE: run it, kill it after a while that the seed and the number say, within what a
# whole run took.
killed() {
	docker rmi -f "$IMAGE" >/dev/null 2>&1
	touch started && life "$2" >life.yaml &&
		after=$(awk -v seed="$SEED$1" -v took="$took_ms" \
			"BEGIN { srand(seed); printf \"%.3f\", rand() * took / 1000 }") || return
	"$RONDO" run life.yaml >"out.$1" 2>&1 &
	rondo=$!
	sleep "$after"
	kill -9 $rondo 2>/dev/null
	wait $rondo 2>/dev/null
	"$RONDO" gc >gc.out || return 1
	await 'test "$(containers)" = 0 && test "$(volumes)" = 0 && test -z "$(left)"' && return 0
	echo "kill $1 after $after s ($2) left:"
	docker ps -a
	docker volume ls
	left
	return 1
}

check REGISTRY "rondo is killed at $KILLS points from the pull to the end" '
	docker rmi -f "$IMAGE" >/dev/null && life archive >life.yaml && touch started &&
	begin=$(date +%s%3N) && "$RONDO" run life.yaml >out &&
	took_ms=$(($(date +%s%3N) - begin)) && test "$(containers)" = 0 && test "$(volumes)" = 0 &&
	test -z "$(left)" &&
	for i in $(seq "$KILLS"); do
		if [ $((i % 2)) = 0 ]; then tree=mount; else tree=archive; fi &&
		killed "$i" $tree || exit 1
	done
'

test_done
