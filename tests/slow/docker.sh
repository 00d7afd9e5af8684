# An engine of the test's own: sourced behind cli/lib.sh. Sets the prerequisite ENGINE where dockerd
# can run; else what needs it is skipped. Nothing of an engine that the machine runs is touched.
# shellcheck shell=sh disable=SC2034,SC2154
KEPT=$REAL_CACHE/rondo-tests

# engine_start [SIZE]: a dockerd with its data in a new directory, on a file system of that size in
# memory where one is given.
engine_start() {
	ENGINE=$(mktemp -d /var/tmp/rondo-engine-XXXXXX) && mkdir "$ENGINE/data" &&
		{ [ -z "$1" ] || mount -t tmpfs -o "size=$1" rondo-test "$ENGINE/data"; } && engine_run
}

# engine_run: start it, or start it again. Where ENGINE_HIDES is a directory, it sees nothing of
# what lies there.
engine_run() {
	# shellcheck disable=SC2016
	${ENGINE_HIDES:+unshare -m sh -c 'mount -t tmpfs rondo-test "$0" && exec "$@"' \
		"$ENGINE_HIDES"} dockerd --bridge=none --iptables=false --ip6tables=false --data-root \
			"$ENGINE/data" --exec-root "$ENGINE/exec" \
		--host "unix://$ENGINE/socket" --pidfile "$ENGINE/pid" >"$ENGINE/log" 2>&1 </dev/null 3>&- \
			4>&- 5>&- 6>&- 7>&- &
	engine_pid=$!
	export DOCKER_HOST="unix://$ENGINE/socket" RONDO_TEST_DOCKER="$ENGINE/socket"
	tries=0
	until docker version >/dev/null 2>&1; do
		tries=$((tries + 1))
		if [ $tries = 1200 ] || ! kill -0 $engine_pid 2>/dev/null; then
			return 1
		fi
		sleep 0.1
	done
}

engine_halt() {
	kill "$engine_pid" 2>/dev/null
	wait "$engine_pid" 2>/dev/null
	:
}

# What a dockerd that was killed leaves: a containerd of its own, and mounts.
engine_sweep() {
	for pid in $(cat "$ENGINE"/exec/containerd/containerd.pid 2>/dev/null) $(pgrep -f \
		"^/usr/bin/containerd-shim-[^ ]* .*$ENGINE/"); do
		if grep -q "$ENGINE" "/proc/$pid/cmdline" 2>/dev/null; then
			kill "$pid" && await "! kill -0 $pid 2>/dev/null"
		fi
	done
	rm -f "$ENGINE/pid"
}

engine_stop() {
	[ -n "$ENGINE" ] || return 0
	engine_halt
	engine_sweep
	cut -d" " -f2 /proc/mounts | grep "^$ENGINE/" | sort -r | xargs -r umount -l
	rm -rf "$ENGINE"
}

# image_small NAME: busybox, under all of its names.
image_small() {
	mkdir -p small/bin small/etc small/tmp && chmod 1777 small/tmp && cp /bin/busybox small/bin &&
		for program in $(/bin/busybox --list); do
			[ -e "small/bin/$program" ] || ln -s busybox "small/bin/$program"
		done &&
		tar -C small -c . |
			docker import - "$1" >/dev/null \
				--change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
}

# image_debian NAME KIND PACKAGE,...: Debian with some packages. Made once, and kept for the next
# time under the KIND.
image_debian() {
	[ -s "$KEPT/$2.tar" ] || {
		mkdir -p "$KEPT" &&
		debootstrap --variant=minbase --include="$3" bookworm "$KEPT/$2" >"$KEPT/$2.log" 2>&1 &&
			ln -s python3 "$KEPT/$2/usr/bin/python" &&
			tar -C "$KEPT/$2" --exclude=./dev --exclude=./proc --exclude=./var/cache \
				--exclude=./var/lib/apt -cf "$KEPT/$2.part" . &&
			rm -rf "${KEPT:?}/$2" && mv "$KEPT/$2.part" "$KEPT/$2.tar"
	} && docker import "$KEPT/$2.tar" "$1" >/dev/null
}

# image_python NAME: with python3, pytest and pip. image_jupyter NAME: with ipykernel, and what
# debootstrap does not see that it needs.
image_python() {
	image_debian "$1" python-pip python3-pytest,python3-pip
}
image_jupyter() {
	image_debian "$1" jupyter python3-ipykernel,python3-cffi-backend,libboost-regex1.74.0
}

# registry_start PORT: Debian's docker-registry on this machine's own address, in memory.
registry_start() {
	cat >registry.yml <<-EOF
	version: 0.1
	log: {level: error}
	storage: {inmemory: {}}
	http: {addr: 127.0.0.1:$1}
	EOF
	docker-registry serve registry.yml >registry.log 2>&1 </dev/null 3>&- 4>&- 5>&- 6>&- 7>&- &
	registry_pid=$!
}

# containers: how many there are, also stopped ones.
containers() {
	docker ps -aq | wc -l
}

# volumes: how many there are.
volumes() {
	docker volume ls -q | wc -l
}

# blocks CODE [OPTIONS]: a scenario that runs this line of sh in a container; OPTIONS of the
# executor, each behind a comma.
blocks() {
	cat <<-EOF
	name: blocks
	task: Go.
	models:
	  recorded:
	    provider: replay
	    replies:
	      - "Now.\n\n\`\`\`sh\n$1\n\`\`\`"
	      - TERMINATE
	agents: {writer: {type: coder, model: recorded}, runner: executor}
	team: {participants: [writer, runner], termination: {text_mention: TERMINATE}}
	executor: {type: docker, image: small$2}
	EOF
}

if [ "$(id -u)" = 0 ] && command -v dockerd >/dev/null && command -v docker >/dev/null &&
[ -x /bin/busybox ]; then
	trap 'engine_stop; die' EXIT
	if engine_start "$ENGINE_SIZE" && image_small small; then
		test_set_prereq ENGINE
	else
		engine_stop
		ENGINE=
	fi
fi
