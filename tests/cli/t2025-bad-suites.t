#!/bin/sh
test_description='suites that need what is not there, or depend on what they should not'
. "$(dirname "$0")/lib.sh"

# suite: a repository whose make check is the script on stdin; nothing in it can be mended.
suite() {
	rm -rf repo state && mkdir repo && cd repo && git init -q &&
	printf 'check:\n\t@sh ./suite\n' >Makefile && cat >suite && echo 'x = 1' >x.py && commit_all
}

# python TEXT: a repository whose one test is this, below its function.
python() {
	rm -rf repo state && mkdir repo && cd repo && git init -q && echo 'x = 1' >x.py &&
	printf 'import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n' >test_a.py &&
	printf '        %s\n' "$@" >>test_a.py && commit_all
}

# ends CODE TEXT...: rondo fix ends so, says so, and leaves the repository as it was.
ends() {
	code=$1 && shift && fingerprint >../before &&
	test_expect_code "$code" fix --limit candidates=5 >../out 2>../err </dev/null &&
	fingerprint >../after && test_cmp ../before ../after &&
	for text; do
		grep "$text" ../out || {
			cat ../out ../err
			return 1
		}
	done
}

check 'a question: stdin is at its end, and the suite ends at once' '
	suite <<-\EOF && ends 1 "Continue?.*no input to read"
	printf "Continue? [y/N] "
	read answer || { echo "no input to read"; exit 1; }
	EOF
'

check 'a test command that names what is not there: nothing is searched' '
	suite <<-\EOF &&
	echo "make: *** No rule to make target '\''parser.o'\'', needed by '\''check'\''.  Stop."
	exit 2
	EOF
	test_expect_code 3 fix --test "make tets" >../out &&
	grep "^! cannot judge: make has no rule for .tets.$" ../out &&
	grep "^   help     name a command that runs the tests: --test .CMD.$" ../out &&
	ends 1 "not fixed: 1 of 1 goal test still fails" && rm Makefile && commit_all none &&
	while IFS=: read -r command why; do
		test_expect_code 3 fix --test "$command" >../out </dev/null &&
			grep "^! cannot judge: $why$" ../out || exit 1
	done <<-\EOF
	make:there is no makefile
	python3 nosuch.py -v:there is no file .*nosuch.py.
	sh ./nosuch.sh:there is no file .*nosuch.sh.
	bash nosuch.sh:there is no file .nosuch.sh.
	perl t/nosuch.t:there is no file .t/nosuch.t.
	node nosuch.js:there is no file .*/nosuch.js.
	cd nosuch && sh suite:there is no directory .nosuch.
	EOF
'

check NODE 'a file of the tests that does not compile: the search ends soon, and says so' '
	rm -rf repo && mkdir repo && cd repo && git init -q &&
	echo "exports.add = (a, b) => a + b;" >add.js &&
	printf "%s\n" "const { add } = require(\"./add\");" "if (add(1, 2) !== 3 throw 1;" \
		>add.test.js &&
	commit_all && test_expect_code 1 fix --test "node --test" >../out &&
	grep "why .*: add.test.js:2 does not compile, and repair does not change tests" ../out
'

check 'the time is over before the suite is: nothing is known of a fix' '
	suite <<-EOF && cd .. &&
	read never <"$PWD/never"
	EOF
	mkfifo never && test_expect_code 3 "$RONDO" fix repo --executor local --limit time=1s \
		--limit silence=60s >out 2>err && grep "^rondo: the time limit of the run is over$" err &&
	grep "^  help  --limit time=1h gives it more time$" err
'

check 'a terminal' '
	python "import os" "open(\"/dev/tty\").close()" &&
	ends 3 "need a terminal" "help  *--executor local"
'

check LONG 'a terminal, of tput and stty' '
	suite <<-\EOF && ends 3 "a terminal"
	stty size || exit 1
	EOF
'

check LONG 'a question in Python is told: it may be one too many' '
	python "input(\"Name? \")" && ends 1 "test_a needs an answer on stdin, which is at its end"
'

check LONG 'a port of its own: as at home, also twice at a time' '
	python "import socket" "s = socket.create_server((\"127.0.0.1\", 49876))" \
		"socket.create_connection((\"127.0.0.1\", 49876)).close()" "s.close()" &&
	ends 0 "nothing to fix"
'

check 'Docker' '
	suite <<-\EOF && ends 3 "Docker"
	echo 1..1
	echo "not ok 1 - container"
	echo "# Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?"
	exit 1
	EOF
'

check LONG 'Docker, whose client is not there' '
	suite <<-\EOF && ends 3 "the command .docker. is missing"
	PATH=/nowhere docker run x
	EOF
'

check LONG 'a display' '
	python "raise RuntimeError(\"no display name and no \$DISPLAY environment variable\")" &&
	ends 3 "need a display"
'

