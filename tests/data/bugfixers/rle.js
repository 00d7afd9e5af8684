// Run-length encoding: 'aaab' becomes '3a1b'.

function encode(text) {
  if (text.length === 0) {
    return '';
  }
  let encoded = '';
  let count = 1;
  for (let i = 1; i < text.length; i++) {
    if (text[i] === text[i - 1]) {
      count++;
    } else {
      encoded += text[i - 1] + count;
      count = 1;
    }
  }
  encoded += text[text.length - 1] + count;
  return encoded;
}

function decode(encoded) {
  return encoded.replace(/(\d+)(\D)/g, (match, count, char) => char.repeat(Number(count)));
}

console.log('aaab ->', encode('aaab'));

console.assert(encode('') === '', 'nothing stays nothing');
console.assert(decode('3a1b') === 'aaab', 'decode 3a1b');
console.assert(encode('aaab') === '3a1b', `encode aaab: expected 3a1b, got ${encode('aaab')}`);
console.assert(encode('xyz') === '1x1y1z', 'encode xyz');
console.assert(decode(encode('wwwwbbbw')) === 'wwwwbbbw', 'there and back');
