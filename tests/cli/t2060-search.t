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

check LONG 'one core finds the fix that all cores find' '
	larger cores &&
	XDG_STATE_HOME=$PWD/../one-core taskset -c 0 "$RONDO" fix --executor $EXECUTOR >../one &&
	change >../one.diff && XDG_STATE_HOME=$PWD/../all-cores fix >../all && change >../all.diff &&
	grep "^+ " ../one.diff && test_cmp ../one.diff ../all.diff
'

check LONG,SANDBOX 'after the first round, the search asks which lines the tests run' '
	XDG_STATE_HOME=$PWD/all-cores && journal >records &&
	grep "\"type\":\"search\"" records >searches &&
	grep -c "\"lines\":[1-9]" searches >asked && echo 1 >expected && test_cmp expected asked
'

check LONG 'a limit of candidates ends the search, and its result so far is reported' '
	cd cores && test_expect_code 1 fix --limit candidates=20 >../few &&
	grep "gave up after 20 candidates, as many as it may try, likeliest first: shop.py:" ../few &&
	grep "help     --limit candidates=200 tries more" ../few
'

check SANDBOX 'of a changed number rondo is never sure' '
	mkdir rate && cd rate && git init -q && echo "def tax(n): return n * 21 // 100" >tax.py &&
	printf "import unittest, tax\n\n\nclass Tax(unittest.TestCase):\n" >test_tax.py &&
	for n in 200 300 500; do
		printf "    def test_%d(self):\n" $n &&
			printf "        self.assertEqual(tax.tax(%d), %d)\n" $n $((n / 5))
	done >>test_tax.py && commit_all && fix --limit candidates=50 && change | grep "n \* 20" &&
	grep "\"rank\":.\"literal\"" "$XDG_STATE_HOME"/rondo/runs/*/report.json &&
	grep "\"confidence\":.\"medium\"" "$XDG_STATE_HOME"/rondo/runs/*/report.json
'

# order SEED: the candidates in the order of their trial.
order() {
	rm -rf ../seeded && XDG_STATE_HOME=$PWD/../seeded && export XDG_STATE_HOME &&
		RONDO_LOG=debug test_expect_code 1 taskset -c 0 "$RONDO" fix --executor $EXECUTOR \
			--limit candidates=20 --seed "$1" 2>../log >/dev/null &&
		grep -o "best so far: .*" ../log
}

check LONG 'a seed gives another order, and the same one each time' '
	cd cores && order 0 >../plain && order 5 >../five && order 5 >../again &&
	test_cmp ../five ../again && ! cmp ../plain ../five &&
	grep "1[0-9] tried, [0-9.]* a second, [0-9.]* s left   best so far: [01] of 1   shop" ../log
'

check LONG,SANDBOX 'of several edits that pass and behave alike the likeliest is taken' '
	cd cores && sed -i "/test_largest_of_negative/,\$d" test_shop.py &&
	sed -i "s/value > best/value < best/" shop.py && commit_all &&
	XDG_STATE_HOME=$PWD/../chosen && export XDG_STATE_HOME && fix --since HEAD >../out &&
	change | grep "^+ *if value > best" && ! grep "look at " ../out &&
	grep "^coder *tried [0-9]* candidates in .*, [2-9] fix the test, \
compared by [0-9]* tests with other values" ../out &&
	grep "\"confidence\":.\"medium\"" ../chosen/rondo/runs/*/report.json &&
	report=$(echo ../chosen/rondo/runs/*/report.md) &&
	grep "with other values in them \([0-9]*\) of \1 edits" "$report"
'

# pairs DIR: a product that one test asks for with a pair that other operators agree on.
pairs() {
	mkdir "$1" && cd "$1" && git init -q &&
		printf "def price(rate, count):\n    return rate - count\n" >shop.py &&
		cat >test_shop.py <<-\EOF && commit_all
		import unittest
		import shop


		class Shop(unittest.TestCase):
		    def test_price(self):
		        self.assertEqual(shop.price(2, 2), 4)
		EOF
}

check LONG,SANDBOX 'edits that behave differently are listed, and --take takes one' '
	pairs pairs && fix --limit candidates=20 --branch first >../out &&
	grep "^! look at   [1-9] other edits* pass.* all tests; --take N takes one:" ../out &&
	grep "^            2  shop.py:2  .*; test_price with 3 for 2: .*, this one: " ../out &&
	"$RONDO" show --no-pager >../shown && grep "^also passes: 2  shop.py:2  " ../shown &&
	grep "\"confidence\":.\"medium\"" "$XDG_STATE_HOME"/rondo/runs/*/report.json &&
	second=$(sed -n "s/^            2  shop.py:2  \([^;]*\);.*/\1/p" ../out) &&
	fix --take 2 --branch second >../out && grep -F "coder      shop.py:2  $second" ../out &&
	grep "^            1  shop.py:2  " ../out && ! git diff --exit-code first second &&
	test_expect_code 1 fix --take 90 >../out &&
	grep "gave up: the edits that pass behave in [2-9] ways" ../out
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

check LONG,SANDBOX 'most candidates never end, tests bind a port and write into their tree' '
	printf "%s\n" \
		"def total(n):" "    found = 0" "    while n > 0:" "        found += n" "        n -= 2" \
		"    return found" |
		(project loop 10) && cd loop && fix >../out && change | grep "^+ " && test ! -e log.txt
'

check LONG 'a wrong test: all candidates are tried, and its place is reported' '
	printf "def total(n):\n    return n\n" | (project wrong "\"a name\"") && cd wrong &&
	test_expect_code 1 fix >../out &&
	grep "gave up: all [0-9]* candidates were tried.*is the test right? test_shop.py:14" ../out
'

check LONG 'code that does not parse is no mistake of the test' '
	printf "def total(n):\n    return n +* !! 1\n" | (project garbage 4) && cd garbage &&
	test_expect_code 1 fix >../out && grep "no small edit mends what fails at shop.py:2" ../out
'

check 'a file that is not searched is named, with the reason' '
	printf "def total(n):\n    return n\n" | (project bundle "\"a name\"") && cd bundle &&
	{ printf "var a=1;"; for i in $(seq 2000); do printf "function f$i(a){return a+$i};"; done; } \
		>app.js && commit_all &&
	test_expect_code 1 fix --limit candidates=10 >../out && grep "not searched: app.js (" ../out
'

check 'bad input' '
	tiny bad && cd bad &&
	for bad in --seed=-1 --seed=x --take=0 --take=x --limit=candidates=0 --limit=candidates=1s; do
		test_expect_code 2 fix $bad 2>../err && grep "^rondo: " ../err || return 1
	done
'

check LONG 'tests that take too long to load are run by their own command' '
	mkdir loading && cd loading && git init -q &&
	printf "def area(w, h):\n    return w + h\n" >area.py &&
	cat >test_area.py <<-\EOF && commit_all &&
	import sys
	import time
	import unittest
	import area
	if "-m" not in sys.orig_argv:
	    time.sleep(1000)
	class Area(unittest.TestCase):
	    def test_area(self): self.assertEqual(area.area(3, 5), 15)
	EOF
	fix --test "python3 -m unittest" --limit repair=25s >../out && grep "verified" ../out
'

check 'a search that finds no edit says so' '
	mkdir bare && cd bare && git init -q && printf "check:\n\t@sh check.sh\n" >Makefile &&
	echo "test -e made" >check.sh && commit_all && test_expect_code 1 fix >../out &&
	grep "gave up: it found no edit to try" ../out
'

test_done
