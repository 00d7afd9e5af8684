#!/bin/sh
# The warm runner of node where tests load what a compiler makes of the tree's files before them
# (warm/node-made.mjs): candidates are tried in the files themselves.
. "$(dirname "$0")/t5320/lib.sh"
install made mocha@10 typescript@5 @babel/core@7 @babel/cli@7 @babel/preset-env@7
command -v esbuild >/dev/null && test_set_prereq ESBUILD

# project: src/ and a test, with the node_modules of `made`.
project() {
	rm -rf p && mkdir -p p/src/lib p/test && cd p && ln -s ../made/node_modules node_modules &&
	echo "{}" >package.json && printf "%s\n" /dist /node_modules >.gitignore
}

# javascript: ES modules in it, where add() subtracts; and a test of dist/.
javascript() {
	project && echo "export { add } from \"./lib/add.js\";" >src/index.js &&
	printf "%s\n" "export function add(a, b) {" "	return a - b;" "}" >src/lib/add.js &&
	printf "%s\n" "const { add } = require(\"../dist/index.js\");" \
		"it(\"adds\", () => require(\"assert\").strictEqual(add(2, 3), 5));" \
		"it(\"adds nothing\", () => require(\"assert\").strictEqual(add(2, 0), 2));" >test/index.js
}

# tries FILE: candidates in it, with dist/ made.
tries() {
	git init -q . && git add -A &&
	printf "%s\n" prepared "goal ${2-test/index.js > }adds" "other ${2-test/index.js > }adds nothing" \
		"try $1: a - b ==> a * b" "try $1: a - b ==> a / b" "try $1: a - b ==> a + b" >lines
}
cat >expected-ends <<\EOF
ready 1 1
failed 0 test/index.js:2
failed 0 test/index.js:2
passed 1
EOF

check NODE,made 'Babel makes a directory' '
	javascript && echo "{\"presets\": [\"@babel/preset-env\"]}" >.babelrc &&
	node_modules/.bin/babel src -d dist >/dev/null &&
	tries src/lib/add.js && warm mocha <lines && same <../expected-ends
'

check NODE,made,ESBUILD 'one file is made of all, in two formats' '
	javascript && esbuild --bundle --format=cjs src/index.js --outfile=dist/index.js 2>/dev/null &&
	esbuild --bundle --format=esm src/index.js --outfile=dist/index.mjs 2>/dev/null &&
	tries src/lib/add.js && warm mocha <lines && same <../expected-ends &&
	printf "%s\n" "import assert from \"assert\";" "import { add } from \"../dist/index.mjs\";" \
		"it(\"adds\", () => assert.strictEqual(add(2, 3), 5));" \
		"it(\"adds nothing\", () => assert.strictEqual(add(2, 0), 2));" >test/index.mjs &&
	rm test/index.js && tries src/lib/add.js "test/index.mjs > " && warm mocha <lines &&
	sed s/index.js:2/index.mjs:3/ ../expected-ends | same
'

# typed MODULE: the same in TypeScript, tests as well; dist/ holds both.
typed() {
	project && echo "$1" >package.json &&
	echo "{\"compilerOptions\": {\"module\": \"node16\", \"outDir\": \"dist\", \"rootDir\": \".\", \"types\": []}}" \
		>tsconfig.json &&
	echo "export const add = (a: number, b: number): number => a - b;" >src/index.ts &&
	printf "%s\n" "declare const require: any;" "export {};" >test/all.d.ts &&
	cat >test/index.test.ts
}

check NODE,made,ESBUILD 'tsc makes a directory, with the tests' '
	typed "{}" <<-\EOF &&
	import { add } from "../src/index.js";
	declare const it: any;

	it("adds", () => { if (add(2, 3) !== 5) throw new Error("no"); });
	it("adds nothing", () => { if (add(2, 0) !== 2) throw new Error("no"); });
	EOF
	{ node_modules/.bin/tsc || true; } && test -f dist/src/index.js &&
	tries src/index.ts "dist/test/index.test.js > " && warm mocha "dist/test/*.js" <lines &&
	sed s,test/index.js:2,test/index.test.ts:4, ../expected-ends | same
'

check NODE,made,ESBUILD 'the same as ES modules, by node --test' '
	typed "{\"type\": \"module\"}" <<-\EOF &&
	// @ts-ignore
	import { test } from "node:test";
	import { add } from "../src/index.js";

	test("adds", () => { if (add(2, 3) !== 5) throw new Error("no"); });
	test("adds nothing", () => { if (add(2, 0) !== 2) throw new Error("no"); });
	EOF
	{ node_modules/.bin/tsc || true; } && test -f dist/src/index.js &&
	tries src/index.ts "" && warm node --test dist/test/index.test.js <lines &&
	sed s,test/index.js:2,test/index.test.ts:5, ../expected-ends | same
'

test_done
