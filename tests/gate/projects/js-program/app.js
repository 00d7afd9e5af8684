const assert = require("node:assert");
const { rounded } = require("./money.js");

function area(width, height) {
  return width + height;
}

function cost(width, height, price) {
  return rounded(area(width, height) * price);
}

function selftest() {
  assert.equal(area(2, 2), 4);
  assert.equal(area(3, 4), 12);
  assert.equal(area(1, 5), 5);
  assert(cost(2, 3, 1.5) === 9, "cost");
}

module.exports = { area, cost };

if (require.main === module) {
  selftest();
  console.log("rooms are well");
}
