function encode(text) {
  let encoded = '';
  let count = 1;
  for (let i = 1; i < text.length; i++) {
    if (text[i] === text[i - 1]) {
      count++;
      continue;
    }
    encoded += text[i - 1] + count;
    count = 1;
  }
  encoded += text[text.length - 1] + count;
  return encoded;
}

console.log('aaab is', encode('aaab'));
console.assert(encode('aaab') === '3a1b', 'aaab is 3a1b');
console.assert(encode('xyz') === '1x1y1z', 'xyz is 1x1y1z');
