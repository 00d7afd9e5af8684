// Evaluate expressions in postfix notation, such as "3 4 + 2 *".

function evaluate(expression) {
  const stack = [];
  for (const token of expression.trim().split(/\s+/)) {
    if (!['+', '-', '*', '/'].includes(token)) {
      stack.push(Number(token));
      continue;
    }
    const right = stack.pop();
    const left = stack.pop();
    switch (token) {
      case '+':
        stack.push(left + right);
        break;
      case '-':
        stack.push(right - left);
        break;
      case '*':
        stack.push(left * right);
        break;
      case '/':
        stack.push(right / left);
        break;
    }
  }
  return stack.pop();
}

console.log('10 4 - =', evaluate('10 4 -'));

console.assert(evaluate('42') === 42, 'a single number is itself');
console.assert(evaluate('3 4 +') === 7, '3 + 4 should be 7');
console.assert(evaluate('3 4 *') === 12, '3 * 4 should be 12');
console.assert(evaluate('10 4 -') === 6, '10 - 4 should be 6');
console.assert(evaluate('20 5 /') === 4, '20 / 5 should be 4');
console.assert(evaluate('5 1 2 + 4 * + 3 -') === 14, 'the long one should be 14');
