#!/bin/sh
# The warm runner of node where programs and tests are in TypeScript, and behind the scripts of
# package.json (warm/node.mjs), driven over its pipes.
. "$(dirname "$0")/t5320/lib.sh"
install tsx tsx@4
install tsnode ts-node@10 typescript@5 mocha@10
command -v esbuild >/dev/null && test_set_prereq ESBUILD

# ranges NAME: a package that counts the values of a range wrongly, with the node_modules of NAME.
ranges() {
	rm -rf p && mkdir -p p/src p/test && cd p && ln -s "../$1/node_modules" node_modules &&
	cat >src/kinds.ts <<-\EOF &&
	export enum Kind { Open = 1, Closed }
	export type Bounds = { low: number; high: number };
	EOF
	cat >src/range.ts <<-\EOF
	import { Kind, type Bounds } from "./kinds.js";

	/* Lines that are gone in JavaScript:
	 * places must be told as they are here. */
	interface Measured {
		size(): number;
	}

	export class Range implements Measured {
		constructor(private readonly bounds: Bounds, private readonly kind: Kind = Kind.Closed) {}

		size(): number {
			const { low, high } = this.bounds;
			if (high < low) return 0;
			return this.kind === Kind.Closed ? high - low : high - low - 1;
		}

		has(value: number): boolean {
			const { low, high } = this.bounds;
			return this.kind === Kind.Closed ? value >= low && value <= high : value > low && value < high;
		}
	}
	EOF
}

# tests PRELUDE: tests of these ranges.
tests() {
	cat <<-EOF
	$1
	import { Range } from "../src/range";
	import { Kind } from "../src/kinds";

	interface Case { low: number; high: number; size: number }

	const cases: Case[] = [{ low: 1, high: 1, size: 1 }, { low: 2, high: 5, size: 4 }];
	for (const { low, high, size } of cases)
		it("has the size " + size, (): void => {
			assert.strictEqual(new Range({ low, high }).size(), size);
		});
	it("knows its ends", () => {
		assert.ok(new Range({ low: 1, high: 3 }).has(3));
		assert.ok(!new Range({ low: 1, high: 3 }, Kind.Open).has(3));
	});
	EOF
}
candidates='try src/range.ts: Closed ? high - low : ==> Closed ? high - low + 1 :
try src/range.ts: Closed ? high - low : ==> Closed ? high + low :
try src/range.ts: if (high < low) ==> if (high < missing)
try src/range.ts: Closed ? high - low : ==> Closed ? high - low as :
try src/kinds.ts: Open = 1, Closed ==> Open = 1, Other
limits 300 3000
try src/range.ts: if (high < low) return 0; ==> for (;;) ;
limits 9000 9000
try src/range.ts: Closed ? high - low : ==> Closed ? high - low + 1 :'

check NODE,ESBUILD 'one program, and a module that it imports' '
	mkdir -p p && cd p &&
	cat >unit.ts <<-\EOF && cat >sum.ts <<-\EOF && cat >lines <<-\EOF && warm bundle sum.ts <lines && same <<-\EOF
	export enum Unit { One = 1, Ten = 10 }
	EOF
	import assert from "node:assert";
	import { Unit } from "./unit";
	interface Numbers {
		values: number[];
	}
	function sum(numbers: Numbers, unit: Unit = Unit.One): number {
		let all = 0;
		for (const value of numbers.values) all -= value * unit;
		return all;
	}
	console.assert(sum({ values: [] }) === 0, "nothing");
	console.assert(sum({ values: [1, 2] }) === 3, "two");
	console.assert(
		sum({ values: [1, 2] }, Unit.Ten) === 30,
		"tens",
	);
	assert.ok(require.main === module);
	EOF
	goal console.assert(sum({ values: [1, 2] }) === 3, "two");
	goal console.assert( sum({ values: [1, 2] }, Unit.Ten) === 30, "tens", );
	other console.assert(sum({ values: [] }) === 0, "nothing");
	other assert.ok(require.main === module);
	try sum.ts: all -= value ==> all += value
	try sum.ts: all -= value * unit ==> all += value
	try sum.ts: all -= value ==> all += value as unknown as
	try sum.ts: let all = 0 ==> let all: number = 1
	try sum.ts: all -= value * unit; ==> throw new Error(); all += value * unit;
	try sum.ts: all -= value * unit; ==> process.exit(0);
	try unit.ts: Ten = 10 ==> Ten = 11
	try sum.ts: let all = 0; ==> let all = numbers.values.length ? 0 : 1;
	try sum.ts: all -= value ==> all += value * 1
	limits 200 2000
	try sum.ts: all -= value * unit; ==> for (;;) ;
	limits 4000 4000
	try sum.ts: all -= value ==> all += value
	EOF
	ready 2 2
	passed 2
	failed 1 sum.ts:13
	syntax 0
	failed 0 sum.ts:12
	failed 0 sum.ts:12
	died 0
	failed 0 sum.ts:12
	failed 0 sum.ts:12
	passed 2
	timeout 0
	passed 2
	EOF
