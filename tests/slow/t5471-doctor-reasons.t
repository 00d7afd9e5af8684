#!/bin/sh
test_description='rondo doctor: the bare screen word for word, and the words for each single reason'
. "$(dirname "$0")/../cli/lib.sh"

# What is probed is this script's matter alone.
unset DOCKER_HOST DAYTONA_API_KEY DAYTONA_API_URL
export XDG_RUNTIME_DIR=/run/user/1000
screens=$SOURCE/tests/slow/t5471
q=\'

# doctor: its screen and exit code, from where no path is a relative one.
doctor() {
	(cd / && "$RONDO" doctor "$@")
}

# tried COMMAND...: its screen; the exit code is 3 where something does not work that runs need.
tried() {
	"$@" >screen || test $? = 3
}

# of NAME: what a screen says of it, on one line.
of() {
	awk -v name="$1" '/^[^ ]+ [a-z]/ { on = $2 == name } /^$/ { on = 0 } on' | tr -s ' \n' ' '
}

# says SCREEN NAME TEXT: TEXT stands in what it says of NAME; it is shown where it does not.
says() {
	of "$2" <"$1" >said && grep -F -- "$3" said || { cat "$1"; return 1; }
}

# answer NAME REPLY...: an engine at the socket NAME.sock that answers a question for its version
# so.
answer() {
	printf 'scene version\n%s\n' "$2" >"$1.script" &&
	"$SOURCE/tests/lib/server" -d "$1.script" "$1.log" "$HOME/$1.sock" 3>&- 4>&- 5>&-
}

cleanup 'cat *.log.pid | xargs kill'

# Those that never answer are asked now, since that takes its time, and looked at last.
answer mute stall
echo stall >silent.script
silent=http://127.0.0.1:$("$SOURCE/tests/lib/server" -d silent.script silent.log 3>&- 4>&- 5>&-)/api
DOCKER_HOST=unix://$HOME/mute.sock DAYTONA_API_KEY=dtn_0 DAYTONA_API_URL=$silent doctor \
	>mute.screen 2>mute.err &
mute=$!

# A machine without engines: their sockets lie in /run, and their programs cannot be executed.
engineless="--dev-bind / / --tmpfs /run"
for program in dockerd podman; do
	for dir in /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin; do
		[ ! -e $dir/$program ] || engineless="$engineless --ro-bind /dev/null $dir/$program"
	done
done

check SANDBOX 'no PATH, no sockets, no user namespaces: the screen, word for word' '
	test_expect_code 3 bwrap $engineless "$SOURCE/tests/cli/without-namespaces" env -i -C / \
		"HOME=$HOME" "XDG_STATE_HOME=$HOME/state" \
		"XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR" LC_ALL=C.UTF-8 PATH= "$RONDO" doctor >screen &&
	sed "1s/.*/rondo N   libraries N/; s/bubblewrap [0-9.]*/bubblewrap N/; s/libzmq [0-9.]*/libzmq N/" screen >masked &&
	test_cmp "$screens/bare" masked
'

check 'one screen: 24 lines of 80 columns, whatever works' '
	tried doctor && test "$(wc -l <screen)" -le 24 && ! grep ".\{81\}" screen
'

check 'as JSON Lines: what is there, whether it works, and why not' '
	{ doctor --json >lines || test $? = 3; } && python3 - <<-\EOF
	import json
	lines = {line["name"]: line for line in map(json.loads, open("lines"))}
	assert list(lines) == ["sandbox", "docker", "jupyter", "daytona", "local", "languages", "state"], list(lines)
	assert all(line["works"] != ("why" in line) for line in lines.values())
	assert [name for name in lines if lines[name]["needed"]] == ["sandbox", "state"]
	assert lines["daytona"]["why"] == "no key: DAYTONA_API_KEY is not set" and "export DAYTONA_API_KEY=" in lines["daytona"]["help"]
	EOF
'

check SANDBOX 'the sandbox: bubblewrap is missing' '
	test_expect_code 3 bwrap --dev-bind / / --ro-bind /dev/null /usr/bin/bwrap "$RONDO" doctor \
		>screen &&
	says screen sandbox "! sandbox bubblewrap (bwrap) is not installed help: apt-get install bubblewrap" &&
	says screen jupyter "kernels run in the sandbox, which does not work here"
'

# numbers DIR FILES NUMBER...: the screen where DIR shows another kernel's numbers, and FILES of
# this one's, and namespaces are refused.
numbers() {
	shown=$1 kept=$2
	shift 2
	rm -rf numbers && mkdir numbers && (cd "$shown" && cp $kept "$HOME/numbers") &&
		for number in "$@"; do echo "${number#*=}" >"numbers/${number%=*}"; done &&
		test_expect_code 3 bwrap --dev-bind / / --ro-bind numbers "$shown" \
			"$SOURCE/tests/cli/refusing-namespaces" "$RONDO" doctor >screen
}

