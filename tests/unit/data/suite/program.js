// assert(false) in a comment
function encode(text) {
  return text.replace(/(.)\1*/g, (run, c) => `${c}${run.length}`);
}

const quote = "assert(1)"; // not one
console.assert(encode("aab") === "2a1b", "two runs");
console.assert(encode("") === "", "empty");
console.assert(
  encode("ccc") === "3c",
  `three of ${"c"} in ${encode("ccc")}`,
);
console.assert(encode("d") === "1d");
console.assert(encode("e") === "1e");
console.assert(/assert\(/.test("assert("), "regex");
console.log("done");