'

for type in commonjs module; do
	check NODE,tsx "node --test with tsx, $type" '
		ranges tsx && echo "{\"type\": \"'"$type"'\"}" >package.json &&
		tests "import assert from \"node:assert\"; import { it } from \"node:test\";" >test/range.test.ts &&
		printf "%s\n" "goal has the size 1" "goal has the size 4" "other knows its ends" "$candidates" >lines &&
		cat >told <<-\EOF &&
		ready 2 1
		passed 2
		failed 0 test/range.test.ts:10
		failed 0 test/range.test.ts:10
		syntax 0
		failed 0 test/range.test.ts:10
		timeout 0
		passed 2
		EOF
		warm node --import tsx --test "test/*.test.ts" <lines && test_cmp told answers &&
		warm node --import=tsx --test test/range.test.ts <lines && test_cmp told answers &&
		warm tsx --test test/range.test.ts <lines && test_cmp told answers
	'
done

check NODE,tsx,ESBUILD 'mocha with ts-node' '
	ranges tsnode &&
	echo "{}" >package.json &&
	echo "{\"require\": [\"ts-node/register\"], \"extension\": [\"ts\"], \"spec\": \"test/*.ts\"}" \
		>.mocharc.json &&
	tests "import assert from \"node:assert\";" >test/range.ts &&
	printf "%s\n" "goal test/range.ts > has the size 1" "goal test/range.ts > has the size 4" \
		"other test/range.ts > knows its ends" "$candidates" >lines &&
	warm mocha <lines && same <<-\EOF
	ready 2 1
	passed 2
	failed 0 test/range.ts:10
	failed 0 test/range.ts:10
	syntax 0
	failed 0 test/range.ts:10
	timeout 0
	passed 2
	EOF
'

check NODE,tsx 'lines that ran are those of TypeScript' '
	ranges tsx && echo "{}" >package.json &&
	tests "import assert from \"node:assert\"; import { it } from \"node:test\";" \
		>test/range.test.ts &&
	printf "%s\n" "goal has the size 4" "other knows its ends" cover |
		warm node --import tsx --test "test/*.ts" && same <<-\EOF
	ready 1 1
	{"lines":{"src/range.ts":[[1,1,1,0],[9,1,1,0],[10,1,1,0],[12,1,0,0],[13,1,0,0],[14,1,0,0],[15,1,0,0],[18,0,1,0],[19,0,1,0],[20,0,1,0]],"src/kinds.ts":[[1,1,1,0]]},"n_goal":1,"n_others":1,"n_also":0}
	EOF
'

check NODE,tsx 'what it says of random edits is what a cold run says' '
	ranges tsx && echo "{}" >package.json &&
	tests "import assert from \"node:assert\"; import { it } from \"node:test\";" \
		>test/range.test.ts &&
	node "$SOURCE/tests/lib/warm_agree.mjs" "$runner" "${EDITS:-16}" 3 src/range.ts \
		"? high - low :" "? high - low + 1 :" \
		--import tsx --test test/range.test.ts >said && cat said &&
	sed -n 1p said >first && echo "{\"ready\":true,\"goal\":2,\"others\":1}" | test_cmp - first &&
	tail -n +3 said >wrong && ! grep -q . wrong
'

test_done
