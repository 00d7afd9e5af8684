#!/bin/sh
# The warm runner of node where tests have something loaded before them: compilers, files, packages;
# and where other commands run before the tests (warm/node.mjs), driven over its pipes.
. "$(dirname "$0")/t5320/lib.sh"
install esm esm@3 mocha@10 tape@5 chai@4 @babel/core@7 @babel/register@7 @babel/preset-env@7

# sums: ES modules in files of CommonJS, whose add() subtracts.
sums() {
	rm -rf p && mkdir -p p/test && cd p && ln -s ../esm/node_modules node_modules &&
		echo "{}" >package.json &&
		printf '%s\n' 'export function add(a, b) {' '	return a - b;' '}' \
			'export const twice = (n) => n * 2;' >sums.js &&
		printf '%s\n' 'import assert from "assert";' 'import { add, twice } from "../sums";' \
			'it("adds", () => assert.strictEqual(add(2, 3), 5));' \
			'it("doubles", () => assert.strictEqual(twice(2), 4));' >test/sums.js
}
cat >lines <<\EOF
goal test/sums.js > adds
other test/sums.js > doubles
limits 9000 20000
try sums.js: a - b ==> a * b
try sums.js: a - b ==> a + b
try sums.js: a - b; ==> a + b; } export function twice() { return 5;
try sums.js: n * 2 ==> n * 3
try sums.js: a - b ==> a - / b
EOF
cat >expected-ends <<\EOF
ready 1 1
failed 0 test/sums.js:3
passed 1
syntax 0
failed 0 test/sums.js:3
syntax 0
EOF

for compiler in esm @babel/register; do
	check NODE,esm,ESBUILD "mocha that requires $compiler" '
		sums && echo "{\"presets\": [\"@babel/preset-env\"]}" >.babelrc &&
		warm mocha -r '"$compiler"' <../lines && same <../expected-ends
	'
done

check NODE,esm 'a file and a package that mocha requires' '
	sums && printf "%s\n" "const sums = {};" "sums.add = (a, b) => a - b;" \
		"module.exports = sums;" >sums.js &&
	printf "%s\n" "global.twice = (n) => n * 2;" >test/setup.cjs &&
	printf "%s\n" "const { add } = require(\"../sums\");" \
		"it(\"adds\", () => { expect(add(2, 3)).to.equal(5); });" \
		"it(\"doubles\", () => { expect(twice(2)).to.equal(4); });" >test/sums.js &&
	printf "%s\n" "goal test/sums.js > adds" "other test/sums.js > doubles" \
		"try sums.js: a - b ==> a + b" "try test/setup.cjs: n * 2 ==> n * 3" >lines &&
	warm mocha --require chai/register-expect.js -r ./test/setup.cjs <lines && same <<-\EOF
	ready 1 1
	passed 1
	failed 0 test/sums.js:2
	EOF
'

check NODE,esm 'a file that tape requires' '
	sums && echo "exports.add = (a, b) => a - b;" >sums.js &&
	echo "global.test = require(\"tape\");" >setup.js &&
	printf "%s\n" "test(\"t\", (t) => {" "	t.equal(require(\"../sums\").add(2, 3), 5, \"adds\");" \
		"	t.end();" "});" >test/sums.js &&
	printf "%s\n" "goal adds" "try sums.js: a - b ==> a + b" >lines &&
	warm tape -r ./setup.js "test/*.js" <lines &&
	printf "%s\n" "ready 1 0" "passed 1" | same
'

check NODE,esm 'what other commands make of nothing that is known is not read' '
	sums && printf "%s\n" "exports.add = (a, b) => a - b;" >sums.js && mkdir dist &&
	cp sums.js dist/all.js && echo dist >.gitignore &&
	printf "%s\n" "const { add } = require(\"../sums\");" \
		"it(\"adds\", () => require(\"assert\").strictEqual(add(2, 3), 5));" >test/sums.js &&
	sed s:../sums:../dist/all: <test/sums.js >test/built.js &&
	git init -q && git add -A &&
	printf "%s\n" prepared "goal test/sums.js > adds" "other test/built.js > adds" \
		"try sums.js: a - b ==> a + b" >lines &&
	warm mocha <lines && printf "%s\n" "ready 1 0" "passed 1" | same &&
	printf "%s\n" prepared "goal test/built.js > adds" >lines && warm mocha <lines &&
	grep "^not ready: the test .test/built.js > adds. was not found" answers
'

test_done
