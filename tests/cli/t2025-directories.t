#!/bin/sh
test_description='suites in directories: one that is named, or those that were worked on last'
. "$(dirname "$0")/lib.sh"
command -v npm >/dev/null && test_set_prereq NPM

# shop: a repository with two projects like tiny and none at its root; the bug is the last commit,
# in app.
shop() {
	tiny shop/app && mv shop/app/.git shop/ && cd shop && cp -R app lib &&
		sed -i 's/width + height/width * height/' app/shapes.py lib/shapes.py &&
		mkdir doc && echo text >doc/a.md && git add -A && git commit -q --amend -m base &&
		sed -i 's/width \* height/width + height/' app/shapes.py && commit_all bug
}

check 'in a directory: its suite, a fix of the whole repository' '
	shop && cd app && fix >../../out && grep "tests  *cd app && make check  *from app/Makefile" \
		../../out &&
	grep "verified in a fresh checkout: 2 of 2 passed" ../../out && grep app/area ../../out &&
	git diff --name-only main "$(the_branch)" >../../names && echo app/shapes.py >../../expected &&
	test_cmp ../../expected ../../names
'

check 'a directory that is named, and one below it' '
	cd shop && test_expect_code 0 fix lib >../out && grep "cd lib && make check" ../out &&
	grep "nothing to fix" ../out && fix --dry-run app/tests >../out &&
	grep "cd app && make check" ../out && fix --dry-run --test "make -s check" app >../out &&
	grep "cd app && make -s check" ../out
'

check 'at the root: the project that the last commit touches' '
	cd shop && fix --dry-run >../out &&
	grep "cd app && make check  *from app/Makefile, which the last commit touches" ../out &&
	fix --dry-run doc >../out && grep "cd app && make check" ../out
'

check 'several are one verdict' '
	cd shop && git branch -q -D "$(the_branch)" &&
	sed -i "s/return x/return 1 + x/" lib/shapes.py &&
	test_expect_code 0 fix >../out &&
	grep "from app, lib, which uncommitted work and the last commit touch" ../out &&
	grep "2 of 4 passed" ../out && grep "lib/double" ../out &&
	grep "verified in a fresh checkout: 4 of 4 passed" ../out &&
	git diff --name-only "$(the_branch)~" "$(the_branch)" >../names &&
	printf "app/shapes.py\nlib/shapes.py\n" >../expected && test_cmp ../expected ../names
'

check 'too many projects to choose' '
	mkdir many && cd many && git init -q &&
	for i in 1 2 3 4 5 6 7 8 9; do
		mkdir $i && echo check: >$i/Makefile || exit
	done &&
	commit_all && test_expect_code 3 fix --dry-run 2>../err &&
	grep "9 directories have one: 1, 2, 3, 4 and 5 more" ../err &&
	grep "name one: rondo fix 1" ../err
'

check 'a Python project below the root: its src/ is on the path' '
	mkdir -p py/libs/geo/src/geo py/libs/geo/tests py/doc && cd py && git init -q &&
	touch doc/a libs/geo/src/geo/__init__.py &&
	printf "[tool.pytest.ini_options]\n" >libs/geo/pyproject.toml &&
	printf "def area(w, h):\n    return w + h\n" >libs/geo/src/geo/shapes.py &&
	printf "from geo.shapes import area\n\ndef test_area():\n    assert area(2, 3) == 6\n" \
		>libs/geo/tests/test_shapes.py && commit_all &&
	fix --limit candidates=5 >../out && grep "cd libs/geo && python3 -m pytest" ../out &&
	grep "libs/geo/tests/test_shapes.py::test_area" ../out &&
	grep "src/ is on Python" ../out && grep "1 of 1 passed (was 0)" ../out &&
	git diff --name-only "$(the_branch)~" "$(the_branch)" >../names &&
	echo libs/geo/src/geo/shapes.py >../expected && test_cmp ../expected ../names
'

check LONG 'a test that does not end has the directory in its id' '
	mkdir -p stuck/app && cd stuck && git init -q && echo "[project]" >app/pyproject.toml &&
	printf "%s\n" "def count(most):" "    n = 0" "    while n < most:" "        n += 0" \
		"    return n" >app/clip.py &&
	printf "%s\n" "import unittest" "from clip import count" "class Clip(unittest.TestCase):" \
		"    def test_count(self): self.assertEqual(count(3), 3)" >app/test_clip.py && commit_all &&
	fix app --limit silence=1s >../out &&
	grep "app/test_clip.Clip.test_count does not end" ../out && grep "1 of 1 passed (was 0)" ../out
'

check LONG,NODE,NPM 'a package below the root: the script of its own package.json' '
	mkdir -p js/packages/geo && cd js && git init -q && echo "{\"private\": true}" >package.json &&
	echo "{\"scripts\": {\"test\": \"node --test\"}}" >packages/geo/package.json &&
	echo "exports.area = (w, h) => w + h" >packages/geo/shapes.js &&
	printf "%s\n" "const test = require(\"node:test\"), assert = require(\"assert\")" \
		"const { area } = require(\"./shapes.js\")" \
		"test(\"area\", () => assert.equal(area(2, 3), 6))" >packages/geo/a.test.js &&
	commit_all && fix --limit candidates=5 packages/geo >../out &&
	grep "cd packages/geo && npm test" ../out &&
	grep "1 of 1 passed (was 0)" ../out &&
	git diff --name-only "$(the_branch)~" "$(the_branch)" >../names &&
	echo packages/geo/shapes.js >../expected && test_cmp ../expected ../names
'

test_done
