#!/bin/sh
test_description='how repair searches'
. "$(dirname "$0")/lib.sh"

# larger DIR: a function whose fix takes more than the first round, and others that its tests never
# run.
larger() {
	mkdir "$1" && cd "$1" && git init -q &&
		cat >shop.py <<-\EOF &&
		def price(item, count):
		    if count > 3:
		        return item * count - 1
		    return item * count


		def weight(items):
		    total = 0
		    for item in items:
		        total += item * 2
		    return total


		def largest(values):
		    best = 0
		    for value in values:
		        if value > best:
		            best = value
		    return best
		EOF
		cat >test_shop.py <<-\EOF &&
		import unittest
		import shop


		class Shop(unittest.TestCase):
		    def test_price(self):
		        self.assertEqual(shop.price(2, 4), 7)
		        self.assertEqual(shop.price(2, 3), 6)

		    def test_weight(self):
		        self.assertEqual(shop.weight([1, 2]), 6)

		    def test_largest(self):
		        self.assertEqual(shop.largest([3, 8, 8, 1]), 8)

		    def test_largest_of_negative(self):
		        self.assertEqual(shop.largest([-4, -2, -3]), -2)
		EOF
		commit_all
}

# change: what the last run changed.
change() {
	git for-each-ref --sort=-creatordate --format='%(refname)' 'refs/heads/rondo/*' | head -1 |
		xargs git diff main
}

