#!/bin/sh
# The warm runner of node where jest runs the tests, in its versions 29 and 30 and with TypeScript
# (warm/node-jest.mjs), driven over its pipes.
. "$(dirname "$0")/t5320/lib.sh"
install jest29 jest@29
install jest30 jest@30
install tsjest jest@29 ts-jest@29 typescript@5 @types/jest@29

# sums NAME: a package whose add() subtracts, with the node_modules of NAME.
sums() {
	rm -rf p && mkdir -p p/src p/test && cd p && ln -s "../$1/node_modules" node_modules &&
	echo '{}' >package.json &&
		printf '%s\n' 'function add(a, b) {' '	return a - b;' '}' 'function twice(n) {' \
			'	return n * 2;' '}' 'module.exports = { add, twice };' >src/sums.js &&
		cat >test/sums.test.js <<-\EOF && cat >test/twice.test.js <<-\EOF
		const { add, twice } = require("../src/sums");
		test("adds", () => {
			expect(add(2, 3)).toBe(5);
		});
		test("adds > nothing", () => expect(add(2, 0)).toBe(2));
		EOF
		const { add, twice } = require("../src/sums");
		const { later } = require("../src/later");
		jest.mock("../src/later", () => ({ later: jest.fn(async (n) => n) }), { virtual: true });
		describe("twice", () => {
			test.each([1, 2])("doubles %i", async (n) => expect(await later(twice(n))).toBe(n + n));
			test("keeps nothing", () => expect(twice(0)).toBe(0));
			test("same", () => {});
			test("same", () => expect(add(0, 0)).toBe(0));
		});
		EOF
}
goals='goal test/sums.test.js > adds
other test/sums.test.js > adds > nothing
other test/twice.test.js > twice > doubles 1
other test/twice.test.js > twice > doubles 2
other test/twice.test.js > twice > keeps nothing
other test/twice.test.js > twice > same
other test/twice.test.js > twice > same (2)'

