#!/bin/sh
test_description='the sandbox: what programs in it see and cannot do'
. "$(dirname "$0")/lib.sh"

# inside SCRIPT: run a suite that is this script, in the sandbox; what it printed is in $HOME/said.
inside() {
	rm -rf box && mkdir box && cd box && git init -q && printf 'check:\n\t@sh ./suite\n' >Makefile &&
		printf '%s\n' "$1" >suite && commit_all &&
		"$RONDO" fix >"$HOME/out" 2>&1
	cat "$(ls -d "$HOME"/state/rondo/runs/* | tail -1)"/attempts/1/logs/baseline-1.log >"$HOME/said"
}

test_expect_success SANDBOX 'no network but loopback, no home, no environment, a private /tmp' '
	echo secret >"$HOME/.netrc" && touch /tmp/rondo-canary && SECRET_API_KEY=hidden &&
	export SECRET_API_KEY && inside "
		cat /sys/class/net/*/address 2>/dev/null; ls /proc/net/dev >/dev/null; grep -c : /proc/net/dev
		cat $HOME/.netrc; ls /tmp; env; id -u; cat /proc/1/environ; grep Seccomp /proc/self/status" &&
	! grep "secret\|hidden\|canary" "$HOME/said" && grep "^HOME=/home/agent$" "$HOME/said" && grep "^1000$" "$HOME/said"
'

test_expect_success SANDBOX 'the system is read-only, /proc/sys too' '
	inside "touch /usr/x; touch /etc/x; echo x >/proc/sys/kernel/core_pattern; mount -t tmpfs x /mnt; unshare -U true" &&
	test $(grep -c "Read-only\|cannot\|denied\|not permitted\|No space left" "$HOME/said") -ge 5 && test ! -e /usr/x
'

test_expect_success SANDBOX 'nothing that it starts survives it' '
	inside "setsid sh -c \"exec -a rondo-survivor sleep 987\" & setsid setsid sleep 987 & sleep 0.1" &&
	! pgrep -f "sleep 987"
'

test_expect_success SANDBOX,ROOT 'root: tree and interpreter below a directory of mode 700, run by nobody' '
	mkdir -p -m 700 private && python3 -m venv --without-pip private/env && tiny private/tree && cd private/tree &&
	printf "check:\n\t@id -u >who; ../env/bin/python3 tests/run.py\n" >Makefile && commit_all make &&
	PATH=$HOME/private/env/bin:$PATH "$RONDO" fix --test "python3 tests/run.py" >../../out &&
	grep "verified" ../../out
'

test_expect_success SANDBOX,ROOT 'root: a tree of somebody is run by somebody' '
	tiny theirs && chown -R 12345:12345 theirs && git config --global --add safe.directory "*" && cd theirs &&
	printf "check:\n\t@stat -c %%u shapes.py; python3 tests/run.py\n" >Makefile && commit_all make && "$RONDO" fix >../out &&
	grep "^1000$" "$(ls -d ../state/rondo/runs/* | tail -1)"/attempts/1/logs/gate.log
'

test_expect_success 'where there is no bubblewrap it says so, and how to get it' '
	tiny none && cd none && mkdir ../bin && mkdir ../empty &&
	unshare -rm sh -c "mount -t tmpfs x /usr/local 2>/dev/null; mount --bind /dev/null /usr/bin/bwrap && \"$RONDO\" fix" >../out 2>../err
	code=$? && { test $code = 3 && grep "no sandbox" ../err || test_have_prereq !SANDBOX; }
'

test_done
