#!/bin/sh
test_description='the sandbox: what programs in it see, and what they cannot do'
. "$(dirname "$0")/lib.sh"

# inside SCRIPT: runs a suite that is this script in the sandbox; its output is in $HOME/said.
inside() {
	rm -rf box "$HOME/state" && mkdir box && cd box && git init -q &&
	printf 'check:\n\t@sh ./suite\n' >Makefile &&
		printf '%s\n' "$1" >suite && commit_all &&
		{ "$RONDO" fix >"$HOME/out" 2>&1 || :; } &&
		cat "$HOME"/state/rondo/runs/*/attempts/1/logs/baseline-1.log >"$HOME/said"
}

check SANDBOX 'no network but loopback, no home, no environment, a private /tmp' '
	echo secret >"$HOME/.netrc" && touch /tmp/rondo-canary && SECRET_API_KEY=hidden &&
	export SECRET_API_KEY && inside "
		cat /sys/class/net/*/address 2>/dev/null
		ls /proc/net/dev >/dev/null; grep -c : /proc/net/dev
		cat $HOME/.netrc; ls /tmp; env; id -u; cat /proc/1/environ
		grep Seccomp /proc/self/status" &&
	! grep "secret\|hidden\|canary" "$HOME/said" && grep "^HOME=/home/agent$" "$HOME/said" &&
	grep "^1000$" "$HOME/said"
'

check SANDBOX 'tests may ask for colour; what is read has none' '
	inside "
		echo 1..2; printf \"\\033[32mok 1 - plain\\033[0m\\n\"
		test -z \"\$NO_COLOR\" && echo ok 2 - coloured || echo not ok 2 - coloured" &&
	grep "nothing to fix: 2 of 2 passed" "$HOME/out"
'

# python_inside: the same for a test in Python, in a repository that already lies in box/.
python_inside() {
	printf 'import os, unittest\n\nclass Test(unittest.TestCase):\n    def test(self):\n%s\n' \
		"        os.system('cd \"$HOME\" && cat .netrc hidden/canary; echo was run')
        assert False" >test_a.py && commit_all &&
		{ "$RONDO" fix --test "python3 -m unittest -v" >"$HOME/out" 2>&1 || :; } &&
		cat "$HOME"/state/rondo/runs/*/attempts/1/logs/baseline-1.log >"$HOME/said" &&
		grep "was run" "$HOME/said" && ! grep "secret" "$HOME/said"
}

check SANDBOX 'a committed .pdm-python shows no directory of the host' '
	echo secret >"$HOME/.netrc" && mkdir -p .local/bin && ln -sf /usr/bin/python3 .local/bin &&
	for prefix in /. "$HOME/./.local" "$HOME/.local/.."; do
		rm -rf box "$HOME/state" && git init -q box && cd box &&
		echo "$prefix/bin/python3" >.pdm-python && python_inside && cd .. || return 1
	done
'

check SANDBOX 'a committed environment whose interpreter is a link shows no directory of the host' '
	mkdir -p hidden/inner && echo secret >hidden/canary && echo secret >hidden/inner/key &&
	rm -rf box "$HOME/state" && git init -q box && cd box && mkdir -p venv/bin &&
	touch venv/pyvenv.cfg && ln -s /usr/bin/python3 venv/bin/python3 &&
	ln -s ../../../hidden/inner/key venv/bin/python && python_inside
'

check SANDBOX 'the system is read-only, /proc/sys too' '
	inside "touch /usr/x; touch /etc/x; echo x >/proc/sys/kernel/core_pattern
		mount -t tmpfs x /usr; unshare -U true" &&
	test $(grep -c "Read-only\|cannot\|denied\|not permitted\|superuser\|No space left" \
		"$HOME/said") -ge 5 && test ! -e /usr/x
'

check SANDBOX,ROOT 'without user namespaces it says exactly what is missing' '
	tiny refused && cd refused &&
	test_expect_code 3 "$SOURCE/tests/cli/without-namespaces" "$RONDO" fix 2>../err &&
	grep "no sandbox: nobody may make a user namespace: user.max_user_namespaces is 0" ../err &&
	grep "^  help  sudo sysctl -w user.max_user_namespaces=" ../err
'

check SANDBOX 'in a container that refuses user namespaces fix and verify name two ways out' '
	tiny boxed && cd boxed && sed -i "s/width + height/width * height/" shapes.py &&
	for command in "fix --head" verify; do
		test_expect_code 3 "$SOURCE/tests/cli/refusing-namespaces" "$RONDO" $command 2>../err &&
		grep "no sandbox: a seccomp filter around rondo refuses a user namespace, as con" ../err &&
		grep "^  help  start the container with --security-opt .*; or --executor local, " ../err &&
		"$SOURCE/tests/cli/refusing-namespaces" "$RONDO" $command --executor local >../out &&
		grep "^✓ verified" ../out || exit 1
	done
'

check SANDBOX 'nothing that it starts survives it' '
	inside "setsid sleep 987.$$ & setsid setsid sleep 987.$$ & exit 1" &&
	! pgrep -f "sleep 987.$$"
'

check SANDBOX,ROOT 'root: tree and interpreter below a directory of mode 700, run by nobody' '
	mkdir -p -m 700 private && python3 -m venv --without-pip private/env && tiny private/tree &&
	cd private/tree &&
	printf "check:\n\t@id -u >who; ../env/bin/python3 tests/run.py\n" >Makefile &&
	commit_all make &&
	PATH=$HOME/private/env/bin:$PATH "$RONDO" fix --test "python3 tests/run.py" >../../out &&
	grep "verified" ../../out
'

check SANDBOX,ROOT 'root: the tree of another user is run as this user' '
	rm -rf state && tiny theirs && cd theirs &&
	printf "check:\n\t@stat -c %%u shapes.py; python3 -S tests/run.py\n" >Makefile &&
	commit_all make &&
	chown -R 12345:12345 . && git config --global --add safe.directory "$PWD" &&
	"$RONDO" fix >../out &&
	grep "^1000$" ../state/rondo/runs/*/attempts/1/logs/gate.log
'

check SANDBOX,ROOT 'root of a namespace that maps no other user says so' '
	tiny lonely && cd lonely && test_expect_code 3 unshare -rU "$RONDO" fix 2>../err &&
	grep "which this user namespace does not map" ../err
'

check SANDBOX 'without bubblewrap it says so, and how to get it' '
	tiny none && cd none &&
	test_expect_code 3 unshare $(test "$(id -u)" = 0 && echo -m || echo -rm) sh -c \
		"mount --bind /dev/null /usr/bin/bwrap && \"$RONDO\" fix" 2>../err &&
	grep "no sandbox: bubblewrap (bwrap) is not installed" ../err &&
	grep "^  help  apt-get install bubblewrap" ../err
'

check SANDBOX 'a block that exceeds a limit is killed, and the reply says why' '
	cat >greedy.yaml <<-\EOF &&
	task: Take what you can get.
	models:
	  recorded:
	    provider: replay
	    replies:
	      - "All:\n\n```sh\nfor i in $(seq 48); do sleep 50 & done; wait\n```"
	      - "All memory:\n\n```sh\nhead -c 60M /dev/zero >/tmp/full; sleep 50\n```"
	      - TERMINATE
	agents: {writer: {type: coder, model: recorded}, runner: executor}
	team: {participants: [writer, runner], termination: {text_mention: TERMINATE}}
	executor: {type: sandbox, processes: 40, memory: 20M}
	EOF
	"$RONDO" run greedy.yaml >out && grep "killed because it started too many processes" out &&
	grep "killed because it took too much memory" out
'

check SANDBOX 'doctor says what is limited' '
	"$RONDO" doctor --json |
		grep "\"sandbox\".*system calls filtered, memory, processes and disk limited"
'

test_done
