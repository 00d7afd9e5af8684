#!/bin/sh
test_description='the docker executor by the socket of podman'
. "$(dirname "$0")/../cli/lib.sh"

# One of the test's own, with its images and containers in a new directory.
podman_start() {
	ENGINE=$(mktemp -d /var/tmp/rondo-podman-XXXXXX) &&
		podman="podman --root $ENGINE/root --runroot $ENGINE/run --cgroup-manager=cgroupfs --events-backend=file --runtime $(command -v runc)" &&
		mkdir -p small/bin small/tmp && chmod 1777 small/tmp && cp /bin/busybox small/bin &&
		for program in $(/bin/busybox --list); do
			[ -e "small/bin/$program" ] || ln -s busybox "small/bin/$program"
		done &&
		tar -C small -c . |
			$podman import -q --change 'ENV PATH=/usr/local/sbin:/usr/bin:/bin' - localhost/small \
				>import.log 2>&1 &&
		{ $podman system service -t 0 "unix://$ENGINE/podman.sock" >podman.log 2>&1 </dev/null \
			3>&- 4>&- 5>&- 6>&- 7>&- & } &&
		podman_pid=$! && export DOCKER_HOST="unix://$ENGINE/podman.sock" && for _ in $(seq 100); do
			if "$RONDO" doctor | grep -q "docker .*Podman"; then return 0; fi
			sleep 0.1
		done
	return 1
}

podman_stop() {
	$podman rm -fa >/dev/null 2>&1
	# Its monitors of commands stay for minutes.
	for _ in $(seq 50); do
		pgrep -f -- "$ENGINE/" >/dev/null || break
		pgrep -f -- "$ENGINE/" | xargs -r kill -9 2>/dev/null
		sleep 0.1
	done
	cut -d" " -f2 /proc/mounts | grep "^$ENGINE/" | sort -r | xargs -r umount -l
	rm -rf "$ENGINE"
}

if [ "$(id -u)" = 0 ] && command -v podman >/dev/null && command -v runc >/dev/null &&
[ -x /bin/busybox ]; then
	trap 'podman_stop; die' EXIT
	podman_start && test_set_prereq PODMAN
fi

check PODMAN 'what programs see and cannot do, how they end, and what they leave: the units' '
	RONDO_TEST_DOCKER="$ENGINE/podman.sock" RONDO_TEST_IMAGE=localhost/small \
		"$RONDO_BUILD/tests/unit/services" docker &&
	test -z "$($podman ps -aq)"
'

check PODMAN 'a tree by archive is refused: what is sent would belong to the programs' '
	RONDO_TEST_DOCKER="$ENGINE/podman.sock" RONDO_TEST_IMAGE=localhost/small \
		RONDO_TEST_TREE=archive "$RONDO_BUILD/tests/unit/services" docker >said 2>&1;
	grep "takes no tree by archive: its volumes belong to the programs" said &&
	test -z "$($podman ps -aq)"
'

test_done