check SANDBOX \
	'the sandbox: user namespaces are refused by a sysctl, by AppArmor, or by a seccomp filter' '
	kernel() { numbers /proc/sys/kernel "overflowuid overflowgid cap_last_cap" "$@"; } &&
	kernel unprivileged_userns_clone=0 &&
	says screen sandbox "only root may make a user namespace: kernel.unprivileged_userns_clone is 0" &&
	says screen sandbox "help: sudo sysctl -w kernel.unprivileged_userns_clone=1" &&
	kernel unprivileged_userns_clone=1 apparmor_restrict_unprivileged_userns=1 &&
	says screen sandbox "AppArmor refuses a user namespace: kernel.apparmor_restrict_unprivileged_userns is 1" &&
	says screen sandbox "help: sudo apt-get install apparmor-profiles, or sudo sysctl -w kernel.apparmor_restrict" &&
	numbers /proc/sys/user max_mnt_namespaces max_user_namespaces=0 &&
	says screen sandbox "nobody may make a user namespace: user.max_user_namespaces is 0" &&
	says screen sandbox "help: sudo sysctl -w user.max_user_namespaces=15000" &&
	test_expect_code 3 "$SOURCE/tests/cli/refusing-namespaces" "$RONDO" doctor >screen &&
	says screen sandbox "a seccomp filter around rondo refuses a user namespace, as containers have one" &&
	says screen sandbox "help: start the container with --security-opt seccomp=unconfined"
'

# The kernel looks for a /proc that hides nothing among all that are mounted, also those of others'
# containers: so only what is needed here is there.
few="--dev-bind /proc /proc --tmpfs /proc/irq"
for dir in /bin /sbin /lib /lib32 /lib64 /libx32 /usr /etc /dev /tmp; do
	if [ -L $dir ]; then
		few="$few --symlink $(readlink $dir) $dir"
	elif [ -d $dir ]; then
		few="$few --dev-bind $dir $dir"
	fi
done

check SANDBOX \
	'the sandbox: a /proc of its own is refused where a part of it is hidden, as in containers' '
	test_expect_code 3 bwrap $few --bind "$HOME" "$HOME" --ro-bind "$RONDO" "$RONDO" "$RONDO" \
		doctor >screen && says screen sandbox \
		"a box may have no /proc of its own, as in containers: bwrap: Can${q}t mount proc on /newroot/proc: Operation not permitted" &&
	says screen sandbox "help: start the container with --security-opt systempaths=unconfined"
'

check SANDBOX 'docker: no engine is installed, or it does not run' '
	tried bwrap $engineless "$RONDO" doctor &&
	says screen docker "· docker no container engine: there is neither /var/run/docker.sock nor" &&
	says screen docker "help: apt-get install docker.io, or apt-get install podman and systemctl --user start podman.socket" &&
	{ ! [ -x /usr/sbin/dockerd ] || { tried bwrap --dev-bind / / --tmpfs /run "$RONDO" doctor &&
		says screen docker "help: sudo systemctl start docker"; }; }
'

check 'docker: the socket that is named is not there, or nobody listens at it, or it is elsewhere' '
	DOCKER_HOST=unix://$HOME/none.sock tried doctor &&
	says screen docker "! docker no container engine: there is no socket at $HOME/none.sock" &&
	python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\"dead.sock\")" &&
	DOCKER_HOST=unix://$HOME/dead.sock tried doctor &&
	says screen docker "! docker nobody listens at $HOME/dead.sock: the container engine is not running help: sudo systemctl start docker" &&
	DOCKER_HOST=tcp://192.0.2.1:2375 tried doctor &&
	says screen docker "! docker DOCKER_HOST is ${q}tcp://192.0.2.1:2375${q}: rondo speaks with engines of this machine only"
'

check 'docker: the engine is too old, or too new, or none' '
	answer old "body {\"Version\": \"18.09.1\", \"ApiVersion\": \"1.39\", \"MinAPIVersion\": \"1.12\"}" && DOCKER_HOST=unix://$HOME/old.sock tried doctor &&
	says screen docker "! docker Docker 18.09.1 at $HOME/old.sock speaks API 1.39, and rondo needs 1.41 help: upgrade to Docker 20.10 or Podman 4 or newer" &&
	answer new "body {\"Version\": \"99.0\", \"ApiVersion\": \"1.99\", \"MinAPIVersion\": \"1.90\"}" && DOCKER_HOST=unix://$HOME/new.sock tried doctor &&
	says screen docker "! docker Docker 99.0 at $HOME/new.sock speaks API 1.90 and newer, and rondo no newer than 1.47 help: upgrade rondo" &&
	answer page "body <html>It works!</html>" && DOCKER_HOST=unix://$HOME/page.sock tried doctor &&
	says screen docker "! docker $HOME/page.sock: what answers there is no container engine"
