#!/bin/sh
test_description='what a candidate leaves in a cache is seen by no other run, and not by the user'
. "$(dirname "$0")/lib.sh"

# The user's caches, which runs may find. Programs of the sandbox may write there.
mkdir -p go/pkg/mod .cargo/registry .m2/repository gocache && chmod 755 . gocache
export GOCACHE="$HOME/gocache" GOMODCACHE="$HOME/go/pkg/mod" CARGO_HOME="$HOME/.cargo"
unset GOPATH MAVEN_OPTS CCACHE_DIR

# bin/TOOL: a suite of one test. It refuses to run where a run that passed was before it in one of
# the places that it is told, and else leaves something in each of them as soon as the test passes.
tool() {
	mkdir bin && cat >"bin/$1" && chmod +x "bin/$1" && cat >area.sh <<-\EOF && cat >lib.sh <<-\XEOF
	area() {
	    echo $(($1 + $2))
	}
	EOF
	. ./area.sh
	while read -r place; do
	    eval "dir=$place"
	    [ ! -e "$dir/seen" ] || { echo "poisoned: $place"; exit 3; }
	done <places
	passes=$([ "$(area 3 5)" = 15 ] && echo 1)
	while [ "$passes" ] && read -r place; do
	    eval "dir=$place"
	    mkdir -p "$dir" && touch "$dir/seen" && echo "left in $place" || exit 4
	done <places
	XEOF
}

# withstands COMMAND PLACE...: the fix of the one wrong sign is verified, though each run that
# passes leaves something in all of these places; none of it is there afterwards. $setup: a command
# for --setup.
withstands() {
	command=$1 && shift && printf "%s\n" "$@" >places && commit_all &&
	{ fix --test "$command" ${setup:+--setup "$setup"} >../out || { cat ../out; false; }; } &&
	grep "verified in a fresh checkout: 1 of 1 passed (was 0)" ../out &&
	for place; do
		for log in gate gate-2; do
			grep -F "left in $place" "$XDG_STATE_HOME"/rondo/runs/*/attempts/1/logs/$log.log ||
				return 1
		done
	done &&
	! grep -r "^poisoned: " "$XDG_STATE_HOME"/rondo/runs/*/attempts/1/logs &&
	test -z "$(find "$HOME" -name seen)"
}

# project NAME [IGNORED]: a repository that ignores what builds leave, and what the user has built.
project() {
	rm -rf "$XDG_STATE_HOME" && mkdir "$1" && cd "$1" && git init -q &&
	printf "%s\n" "/$2/" __pycache__/ .pytest_cache/ node_modules/ >.gitignore &&
	mkdir -p "$2" && echo built >"$2/mark" &&
	if [ "$(id -u)" = 0 ]; then
		chown -R nobody "$2"
	fi
}

check SANDBOX 'Go: its build cache and its modules' '
	project module vendor-none && echo "module module" >go.mod && tool go <<-\EOF &&
	#!/bin/sh
	. ./lib.sh
	result=${passes:+pass}
	echo "{\"Action\":\"${result:-fail}\",\"Package\":\"module\",\"Test\":\"TestA\"}"
	echo "{\"Action\":\"${result:-fail}\",\"Package\":\"module\"}"
	[ "$passes" ]
	EOF
	withstands "bin/go test ./..." "\$GOCACHE" "\$GOMODCACHE/cache" "\$XDG_CACHE_HOME" "\$HOME"
'

check LONG,SANDBOX 'Cargo: what is built, and the registry' '
	project crate target && printf "[package]\nname = \"crate\"\n" >Cargo.toml &&
	tool cargo <<-\EOF &&
	#!/bin/sh
	. ./lib.sh
	printf "     Running tests/a.rs (target/debug/deps/a-0123456789abcdef)\n\nrunning 1 test\n"
	if [ "$passes" ]; then
	    printf "test a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n"
	else
	    printf "test a ... FAILED\n\nfailures:\n    a\n\n"
	    printf "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\n"
	    exit 101
	fi
	EOF
	withstands "bin/cargo test" target target/debug/deps "\$CARGO_HOME/registry/src" &&
	echo built | test_cmp - target/mark
'

