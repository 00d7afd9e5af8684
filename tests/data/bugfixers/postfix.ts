// Evaluate expressions in postfix notation, such as "3 4 + 2 *".

type Operation = (left: number, right: number) => number;

const operations: Record<string, Operation> = {
  '+': (left, right) => left + right,
  '-': (left, right) => right - left,
  '*': (left, right) => left * right,
  '/': (left, right) => right / left,
};

function evaluate(expression: string): number {
  const stack: number[] = [];
  for (const token of expression.trim().split(/\s+/)) {
    const operation: Operation | undefined = operations[token];
    if (operation === undefined) {
      stack.push(Number(token));
      continue;
    }
    const right: number = stack.pop()!;
    const left: number = stack.pop()!;
    stack.push(operation(left, right));
  }
  if (stack.length !== 1) {
    throw new Error(`malformed expression: ${expression}`);
  }
  return stack[0];
}

console.log('10 4 - =', evaluate('10 4 -'));

console.assert(evaluate('42') === 42, 'a single number is itself');
console.assert(evaluate('3 4 +') === 7, '3 + 4 should be 7');
console.assert(evaluate('10 4 -') === 6, '10 - 4 should be 6');
console.assert(evaluate('20 5 /') === 4, '20 / 5 should be 4');
console.assert(evaluate('5 1 2 + 4 * + 3 -') === 14, 'the long one should be 14');