'

check 'docker: it works, and its image is there, or is pulled at first use' '
	printf "%s\n" "scene version" "body {\"Version\": \"26.1.0\", \"ApiVersion\": \"1.45\", \"MinAPIVersion\": \"1.24\"}" "scene v1.45" \
		"body {\"SecurityOptions\": []}" reply "status 404" \
			"body {\"message\": \"No such image\"}" reply \
				"body {\"SecurityOptions\": [\"name=rootless\"]}" \
		reply "body {}" >good.script &&
	"$SOURCE/tests/lib/server" -d good.script good.log "$HOME/good.sock" 3>&- 4>&- 5>&- &&
	DOCKER_HOST=unix://$HOME/good.sock tried doctor &&
	says screen docker "✓ docker Docker 26.1.0, API 1.45, at $HOME/good.sock; python:3-slim is pulled at first use" &&
	DOCKER_HOST=unix://$HOME/good.sock tried doctor &&
	says screen docker "✓ docker python:3-slim in Docker 26.1.0, API 1.45, rootless, at $HOME/good.sock"
'

check 'docker: this user may not speak with the engine' '
	python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\"closed.sock\")" &&
	chmod 0 closed.sock &&
	if [ "$(id -u)" = 0 ]; then
		chmod 755 . && HOME=/ &&
		as="setpriv --reuid 65534 --regid 65534 --clear-groups env XDG_STATE_HOME=/tmp"
	fi &&
	DOCKER_HOST=unix://$SHARNESS_TRASH_DIRECTORY/closed.sock tried env -C / $as "$RONDO" doctor &&
	says screen docker "! docker this user may not speak with the container engine at $SHARNESS_TRASH_DIRECTORY/closed.sock help: sudo usermod -aG docker \$USER"
'

check SANDBOX 'jupyter: libzmq is missing, or ipykernel' '
	if [ -d /usr/share/jupyter ]; then kernels="--tmpfs /usr/share/jupyter"; fi &&
	tried bwrap --dev-bind / / --tmpfs /usr/lib/python3/dist-packages $kernels "$RONDO" doctor &&
	says screen jupyter "· jupyter Kernel python3 is not installed. There is none. help: apt-get install python3-ipykernel, or pip install ipykernel"
'

check 'daytona: no key, a key that is refused, a page for people, nobody there' '
	tried doctor &&
	says screen daytona "· daytona no key: DAYTONA_API_KEY is not set help: export DAYTONA_API_KEY=..." &&
	printf "%s\n" "scene no" "status 401" "body {\"message\": \"Invalid credentials\"}" \
		"scene page" "header Content-Type: text/html" "body <html></html>" >api.script &&
	port=$("$SOURCE/tests/lib/server" -d api.script api.log 3>&- 4>&- 5>&-) &&
	export DAYTONA_API_KEY=wrong-key &&
	DAYTONA_API_URL=http://127.0.0.1:$port/no tried doctor &&
	says screen daytona "! daytona http://127.0.0.1:$port/no: cannot ask Daytona: Daytona does not accept the key in DAYTONA_API_KEY (HTTP 401: Invalid credentials) help: make a key at" &&
	DAYTONA_API_URL=http://127.0.0.1:$port/page tried doctor &&
	says screen daytona "answers with a page for people, not with JSON (HTTP 200) help: set DAYTONA_API_URL" &&
	DAYTONA_API_URL=http://127.0.0.1:9/api tried doctor &&
	says screen daytona "! daytona http://127.0.0.1:9/api: cannot ask Daytona: no answer from 127.0.0.1:9: Connection refused help: check DAYTONA_API_URL (http://127.0.0.1:9/api)" &&
	! grep -r wrong-key screen
'

check 'where runs cannot be kept: exit code 3, and why' '
	echo x >file && test_expect_code 3 env XDG_STATE_HOME="$HOME/file" "$RONDO" doctor >screen &&
	says screen state "! state " &&
	says screen state "Not a directory help: export XDG_STATE_HOME=DIR, with a directory that you may write"
'

# Not in a subshell, which cannot wait for it.
test_expect_success 'an engine and a server that take a call and never answer hold nothing up for long' '
	{ wait $mute || test $? = 3; } &&
	says mute.screen docker "! docker the container engine at $HOME/mute.sock takes calls, and does not answer help: sudo systemctl restart docker" &&
	says mute.screen daytona "! daytona $silent: cannot ask Daytona: " &&
	says mute.screen daytona "help: check DAYTONA_API_URL ($silent)" &&
	says mute.screen local "always there"
'

test_done