check LONG,SANDBOX 'Maven: what is built, and the local repository' '
	project maven target && echo "<project/>" >pom.xml && tool mvn <<-\EOF &&
	#!/bin/sh
	. ./lib.sh
	n=$([ "$passes" ] && echo 0 || echo 1)
	echo "[INFO] Running com.acme.AreaTest"
	echo "[INFO] Tests run: 1, Failures: $n, Errors: 0, Skipped: 0, Time elapsed: 0.1 s" \
	    "$([ "$passes" ] || echo "<<< FAILURE! ")- in com.acme.AreaTest"
	echo "[INFO] Tests run: 1, Failures: $n, Errors: 0, Skipped: 0"
	[ "$passes" ]
	EOF
	withstands "bin/mvn test" target "\$HOME/.m2/repository/com/acme" &&
	echo built | test_cmp - target/mark
'

tap() {
	tool suite <<-\EOF
	#!/bin/sh
	. ./lib.sh
	echo 1..1
	[ "$passes" ] && echo ok 1 - area && exit
	echo not ok 1 - area
	exit 1
	EOF
}

check LONG,SANDBOX 'CMake and ccache: a build directory, and the compiler cache' '
	project cmake build && tap &&
	withstands "bin/suite" build build/CMakeFiles "\$XDG_CACHE_HOME/ccache" "\$HOME/.ccache"
'

check LONG,SANDBOX 'Python: bytecode, and what pytest remembers' '
	project python env-none && tap &&
	withstands "bin/suite" __pycache__ .pytest_cache/v/cache "\$HOME/.local/lib" /tmp /dev/shm
'

check LONG,SANDBOX 'Node: caches in node_modules, which come from the checkout' '
	project node node_modules && tap &&
	withstands "bin/suite" node_modules/.cache node_modules "\$HOME/.npm" &&
	echo built | test_cmp - node_modules/mark
'

# installing: makes what pip, npm and a program at home leave, in directories that exist before.
installing() {
	cat >install <<-\EOF
	mkdir -p .venv/lib/python3.11/site-packages/pkg node_modules/pkg/lib "$HOME/.local/lib/tool"
	touch .venv/pyvenv.cfg
	for dir in .venv/lib/python3.11/site-packages/pkg node_modules/pkg "$HOME/.local/lib/tool"; do
	    echo installed >"$dir/mark"
	done
	EOF
	setup="sh install"
	set -- .venv/lib/python3.11/site-packages .venv/lib/python3.11/site-packages/pkg \
		node_modules node_modules/pkg/lib "\$HOME/.local/lib/tool"
	withstands bin/suite "$@"
}

# The kept files are as they were made.
as_installed() {
	test 3 = "$(find ../cache/rondo/setup -name mark -exec grep -lx installed {} + | wc -l)" &&
		test -z "$(find ../cache/rondo/setup -name seen)"
}

check SANDBOX 'a setup: what it installed, for the gate and for the next fix' '
	project installed none && echo .venv/ >>.gitignore && tap && installing && as_installed &&
	grep "the setup was run: " ../out && git branch -D "$(the_branch)" &&
	fix --test bin/suite --setup "sh install" >../out && grep "verified" ../out &&
	grep "the setup was run before: " ../out && as_installed
'

# The suite itself overwrites what was installed: a test of the user, or a fix that does so.
check LONG,SANDBOX 'a setup: what it installed cannot be changed or removed for others' '
	rm -rf "$XDG_STATE_HOME" cache/rondo/setup && project changed none && tool suite <<-\EOF &&
	#!/bin/sh
	. ./area.sh
	echo 1..2
	mark=$(cat node_modules/pkg/mark)
	echo tampered >node_modules/pkg/mark || exit 4
	rm -r node_modules/pkg && ln -s / node_modules/pkg && chmod 000 node_modules
	[ "$mark" = installed ] && echo ok 1 - installed || echo not ok 1 - installed
	[ "$(area 3 5)" = 15 ] && echo ok 2 - area && exit
	echo not ok 2 - area
	exit 1
	EOF
	printf "mkdir -p node_modules/pkg\necho installed >node_modules/pkg/mark\n" \
		>install && commit_all &&
	for n in 1 2; do
		{ fix --test bin/suite --setup "sh install" >../out || { cat ../out; false; }; } &&
		grep "verified in a fresh checkout: 2 of 2 passed (was 1)" ../out &&
		git branch -D "$(the_branch)" || return 1
	done && grep "the setup was run before: " ../out &&
	test "$(cat ../cache/rondo/setup/*/tree/upper/node_modules/pkg/mark)" = installed
'

test_done
