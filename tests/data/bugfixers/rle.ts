// Run-length encoding: 'aaab' becomes '3a1b'.

interface Run {
  char: string;
  count: number;
}

function encode(text: string): string {
  const parts: string[] = [];
  let run: Run | null = null;
  for (const char of text) {
    if (run !== null && run.char === char) {
      run.count += 1;
      continue;
    }
    if (run !== null) {
      parts.push(`${run.char}${run.count}`);
    }
    run = { char, count: 1 };
  }
  if (run !== null) {
    parts.push(`${run.char}${run.count}`);
  }
  return parts.join('');
}

function decode(encoded: string): string {
  return encoded.replace(/(\d+)(\D)/g, (_match: string, count: string, char: string) =>
    char.repeat(Number(count)));
}

console.assert(encode('') === '', 'nothing stays nothing');
console.assert(decode('3a1b') === 'aaab', 'decode 3a1b');
console.assert(encode('aaab') === '3a1b', `encode aaab: expected 3a1b, got ${encode('aaab')}`);
console.assert(encode('xyz') === '1x1y1z', 'encode xyz');
console.assert(decode(encode('wwwwbbbw')) === 'wwwwbbbw', 'there and back');
