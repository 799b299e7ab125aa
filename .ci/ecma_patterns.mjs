// Writes importers/src/openapi/tests/patterns.json: which texts match which patterns according to ECMA-262, as Node.js implements it.
// Run it after a change of the patterns or the texts: `node .ci/ecma_patterns.mjs > importers/src/openapi/tests/patterns.json`.

const patterns = [
  '^a$', 'a', '^a', 'a$', '^a|b$', '^(?:a|b)$', '', '^$', '^.$', '.', '^.{2,3}$', '^[^a]$', '^[^a]{2}$', '^.{1,255}$',
  '^\\s$', '^\\S$', '^[\\s]+$', '^[^\\s]+$', '^[\\S]$', '^[^\\S]$', '^[\\sa]$', '\\s', '^\\w+$', '^\\W$', '^[\\w-]+$', '^\\d+$', '^\\D$',
  '^[[:alpha:]]$', '^[[:alpha:]]+$', '^[a&&b]$', '^[+--b]+$', '^[a~~b]+$', '^[[a]$', '^[\\[a]$', '^[]$', '^[^]$', '^[a^]$', '^[-a]$',
  '^[a-]$', '^[\\w-a]$', '^[a\\-b]$', '^\\-$', '^\\_$', '^\\/$', '^a/b$', '^[\\/]$', '^\\x41$', '^\\u0041$', '^\\u{1F600}$',
  '^\\uD83D\\uDE00$', '^[\\uD800-\\uDFFF]$', '^[\\u0000-\\uFFFF]$', '^[^\\u0000-\\uFFFF]$', '^[\\u{10000}-\\u{10FFFF}]$', '^\\cJ$', '^[\\cJ]$',
  '^[\\b]$', '\\bé', '\\ba\\b', '^\\p{L}+$', '^\\p{Lu}$', '^\\P{L}$', '^\\p{Script=Greek}$', '^a{2}$', '^a{,2}$', '^a{$', '^a}$', '^]$', '^\\0$',
  '^a+?$', '^(?<n>a|b)$', '^(a|b)*$', '^\\n$', '^\\t$', '^\\v$', '^\\f$', '^\\r$', '^[\\n-\\r]$', '^[\\x00-\\x1f]$', '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^(?=.*\\d)(?=.*[a-z]).{8,}$', '^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[^A-Za-z0-9]).{8,20}$', '^(?!.*--)[a-z-]+$', '^(?!-)[a-z-]+(?<!-)$',
  '^(?!.*\\.\\.)(?!.*\\.$)[^\\W][\\w.]{0,29}$', '^(?!a$).*$', '^(?!a$|b$)[ab]+$', '^(?!a|b)', '^(?:(?!ab).)*$', '^(?:(?!ab).)+$', '^((?!\\bab\\b).)*$',
  '^a(?=b)', '^a(?!b)', '^a(?=b)b$', '^a(?:(?!b).|bb)$', '^(?:(?=a)a|b)$', '^(?=a)', '^(?=a$)', '^(?=(?:a|ab)$)a', '(?<=a)$', '(?<!a)$', '(?<!\\n)$',
  '^(?!\\s*$).+', '^(?=\\S)(?=.*\\S$).*$', '^[a-z](?!.*__)\\w*$', '^(?!xn--)[a-z]+$', '^(?=.{1,4}$)[a-z]+(?:\\.[a-z]+)*$', '^(?!00)\\d{3}$',
  '^(?=.*a)(?!.*b)c|^d$', '^(?!(?:a|b)c)[a-c]+$', '^(?=[^a]*a[^a]*$)', '^(?![\\s\\S]*ab)[\\s\\S]*$', '^(?=a(?!c))ab$', '^(?<!b)a$',
  // Not possible without backtracking, or only with text of variable length next to it.
  '^(a)\\1$', '(?=a)b', '^a*(?=b)b$', '^(?:a(?=b)|b)*$', '^(?:(?!b)a)*b$', '\\k<n>', '\\uD83D', '\\i',
];

const texts = [
  '', 'a', 'b', 'ab', 'ba', 'aa', 'aab', 'abb', 'ac', 'abc', 'c', 'd', 'a\n', 'a\r', '\n', '\r', '\t', '\v', '\f', ' ', '\u00a0', '\u2028', '\u2029', '\u3000',
  '\ufeff', '\u1680', '\u180e', '\u200b', 'é', 'aé', 'É', 'α', '😀', '😀😀', 'ſ', '١', '_', '-', '^', '[', ']', '&', '~', '/', 'a/b', ':', 'l]', ':]', 'p]',
  'A', 'AB', '\u0000', '\u0001', '\b', 'a{,2}', 'a{', 'a}', '1', '12', '001', '012', 'a1', 'abcdefg1', 'ABCDEFG1', 'aB3$efgh', 'aB3$efg', 'a--b', 'a-b', '-a', 'a-',
  'a.b', 'a..b', 'a.', 'x ab y', 'xaby', 'a__b', 'a_b', 'xn--a', 'xna', 'a.b.c', 'bc', 'cab', ' a', 'a ', 'a b', 'bb', 'aba', '\uffff', '\u{10ffff}', 'é'.repeat(255), 'é'.repeat(256), 'a\u2028',
];

// The same random texts each time.
let state = 1;
const random = (below) => (state = (state * 48271) % 2147483647) % below;
const letters = [...'aabb-_.1A \n\u00a0é😀'];
for (let count = 0; count < 60; count++) {
  texts.push(Array.from({ length: random(9) }, () => letters[random(letters.length)]).join(''));
}

// JSON Schema asks for the flag `u`; escapes that only this flag forbids are accepted without it.
const compile = (pattern) => {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
};
const matches = patterns.map((pattern) => {
  const expression = compile(pattern);
  return [pattern, texts.flatMap((text, at) => (expression.test(text) ? [at] : []))];
});
const lines = matches.map((line) => '    ' + JSON.stringify(line)).join(',\n');
console.log(`{\n  "texts": ${JSON.stringify(texts)},\n  "matches": [\n${lines}\n  ]\n}`);
