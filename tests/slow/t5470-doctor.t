#!/bin/sh
test_description='rondo doctor with everything installed, and on a bare machine: both screens word
for word, as root and as a user'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/docker.sh"

screens=$SOURCE/tests/slow/t5470
/usr/bin/python3 -c 'import ipykernel' 2>/dev/null && test_set_prereq IPYKERNEL

# Of what is masked there is nothing but versions, times, and where the engine and the server of
# this test are.
masked() {
	sed -e '1s/ [0-9][^ ]*/ N/g' -e 's/\(bubblewrap\|Docker\|API\|ipykernel\|libzmq\|ran in\) [0-9][^ ,:;]*/\1 N/g' \
		-e 's/\(python3\|node\|esbuild\|go\|cargo\|gcc\|make\) [0-9][^ ]*/\1 N/g' \
		-e "s:${ENGINE:-none}:ENGINE:" -e 's/127\.0\.0\.1:[0-9]*/SERVER/' "$1"
}

# shows SCREEN NAME: word for word what the file NAME has, but for advice on this machine's Node; one
# screen.
shows() {
	masked "$1" | tr -s ' \n' ' ' | sed 's/ help: by node N npm .* first / /' |
		tr -s ' ' '\n' >"$1.words" && tr -s ' \n' '\n' <"$screens/$2" >"$2.words" &&
	test_cmp "$2.words" "$1.words" &&
		test "$(wc -l <"$1")" -le 24 && ! grep ".\{81\}" "$1"
}

# as WHO COMMAND...: as root, or as an ordinary user with a home of its own; from where no path is a
# relative one.
as() {
	who=$1
	shift
	mkdir -p "$homes/$who" && chmod 777 "$homes/$who" || return
	set -- env -i -C / "HOME=$homes/$who" "XDG_STATE_HOME=$homes/$who/state" \
		XDG_RUNTIME_DIR=/run/user/1000 LC_ALL=C.UTF-8 "$@"
	if [ "$who" = user ]; then
		setpriv --reuid 12345 --regid 12345 --clear-groups "$@"
	else
		"$@"
	fi
}
homes=$(mktemp -d /tmp/rondo-doctor-XXXXXX) && chmod 755 "$homes"
cleanup "rm -rf $homes"

if test_have_prereq ENGINE,SANDBOX,IPYKERNEL && image_small python:3-slim; then
	port=$("$SOURCE/tests/lib/daytona" -d cloud 3>&- 4>&- 5>&- 6>&- 7>&-)
	cleanup "kill $(cat cloud/pid)"
	chmod 755 "$ENGINE" && chmod 666 "$ENGINE/socket" && test_set_prereq ALL
fi

# everything COMMAND...: with an engine, a kernel, a server and a key, and Debian's languages.
everything() {
	who=$1
	shift
	as "$who" PATH=/usr/sbin:/usr/bin:/sbin:/bin "DOCKER_HOST=unix://$ENGINE/socket" \
		DAYTONA_API_KEY=dtn_0123456789 \
		"DAYTONA_API_URL=http://127.0.0.1:$port/api" "$@"
}

# Go and cargo may be missing: no package of make deps brings them.
for who in root user; do
	check ALL "with everything installed, as $who" '
		everything '$who' "$RONDO" doctor >seen && sed "s/\(go\|cargo\) -/\1 N/g" seen >screen && shows screen full
	'

	# What is installed stays so: what helps is to start it.
	check ALL "no PATH, no sockets, no user namespaces, as $who" '
		test_expect_code 3 as '$who' bwrap --dev-bind / / --tmpfs /run /usr/bin/python3 "$SOURCE/tests/cli/without-namespaces" \
			/usr/bin/env PATH= "$RONDO" doctor >screen && shows screen bare
	'
done

check ALL 'nothing was made at Daytona, and nothing in the engine' '
	test -z "$(ls cloud/sandboxes)" && ! grep -v "\"GET\"" cloud/log && test "$(containers)" = 0
'

check ALL 'no probe waits for another: all in the time of the longest' '
	kill -STOP $engine_pid && start=$(date +%s) &&
	{ everything root "$RONDO" doctor >screen; kill -CONT $engine_pid; } &&
	grep "^! docker  *the container engine at $ENGINE/socket takes" screen &&
	grep "^✓ daytona" screen &&
	test $(($(date +%s) - start)) -lt 25
'

test_done
