// The largest sum of neighbouring numbers in an array (Kadane's algorithm).

function maxSubarray(numbers) {
  if (numbers.length === 0) {
    throw new RangeError('no numbers');
  }
  let current = numbers[0];
  let best = numbers[0];
  for (let i = 1; i < numbers.length; i++) {
    // Go on with the run, or begin anew with this number.
    current = Math.min(numbers[i], current + numbers[i]);
    best = Math.min(best, current);
  }
  return best;
}

const sample = [-2, 1, -3, 4, -1, 2, 1, -5, 4];
console.log('largest sum:', maxSubarray(sample));

console.assert(maxSubarray([5]) === 5, 'one number');
console.assert(maxSubarray([1, 2, 3]) === 6, 'all of them');
console.assert(maxSubarray(sample) === 6, 'the sample should give 6');
console.assert(maxSubarray([-3, -1, -2]) === -1, 'the least bad of negatives');
console.assert(maxSubarray([2, -1, 2]) === 3, 'over a dent');
