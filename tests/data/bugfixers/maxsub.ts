// The largest sum of neighbouring numbers in an array (Kadane's algorithm).

interface Result {
  sum: number;
  end: number;
}

function maxSubarray(numbers: number[]): Result {
  let current: number = numbers[0];
  const result: Result = { sum: numbers[0], end: 0 };
  for (let i = 1; i < numbers.length; i++) {
    const extended: number = current + numbers[i];
    current = extended < numbers[i] ? extended : numbers[i];
    if (current < result.sum) {
      result.sum = current;
      result.end = i;
    }
  }
  return result;
}

const sample: number[] = [-2, 1, -3, 4, -1, 2, 1, -5, 4];
console.log('largest sum:', maxSubarray(sample).sum);

console.assert(maxSubarray([5]).sum === 5, 'one number');
console.assert(maxSubarray([1, 2, 3]).sum === 6, 'all of them');
console.assert(maxSubarray(sample).sum === 6, 'the sample should give 6');
console.assert(maxSubarray(sample).end === 6, 'the sum ends at index 6');
console.assert(maxSubarray([-3, -1, -2]).sum === -1, 'the least bad of negatives');
console.assert(maxSubarray([2, -1, 2]).sum === 3, 'over a dent');