check 'a database' '
	python "raise OSError(\"connection to server at localhost, port 5432 failed: refused\")" &&
	ends 3 "the failing tests need a database" "help  *--executor local"
'

check 'a suite that writes into its own sources' '
	suite <<-\EOF && ends 0 "nothing to fix"
	echo "y = 2" >>x.py; echo z >new.py; test "$(wc -l <x.py)" = 2 || exit 1
	EOF
'

check 'a suite that writes into HOME and into /tmp' '
	suite <<-\EOF && ends 0 "nothing to fix" && test ! -e /tmp/rondo-fixed-name && test ! -e ~/.left
	test ! -e "$HOME/.left" && test ! -e /tmp/rondo-fixed-name || exit 1
	touch "$HOME/.left" /tmp/rondo-fixed-name
	EOF
'

# The gate's second run is elsewhere, and where a fix does not hold there, the base decides.
check LONG,SANDBOX 'the user and the path: told, and then all runs are at one path' '
	python "self.assertEqual(__import__(\"os\").getuid(), 1000)" "" "    def test_b(self):" \
		"self.assertEqual(__import__(\"x\").double(4), 8)" \
		"self.assertEqual(__import__(\"x\").double(5), 10)" &&
	sed -i "s/^ *def test_b/    def test_b/" test_a.py &&
	printf "def double(x):\n    return x + 2\n" >x.py && commit_all red && fix >../out &&
	git show "$(the_branch)" >../fix && grep "^+ *return x \* 2" ../fix &&
	grep "base.s tests come out differently at another path, as another user" \
		../state/rondo/runs/*/report.md
'

check LONG 'the time zone and the locale are fixed' '
	suite <<-\EOF && ends 0 "nothing to fix"
	test "$(date +%Z)" = UTC -a "$LANG" = C.UTF-8
	EOF
'

check 'the order' '
	python "self.assertTrue(T.first)" && cat >test_a.py <<-\EOF && commit_all order &&
	import unittest

	class T(unittest.TestCase):
	    first = True

	    def test_a(self):
	        T.first = False

	    def test_b(self):
	        self.assertTrue(T.first)
	EOF
	ends 1 "test_b passes by itself and fails in the suite: it depends on what runs before it"
'

check LONG 'the number of cores: all runs see the same' '
	suite <<-EOF && ends 0 "nothing to fix"
	test "\$(nproc)" = "$(nproc)"
	EOF
'

# in_little_space DIR COMMAND...: with 30 MB for the cache. What is left there is listed in left.
in_little_space() {
	unshare -m sh -c 'dir=$1 && shift && mkdir -p "$dir" &&
		mount -t tmpfs -o size=30m,mode=755 small "$dir" && XDG_CACHE_HOME=$dir "$@"
		code=$?; find "$dir/rondo/work" -mindepth 1 >../left; exit $code' sh "$@"
}

# The keeper sees it first, or the program.
check SANDBOX,ROOT 'a full disk under the layers: nothing is left there' '
	suite <<-\EOF &&
	head -c 100000000 /dev/zero >big && echo 1..1 && echo ok 1 - a
	EOF
	test_expect_code 3 in_little_space "$HOME/small" "$RONDO" fix >../out &&
	grep "cannot judge: .*\(wrote too much to\|room on\) the disk" ../out && test -e ../left &&
	! test -s ../left
'

# Such as what a copy of a checkout brings along: CMake refuses it, at home too.
check LONG,SANDBOX 'a build directory that was made elsewhere is not used' '
	rm -rf made && mkdir -p made/here && cd made/here && git init -q && echo /build >.gitignore &&
	printf "%s\n" "cmake_minimum_required(VERSION 3.10)" "project(x C)" "enable_testing()" \
		"add_executable(t t.c)" "add_test(NAME t COMMAND t)" >CMakeLists.txt &&
	printf "%s\n" "static int area(int width, int height)" "{" "	return width + height;" "}" "" \
		"int main(void)" "{" "	return area(3, 5) != 15;" "}" >t.c && commit_all &&
	cmake -S . -B build >/dev/null && cmake --build build >/dev/null &&
	cp -r ../here ../there && cd ../there && fix >../out && grep "1 of 1 passed (was 0)" ../out
'

check 'what passes in the chat and fails in a fresh checkout says so' '
	rm -rf fresh && mkdir fresh && cd fresh && git init -q &&
	printf "%s\n" "def add(a, b):" "    return a - b" >add.py && cat >test_add.py <<-\EOF &&
	import os
	from add import add


	def test_add():
	    assert add(2, 3) == 5 and os.path.basename(os.getcwd()) != "gate"
	EOF
	commit_all && test_expect_code 1 "$RONDO" fix --executor local --limit candidates=20 >../out &&
	grep "why  *the tests passed in the chat and fail in a fresh checkout: one may be flaky" ../out
'

test_done
