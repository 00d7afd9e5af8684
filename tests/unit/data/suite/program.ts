import assert from "node:assert";

type Numbers = number[];

function most(numbers: Numbers): number {
  let best = -Infinity, here = 0;
  for (const n of numbers) {
    here = Math.min(n, here + n);
    best = Math.min(best, here);
  }
  return best;
}

assert.equal(typeof most([1]), "number");
assert.strictEqual(most([1, 2]), 3);
assert.strictEqual(most([-1]), -1);
