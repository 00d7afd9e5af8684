function maxSubarray(numbers: number[]): number {
  let current: number = numbers[0];
  let best: number = numbers[0];
  for (const next of numbers.slice(1)) {
    current = Math.min(next, current + next);
    best = Math.min(best, current);
  }
  return best;
}

const sample: number[] = [-2, 1, -3, 4, -1, 2, 1, -5, 4];
console.log('largest sum:', maxSubarray(sample));
console.assert(maxSubarray([5]) === 5, 'one number');
console.assert(maxSubarray([1, 2, 3]) === 6, 'all of them');
console.assert(maxSubarray(sample) === 6, 'the sample');
console.assert(maxSubarray([-3, -1, -2]) === -1, 'the least of evils');
