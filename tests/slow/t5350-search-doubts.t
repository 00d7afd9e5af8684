#!/bin/sh
test_description='what repair does with edits that pass, and with the best one that does not'
. "$(dirname "$0")/../cli/lib.sh"

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
	fix && git diff main "$(the_branch)" >../change && LC_ALL=C grep "^ .*caf.\"" ../change &&
	grep "^+    if x >= 3" ../change &&
	test_file test_f.py one "f(3), 4" other "f(5), 4" two "f(2), \"a name\"" three "f(3), 2" &&
	commit_all &&
	test_expect_code 1 fix --limit candidates=40 >../out && grep "^coder *undo: f.py:4 " ../out
'

check SANDBOX 'passing edits that behave differently lower the confidence' '
	mkdir alike && cd alike && git init -q && printf "def f(a, b):\n    return a - b\n" >f.py &&
	test_file test_f.py f "f(2, 2), 4" && commit_all &&
	XDG_STATE_HOME=$PWD/../doubted && export XDG_STATE_HOME && fix >../out &&
	grep "^! look at   [0-9]* other edits* pass" ../out &&
	git diff main "$(the_branch)" >../change &&
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

test_done
