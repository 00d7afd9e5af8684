#!/bin/sh
test_description='test commands that do more than run tests'
. "$(dirname "$0")/lib.sh"
command -v npm >/dev/null && test_set_prereq NPM

# shapes LINT: a package whose tests are run after ./eslint, a script that also counts itself.
shapes() {
	rm -rf shapes lints && mkdir shapes && cd shapes && git init -q &&
	printf '%s\n' '{"scripts": {"test": "./eslint . && node --test"}}' >package.json &&
	printf '%s\n' '#!/bin/sh' "echo lint >>'$PWD/../lints'" "$1" >eslint && chmod +x eslint &&
	printf '%s\n' 'function longest(sides, least) {' '	let found = least;' \
		'	for (let i = 0; i < sides.length; i++)' '		if (sides[i] > found + 1 - 1)' \
		'			found = sides[i];' '	return found - 1 * 2 + 0;' '}' \
		'module.exports = { longest };' >shapes.js &&
	cat >shapes.test.js <<-\EOF && commit_all
	const test = require("node:test");
	const assert = require("node:assert");
	const { longest } = require("./shapes");
	test("the longest", () => assert.strictEqual(longest([3, 9, 7], 4), 9));
	test("the least", () => assert.strictEqual(longest([3], 4), 4));
	EOF
}

check LONG 'candidates are tried by the tests alone, and judged by the whole command' '
	shapes "exit 0" && "$RONDO" fix --executor local --test "./eslint . && node --test" >../out &&
	n=$(wc -l <../lints) && test "$n" -gt 2 && test "$n" -lt 40
'

check 'candidates that fail are tried by the tests alone, however many there are' '
	shapes "exit 0" && echo "test(\"never\", () => assert.strictEqual(longest([], 0), Symbol()));" \
		>>shapes.test.js && git commit -qam hopeless &&
	test_expect_code 1 "$RONDO" fix --executor local --all --limit candidates=30 \
		--limit repair=5m --test "./eslint . && node --test" >../out &&
	grep "gave up after 30 candidates, as many as it may try" ../out &&
	test "$(wc -l <../lints)" -lt 15
'

check LONG 'a fix that the linter rejects is none' '
	shapes "grep -q \"return found - 1 . 2 + 0;\" shapes.js" &&
	test_expect_code 1 "$RONDO" fix --executor local --test "./eslint . && node --test" \
		--limit repair=5s >../out && ! grep verified ../out && test -z "$(the_branch)"
'

check LONG 'where the linter alone is red, the tests alone are judged' '
	shapes "exit 7" && "$RONDO" fix --executor local --test "./eslint . && node --test" >../out &&
	grep "ends with 7, and no failing test explains it: the tests alone are run" ../out &&
	grep "verified in a fresh checkout: 2 of 2 passed (was 0)" ../out &&
	git merge -q "$(the_branch)" &&
	test_expect_code 3 "$RONDO" fix --executor local --test "./eslint . && node --test" >../out &&
	grep "cannot judge: the tests pass; .* ends with 7" ../out && ! grep tried ../out
'

check NPM 'npm: the part that is red beside the tests is named' '
	shapes "exit 7" && sed -i "s/ + 1 - 1//; s/found - 1 . 2 + 0/found/" shapes.js &&
	printf "{\"name\": \"shapes\", \"version\": \"1.0.0\", \"scripts\": {%s}}\n" \
		"\"test\": \"node --test\", \"posttest\": \"npm run lint\", \"lint\": \"./eslint\"" \
		>package.json &&
	test_expect_code 3 "$RONDO" fix --executor local >../out &&
	grep "cannot judge: the tests pass; posttest (npm run lint) ends with 7" ../out
'

test_done