for jest in jest29 jest30; do
	check "$jest" "$jest: every end of a candidate" '
		sums '"$jest"' && { echo "$goals" && cat <<-\EOF; } | warm jest --verbose &&
		limits 2000 20000
		try src/sums.js: a - b ==> a * b
		try src/sums.js: a - b ==> a + b
		try src/sums.js: return n * 2 ==> return n * 3
		try src/sums.js: a - b ==> a - / b
		try src/sums.js: return a - b ==> missing(); return a + b
		try src/sums.js: return a - b ==> return a + b || 1
		try src/sums.js: return a - b ==> return b ? a + b : 7
		try src/sums.js: return a - b ==> process.exit(0)
		try src/sums.js: return a - b ==> process.reallyExit(0)
		try src/sums.js: return a - b ==> process.kill(process.pid, 9)
		try src/sums.js: return a - b ==> Promise.reject(new Error("no")); return a + b
		limits 300 20000
		try src/sums.js: return a - b ==> for (;;) ;
		try src/sums.js: function add ==> for (;;) ; function add
		limits 2000 300
		try src/sums.js: return a - b ==> Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20000)
		limits 2000 20000
		try src/sums.js: a - b ==> a + b
		EOF
		same <<-\EOF
		ready 1 6
		failed 0 test/sums.test.js:3
		passed 1
		failed 0 test/sums.test.js:3
		failed 0
		failed 0 test/sums.test.js:3
		broken 1 test/twice.test.js > twice > same (2)
		broken 1 test/sums.test.js > adds > nothing
		died 0
		died 0
		died 0
		died 0
		timeout 0
		timeout 0
		timeout 0
		passed 1
		EOF
	'
	check "$jest" "$jest: nothing leaks" '
		sums '"$jest"' && { echo "$goals" && cat <<-\EOF; } | warm jest &&
		limits 2000 20000
		try src/sums.js: return a - b ==> globalThis.left = process.env.LEFT = process.left = 1; return a * b
		try src/sums.js: return a - b ==> return globalThis.left || process.env.LEFT || process.left ? a + b : 0
		try src/sums.js: return a - b ==> Array.prototype.left = Object.prototype.left = 1; return a * b
		try src/sums.js: return a - b ==> return [].left || ({}).left ? a + b : 0
		try src/sums.js: return a - b ==> require("fs").left = require("path").left = require("util").inspect.left = 1; return a * b
		try src/sums.js: return a - b ==> return require("fs").left || require("path").left || require("util").inspect.left ? a + b : 0
		try src/sums.js: return a - b ==> process.chdir("/"); return a * b
		try src/sums.js: return a - b ==> return process.cwd() === "/" ? a + b : 0
		try src/sums.js: return a - b ==> setInterval(() => {}, 1); return a * b
		try src/sums.js: return a - b ==> Math.max = () => 5; expect(1).toBe(2);
		try src/sums.js: return a - b ==> return Math.max(1, 2) === 5 ? a + b : 0
		try src/sums.js: return a - b ==> jest.useFakeTimers(); jest.spyOn(Date, "now").mockReturnValue(5); return a * b
		try src/sums.js: return a - b ==> return Date.now() === 5 ? a + b : 0
		try src/sums.js: a - b ==> a + b
		EOF
		{ echo "ready 1 6" && for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo "failed 0 test/sums.test.js:3"; done && echo "passed 1"; } >expected &&
		sed -i "s/^failed 0$/failed 0 test\/sums.test.js:3/" answers && test_cmp expected answers
	'
	check "$jest" "$jest: what it says of random edits is what a cold run says" '
		rm -rf p && mkdir -p p/src p/test && cd p && ln -s "../'"$jest"'/node_modules" node_modules && echo "{}" >package.json &&
		cat >src/range.js <<-\EOF && cat >src/steps.js <<-\EOF && cat >test/range.test.js <<-\EOF &&
		class Range {
			constructor(low, high) {
				this.low = low;
				this.high = high;
			}

			has(value) {
				return value >= this.low && value < this.high;
			}

			size() {
				return this.high - this.low + 1;
			}

			* values() {
				for (let i = this.low; i <= this.high; i++)
					yield i;
			}
		}

		module.exports = { Range };
		EOF
		function steps(low, high, by) {
			const all = [];
			for (let i = low; i < high && all.length < 100; i += by)
				all.push(i);
			if (all.length === 0)
				return null;
			return by > 1 ? all : all.reverse();
		}

		module.exports = { steps };
		EOF
		const { Range } = require("../src/range");
		const { steps } = require("../src/steps");
		test("has steps", () => expect(steps(1, 6, 2)).toEqual([1, 3, 5]));
		test("has small steps", () => expect(steps(1, 3, 1)).toEqual([2, 1]));
		test("has no steps", () => expect(steps(1, 1, 1)).toBe(null));
		test("knows its ends", () => {
			expect(new Range(1, 3).has(1)).toBe(true);
			expect(new Range(1, 3).has(3)).toBe(true);
			expect(new Range(1, 3).has(0)).toBe(false);
			expect(new Range(1, 3).has(4)).toBe(false);
		});
		test("has a size", () => expect(new Range(2, 4).size()).toBe(3));
		test("has values", () => expect([...new Range(2, 4).values()]).toEqual([2, 3, 4]));
		EOF
		node "$SOURCE/tests/lib/warm_agree.mjs" "$runner" "${EDITS:-10}" 5 src/range.js "value < this.high" "value <= this.high" jest >said && cat said &&
		sed -n 1p said >first && echo "{\"ready\":true,\"goal\":1,\"others\":5}" | test_cmp - first && tail -n +3 said >wrong && ! grep -q . wrong
	'
done

check tsjest 'TypeScript by ts-jest' '
	rm -rf p && mkdir -p p/src && cd p && ln -s ../tsjest/node_modules node_modules &&
	echo "{\"jest\": {\"preset\": \"ts-jest\"}}" >package.json &&
	printf "%s\n" "interface Pair {" "	a: number;" "	b: number;" "}" \
		"export const sum = ({ a, b }: Pair): number => a - b;" >src/sum.ts &&
	printf "%s\n" "import { sum } from \"./sum\";" "" "test(\"adds\", () => {" \
		"	expect(sum({ a: 1, b: 2 })).toBe(3);" "});" >src/sum.test.ts &&
	cat <<-\EOF | warm jest && same <<-\EOF
	goal src/sum.test.ts > adds
	limits 9000 60000
	try src/sum.ts: a - b ==> a * b
	try src/sum.ts: a - b ==> "a" + b
	try src/sum.ts: a - b ==> a + b
	EOF
	ready 1 0
	failed 0 src/sum.test.ts:4
	failed 0
	passed 1
	EOF
'

check jest29 'what jest has to be set up for is left to cold runs' '
	sums jest29 && echo "module.exports = { globalSetup: \"./setup.js\" };" >jest.config.js &&
	echo "module.exports = () => {};" >setup.js &&
	echo "$goals" | warm jest &&
	grep "^not ready: jest has several projects, or something to set up" answers &&
	echo "$goals" | warm jest --shard=1/2 &&
	grep "^not ready: .--shard=1/2. is an option" answers
'

test_done
