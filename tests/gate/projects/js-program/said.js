function area(width, height) {
  return width + height;
}

console.assert(area(2, 2) === 4, "of a square");
console.assert(area(3, 4) === 12, "of a rectangle");
console.assert(area(1, 5) === 5, "of a strip");
