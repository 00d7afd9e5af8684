const assert = require("node:assert");
const { area } = require("./app.js");

assert.equal(area(2, 2), 4);
assert.equal(area(3, 4), 12);
