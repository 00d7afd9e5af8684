#!/bin/sh
test_description='what repair does with edits that pass, or that got furthest'
. "$(dirname "$0")/../cli/lib.sh"

# test_file FILE NAME ASSERTION...: tests of these names for unittest, in seventh of the time that
# pytest takes to start.
test_file() {
	file=$1
	shift
	printf "import unittest\nfrom f import f\n\n\nclass F(unittest.TestCase):\n" >"$file"
	while [ $# != 0 ]; do
		printf "    def test_%s(self): self.assertEqual(%s)\n" "$1" "$2" >>"$file"
		shift 2
	done
}

check 'what got furthest but breaks another test is taken back, and kept' '
	mkdir part && cd part && git init -q &&
	printf "def f(x):\n    if x > 3:\n        return x + 1\n    return x - 1\n" >f.py &&
	test_file test_one.py one "f(3), 4" && test_file test_other.py other "f(3), 2" &&
	test_file test_never.py never "f(0), \"a name\"" &&
	commit_all && test_expect_code 1 fix --limit candidates=40 >../out &&
	grep "^coder *f.py:2  .>. to .>=." ../out && grep "^coder *undo: f.py:2  .>. to .>=." ../out &&
	grep "^   best     f.py:2  .>. to .>=.   kept as" ../out
'

check 'a source that is not in UTF-8 is repaired, and an edit of it taken back' '
	mkdir latin && cd latin && git init -q &&
	printf "# coding: latin-1\ndef f(x):\n    name = \"caf\351\"\n    if x > 3:\n        return len(name)\n    return x - 1\n" >f.py &&
	test_file test_f.py one "f(3), 4" other "f(5), 4" && test_file test_g.py never "f(2), 1" &&
	commit_all &&
	fix && git diff main "$(the_branch)" >../change && LC_ALL=C grep "^ .*caf.\"" ../change &&
	grep "^+    if x >= 3" ../change &&
	test_file test_f.py one "f(3), 4" other "f(5), 4" two "f(2), \"a name\"" three "f(3), 2" &&
	commit_all &&
	test_expect_code 1 fix --limit candidates=40 >../out && grep "^coder *undo: f.py:4 " ../out
'

check SANDBOX 'edits that pass and behave otherwise are a doubt' '
	mkdir alike && cd alike && git init -q && printf "def f(a, b):\n    return a - b\n" >f.py &&
	test_file test_f.py f "f(2, 2), 4" && commit_all &&
	XDG_STATE_HOME=$PWD/../doubted && export XDG_STATE_HOME && fix >../out &&
	grep "^! look at   [0-9]* other edits* pass" ../out && git diff main "$(the_branch)" >../change &&
	! grep rondo_ ../change &&
	grep "\"confidence\":.\"medium\"" ../doubted/rondo/runs/*/report.json &&
	report=$(echo ../doubted/rondo/runs/*/report.md) &&
	grep "^Confidence medium: " "$report" &&
	grep "with other values in them 1 of [0-9] edits" "$report"
'

# undecided NAME TEST: two edits of a product pass, and nothing but the failing test can tell them
# apart.
undecided() {
	mkdir "$1" && cd "$1" && git init -q && printf "def f(a, b):\n    return a - b\n" >f.py &&
	printf "%b" "$2" >test_f.py && commit_all &&
		XDG_STATE_HOME=$PWD/../$1-state && export XDG_STATE_HOME &&
		fix --test "python3 -m pytest -q" >../out &&
		grep "^! look at   1 other edit passes all tests, too: " ../out &&
		report=$(echo ../"$1"-state/rondo/runs/*/report.md) &&
		grep "^Confidence medium: " "$report" && json=${report%.md}.json &&
		grep "\"confidence\":.\"medium\"" "$json"
}

check SANDBOX 'no input that could be another one is a doubt' '
	undecided fixture "import pytest\nfrom f import f\n@pytest.fixture\ndef pair(): return 2, 2\ndef test_f(pair):\n    assert f(*pair) == 4\n" &&
	grep "^No failing test with other values in it told whether they behave alike" "$report" &&
	grep "\"asked\":.0," "$json"
'

check SANDBOX 'a parameter of a test is another input' '
	undecided parameters "import pytest\nfrom f import f\n@pytest.mark.parametrize(\"a,b,want\", [(2, 2, 4)])\ndef test_f(a, b, want):\n    assert f(a, b) == want\n" &&
	grep "with other values in them 1 of 2 edits" "$report"
'

check SANDBOX 'tests that say the same of every value are a doubt' '
	undecided mute "import unittest\nfrom f import f\nclass F(unittest.TestCase):\n    def test_f(self): self.assertTrue(f(2, 2) == 4)\n" &&
	grep "with other values that say nothing; likeliest first: " ../out &&
	grep "^No failing test with other values in it" "$report"
'

test_done