# journal: the records of the only run.
journal() {
	cat "$XDG_STATE_HOME"/rondo/runs/*/attempts/1/journal.jsonl
}

check 'one core finds the fix that all cores find' '
	larger cores &&
	XDG_STATE_HOME=$PWD/../one-core taskset -c 0 "$RONDO" fix --executor $EXECUTOR >../one &&
	change >../one.diff && XDG_STATE_HOME=$PWD/../all-cores fix >../all && change >../all.diff &&
	grep "^+ " ../one.diff && test_cmp ../one.diff ../all.diff
'

check SANDBOX 'after the first round, the search asks which lines the tests run' '
	XDG_STATE_HOME=$PWD/all-cores && journal >records &&
	grep "\"type\":\"search\"" records >searches &&
	grep -c "\"lines\":[1-9]" searches >asked && echo 1 >expected && test_cmp expected asked
'

check 'a limit of candidates ends the search, and its result so far is reported' '
	cd cores && test_expect_code 1 fix --limit candidates=20 >../few &&
	grep "gave up after 20 candidates, as many as it may try, likeliest first: shop.py:" ../few &&
	grep "help     --limit candidates=200 tries more" ../few
'

# order SEED: the candidates in the order of their trial.
order() {
	rm -rf ../seeded && XDG_STATE_HOME=$PWD/../seeded && export XDG_STATE_HOME &&
		RONDO_LOG=debug test_expect_code 1 taskset -c 0 "$RONDO" fix --executor $EXECUTOR \
			--limit candidates=20 --seed "$1" 2>../log >/dev/null &&
		grep -o "trying candidate.* fixed .*" ../log
}

check 'a seed gives another order, and the same one each time' '
	cd cores && order 0 >../plain && order 5 >../five && order 5 >../again &&
	test_cmp ../five ../again && ! cmp ../plain ../five
'

check SANDBOX 'of several passing edits the likeliest is taken, and the others are listed' '
	cd cores && sed -i "/test_largest_of_negative/,\$d" test_shop.py &&
	sed -i "s/value > best/value < best/" shop.py && commit_all &&
	XDG_STATE_HOME=$PWD/../chosen && export XDG_STATE_HOME && fix >../out &&
	change | grep "^+ *if value > best" &&
	grep "^coder *tried [0-9]* candidates in .*, [2-9] fix the test, \
compared by [0-9]* tests with other values" ../out &&
	grep "\"confidence\":.\"high\"" ../chosen/rondo/runs/*/report.json &&
	report=$(echo ../chosen/rondo/runs/*/report.md) &&
	grep "with other values in them \([0-9]*\) of \1 edits" "$report" &&
	grep "^These passed all tests, too:" "$report"
'

# project DIR EXPECTED: shop.py from standard input, and a test that total(4) is EXPECTED. The test
# also binds a port and writes into its tree.
project() {
	mkdir "$1" && cd "$1" && git init -q && cat >shop.py && cat >test_shop.py <<-EOF && commit_all
	import socket
	import unittest
	import shop


	class Shop(unittest.TestCase):
	    def setUp(self):
	        self.socket = socket.socket()
	        self.socket.bind(("127.0.0.1", 8123))
	        self.addCleanup(self.socket.close)
	        open("log.txt", "a").write("tested\\n")

	    def test_total(self):
	        self.assertEqual(shop.total(4), $2)

	    def test_none(self):
	        self.assertEqual(shop.total(0), 0)
	EOF
}

check SANDBOX 'most candidates never end, tests bind a port and write into their tree' '
	printf "%s\n" \
		"def total(n):" "    found = 0" "    while n > 0:" "        found += n" "        n -= 2" \
		"    return found" |
		(project loop 10) && cd loop && fix >../out && change | grep "^+ " && test ! -e log.txt
'

check 'a wrong test: all candidates are tried, and its place is reported' '
	printf "def total(n):\n    return n\n" | (project wrong "\"a name\"") && cd wrong &&
	test_expect_code 1 fix >../out &&
	grep "gave up: all [0-9]* candidates were tried.*is the test right? test_shop.py:14" ../out
'

# test_file FILE [NAME EQUAL]...: tests for unittest, which starts seven times as fast as pytest.
test_file() {
	file=$1
	shift
	printf "import unittest\nfrom f import f\n\n\nclass F(unittest.TestCase):\n" >"$file"
	while [ $# != 0 ]; do
		printf "    def test_%s(self): self.assertEqual(%s)\n" "$1" "$2" >>"$file"
		shift 2
	done
}

check 'the best edit that breaks another test is undone, and kept as a patch' '
	mkdir part && cd part && git init -q &&
	printf "def f(x):\n    if x > 3:\n        return x + 1\n    return x - 1\n" >f.py &&
	test_file test_one.py one "f(3), 4" && test_file test_other.py other "f(3), 2" &&
	test_file test_never.py never "f(0), \"a name\"" &&
	commit_all && test_expect_code 1 fix --limit candidates=40 >../out &&
	grep "^coder *f.py:2  .>. to .>=." ../out && grep "^coder *undo: f.py:2  .>. to .>=." ../out &&
	grep "^   best     f.py:2  .>. to .>=.   kept as" ../out
'

check 'a source that is not in UTF-8 is repaired, and an edit of it undone' '
	mkdir latin && cd latin && git init -q &&
	printf "%b\n" "# coding: latin-1" "def f(x):" "    name = \"caf\0351\"" "    if x > 3:" \
		"        return len(name)" "    return x - 1" >f.py &&
	test_file test_f.py one "f(3), 4" other "f(5), 4" && test_file test_g.py never "f(2), 1" &&
	commit_all &&
	fix && change >../change && LC_ALL=C grep "^ .*caf.\"" ../change &&
	grep "^+    if x >= 3" ../change &&
	test_file test_f.py one "f(3), 4" other "f(5), 4" two "f(2), \"a name\"" three "f(3), 2" &&
	commit_all &&
	test_expect_code 1 fix --limit candidates=40 >../out && grep "^coder *undo: f.py:4 " ../out
'

check SANDBOX 'passing edits that behave differently lower the confidence' '
	mkdir alike && cd alike && git init -q && printf "def f(a, b):\n    return a - b\n" >f.py &&
	test_file test_f.py f "f(2, 2), 4" && commit_all &&
	XDG_STATE_HOME=$PWD/../doubted && export XDG_STATE_HOME && fix >../out &&
	grep "^! look at   [0-9]* other edits* pass" ../out && change >../change &&
	! grep rondo_ ../change &&
	grep "\"confidence\":.\"medium\"" ../doubted/rondo/runs/*/report.json &&
	report=$(echo ../doubted/rondo/runs/*/report.md) &&
	grep "^Confidence medium: " "$report" &&
	grep "with other values in them 1 of [0-9] edits" "$report"
'

# undecided NAME LINE...: two edits of a product pass, and only the failing test, made of these
# lines, can tell them apart.
undecided() {
	mkdir "$1" && cd "$1" && git init -q && printf "def f(a, b):\n    return a - b\n" >f.py &&
		XDG_STATE_HOME=$PWD/../$1-state && export XDG_STATE_HOME && state=$XDG_STATE_HOME &&
		shift && printf "%s\n" "$@" >test_f.py && commit_all &&
		fix --test "python3 -m pytest -q" >../out &&
		grep "^! look at   1 other edit passes all tests, too: " ../out &&
		report=$(echo "$state"/rondo/runs/*/report.md) &&
		grep "^Confidence medium: " "$report" && json=${report%.md}.json &&
		grep "\"confidence\":.\"medium\"" "$json"
}

check SANDBOX 'a test without values to vary lowers the confidence' '
	undecided fixture "import pytest" "from f import f" "@pytest.fixture" \
		"def pair(): return 2, 2" "def test_f(pair):" "    assert f(*pair) == 4" &&
	grep "^No failing test with other values in it told whether they behave alike" "$report" &&
	grep "\"asked\":.0," "$json"
'

check SANDBOX 'a parameter of a test is varied' '
	undecided parameters "import pytest" "from f import f" \
		"@pytest.mark.parametrize(\"a,b,want\", [(2, 2, 4)])" \
		"def test_f(a, b, want):" "    assert f(a, b) == want" &&
	grep "with other values in them 1 of 2 edits" "$report"
'

check SANDBOX 'a test whose message has no values lowers the confidence' '
	undecided mute "import unittest" "from f import f" "class F(unittest.TestCase):" \
		"    def test_f(self): self.assertTrue(f(2, 2) == 4)" &&
	grep "with other values that say nothing; likeliest first: " ../out &&
	grep "^No failing test with other values in it" "$report"
'

check 'a file that is not searched is named, with the reason' '
	printf "def total(n):\n    return n\n" | (project bundle "\"a name\"") && cd bundle &&
	{ printf "var a=1;"; for i in $(seq 2000); do printf "function f$i(a){return a+$i};"; done; } \
		>app.js && commit_all &&
	test_expect_code 1 fix --limit candidates=10 >../out && grep "not searched: app.js (" ../out
'

check 'bad input' '
	cd cores && for bad in --seed=-1 --seed=x --limit=candidates=0 --limit=candidates=1s; do
		test_expect_code 2 fix $bad 2>../err && grep "^rondo: " ../err || return 1
	done
'

test_done
