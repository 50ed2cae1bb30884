import { expect, test } from 'vitest';
import { maskOf, searchSecret } from '../../../src/core/text/redaction.ts';

/** A mask for what `secret` says and none of `others`. */
function maskFor(secret: string, ...others: readonly string[]) {
  const search = searchSecret([secret]);
  for (const [index, other] of others.entries()) search.keep(other, `e${index}`);
  return maskOf(search.parts(), 'e18');
}

test('words that stand nowhere else are masked, those beside them stay', () => {
  const masked = maskFor('My password is hunter2, Ada.', 'What is my password?');
  expect(masked('asked: is the password Hunter2?')).toBe('asked: is the password [redacted]?');
  expect(masked('Nothing of it.')).toBe('Nothing of it.');
});

test('a name of words that all stand elsewhere is masked where it stands joined', () => {
  const masked = maskFor('Use blue-horse.', 'A blue car.', 'Use a horse.');
  expect(masked('a blue horse, and blue-horse')).toBe('a blue horse, and [redacted]');
});

test('a run of four words is masked unless another text has it', () => {
  const others = ['Tell me of it.', 'He left in the night.', 'Tell him, he left.'];
  const masked = maskFor('Tell him he left in the night.', ...others);
  expect(masked('tell him he left in the night')).toBe('tell [redacted] the night');
  expect(masked('he left in the night')).toBe('he left in the night');
});

test('escapes of JSON and XML hide no word', () => {
  const masked = maskFor('first line\nsecretive & more\tdata\\table', 'other');
  expect(masked('{"text":"x\\nsecretive y')).toBe('{"text":"x\\n[redacted] y');
  expect(masked('a secretive &amp; more')).toBe('a [redacted] &amp; [redacted]');
  expect(maskFor('C:\\new\\table')('at C:\\\\new\\\\table')).not.toMatch(/new|table/);
});

test('what is left of a long word that was cut is masked', () => {
  const masked = maskFor('MIIEvQIBADANBgkqhkiG9w0BAQEFAASC');
  expect(masked('key: MIIEvQIBAD…')).toBe('key: [redacted]…');
  expect(masked('[… 10 tokens left out, e1 …]\nBAQEFAASC then')).toContain('\n[redacted] then');
  expect(masked('MIIEvQIBAD stands whole')).toBe('MIIEvQIBAD stands whole');
});

test('scripts without spaces are masked by pairs', () => {
  const masked = maskFor('密码是蓝马', '密码是什么', '马是蓝的');
  expect(masked('他说密码是蓝马')).toBe('他说[redacted]');
});

test('lines and cells stay as many as they were', () => {
  const masked = maskFor('one two\nthree four | five', '');
  expect(masked('alpha zeta\nbeta | gamma')).toBe('alpha zeta\nbeta | gamma');
  const of = maskFor('alpha beta gamma', '');
  expect(of('alpha beta\ngamma | alpha')).toBe('[redacted]\n[redacted] | [redacted]');
});

test('ids and the words of the engine stay', () => {
  const masked = maskFor('e17 failed after 3 tokens');
  expect(masked('After e17: 3 tokens failed')).toBe('After e17: 3 tokens failed');
});

test('texts that repeat a part are named', () => {
  const search = searchSecret(['The key is sk-17a for the long road home.']);
  search.keep('I used sk-17a.', 'e2');
  search.keep('The road is long.', 'e3');
  search.keep('I took the long road home.', 'e4');
  expect(search.repeating().toSorted()).toEqual(['e2', 'e4']);
});

test('what a line tells of the entry alone is masked whole', () => {
  const masked = maskFor('nothing');
  const text =
    'After e18 “Do it.”:\n- e18 It was done. · Twice.\n- e18–e19 Both.\nAfter e19 “Go on.”:';
  expect(masked(text)).toBe(
    'After e18 “[redacted]”:\n- e18 [redacted]\n- e18–e19 Both.\nAfter e19 “Go on.”:',
  );
});

test.each(['🔑🦄🐴🛸', '$%&*!?+~#', '!@#$%^&*()_+~'])(
  'signs that stand together like a word, %s, are taken out',
  (secret) => {
    const search = searchSecret([`The password is ${secret}, always.`]);
    search.keep('The password is long, always. ---- ==== ....');
    const mask = maskOf(search.parts(), 'e1');
    expect(mask(`It is ${secret} there`)).toBe('It is [redacted] there');
    expect(mask('| ---- | ==== | .... |')).toBe('| ---- | ==== | .... |');
  },
);

test.each([
  ['ab', 'x ab y', 'x ab y'], // a word of two
  ['abc', 'x abc y', 'x [redacted] y'],
  ['e17', 'x e17 y', 'x e17 y'], // an id
  ['e123456', 'x e123456 y', 'x [redacted] y'],
  ['b17', 'x b17 y', 'x [redacted] y'],
  ['be17', 'x be17 y', 'x [redacted] y'],
  ['checkpoint', 'x checkpoint y', 'x checkpoint y'],
  ['caf\u00ade', 'x cafe y', 'x [redacted] y'],
])('of %j is taken out what tells of it', (secret, text, masked) => {
  expect(maskFor(secret)(text)).toBe(masked);
});

test.each([
  ['alpha-beta', '[redacted]'],
  ['alpha, (beta', '[redacted]'],
  ['alpha ... beta', '[redacted] ... [redacted]'],
  ['alpha, - beta', '[redacted]'],
  ['alpha | beta', '[redacted] | [redacted]'],
  ['alpha "beta', '[redacted] "[redacted]'],
  ['alpha\nbeta', '[redacted]\n[redacted]'],
])('what parts two words goes with them, up to four marks: %j', (text, masked) => {
  expect(maskFor('alpha and more. beta')(text)).toBe(masked);
});

test('a word that somebody else said stays, though it begins or ends a long one that is masked', () => {
  const masked = maskFor(
    'internationalization',
    'Never go international.',
    'Mind the nationalization.',
  );
  expect(masked('Never go international.')).toBe('Never go international.');
  expect(masked('Mind the nationalization.')).toBe('Mind the nationalization.');
  expect(masked('then internationali…, or international…')).toBe(
    'then [redacted]…, or international…',
  );
});

test('a word is long enough to be cut with sixteen letters, or eight with a digit', () => {
  const masks = (secret: string, cut: string) => maskFor(secret)(`key ${cut}…`) !== `key ${cut}…`;
  expect(masks('abcdefghijklmnop', 'abcdefgh')).toBe(true);
  expect(masks('abcdefghijklmno', 'abcdefgh')).toBe(false);
  expect(masks('abcdefg1', 'abcd')).toBe(true);
  expect(masks('abcdef1', 'abcd')).toBe(false);
  expect(masks('12345678', '1234')).toBe(false);
  expect(masks('abcdefghijklmnop', 'abcd')).toBe(true);
  expect(masks('abcdefghijklmnop', 'abc')).toBe(false);
});

test.each([
  ['key abcdefgh', true],
  ['key abcdefgh..', true],
  ['key abcdefgh  \nmore', true],
  ['key abcdefgh”)', true],
  ['key abcdefgh more', false],
  ['ijklmnop more', true],
  ['…ijklmnop more', true],
  ['..ijklmnop more', true],
  ['key\n  ijklmnop more', true],
  ['“ijklmnop more', true],
  ['“(ijklmnop more', true],
  ['“(((ijklmnop more', false],
  ['key ijklmnop more', false],
])('%j ends or begins where it was cut: %s', (text, isCut) => {
  expect(maskFor('abcdefghijklmnop')(text).includes('[redacted]')).toBe(isCut);
});

test('what more than eight texts hold is nobody’s', () => {
  const search = searchSecret(['The key is sk17a.']);
  for (let at = 0; at < 8; at += 1) search.keep('sk17a', `e${at}`);
  expect(search.repeating()).toHaveLength(8);
  search.keep('sk17a', 'e8');
  expect(search.repeating()).toEqual([]);
});

test('what colors a terminal parts no word from what it is', () => {
  expect(maskFor('\u001b[31msecretive\u001b[0m')('a secretive b')).toBe('a [redacted] b');
});

test.each([
  ['two words', 'blue-horse', ['blue', 'horse'], 'a blue-horse', 'a [redacted]'],
  ['two words that another text holds', 'blue-horse', ['a blue-horse'], 'blue-horse', 'blue-horse'],
  ['four marks', 'blue-horse', ['blue', 'horse'], 'blue-/-/horse', '[redacted]'],
  ['five marks', 'blue-horse', ['blue', 'horse'], 'blue-/-/-horse', 'blue-/-/-horse'],
  ['a space', 'blue-horse', ['blue', 'horse'], 'blue horse', 'blue horse'],
  ['an escaped break', 'blue-horse', ['blue', 'horse'], 'blue\\nhorse', 'blue\\nhorse'],
  ['two ids', 'e17-e18', [], 'from e17-e18', 'from e17-e18'],
  ['an id and a word', 'e17-horse', ['horse'], 'from e17-horse', 'from [redacted]'],
  ['words of a letter', 'a b c d', ['a', 'b', 'c', 'd'], 'of a b c d', 'of [redacted]'],
  ['three words', 'he left by night', ['he by left night'], 'he left by', 'he left by'],
  ['four words', 'he left by night', ['he by left night'], 'he left by night', '[redacted]'],
  ['four others', 'he left by night', ['he by left night'], 'he left at night', 'he left at night'],
  ['four signs', '$%&*', [], 'It is $%&* so', 'It is [redacted] so'],
  ['three signs', '$%&$', [], 'It is $%&$ so', 'It is $%&$ so'],
  ['a rule', '| ---- |', [], 'It is ---- so', 'It is ---- so'],
  ['two pictures', '🔑🦄', ['🔑', '🦄'], 'a 🔑🦄 b', 'a [redacted] b'],
  ['two pictures apart', '🔑 🦄', ['🔑', '🦄'], 'a 🔑 🦄 b', 'a 🔑 🦄 b'],
  ['signs before a word', '$%&*! hunter', [], '$%&*! and hunter', '[redacted] and [redacted]'],
  ['a colored word', 'red\u001b[0mhat', [], 'a hat b', 'a [redacted] b'],
  ['\\u', 'secretive', [], 'x\\u0022secretive y', 'x\\u0022[redacted] y'],
  ['\\t', 'secretive', [], 'x\\tsecretive y', 'x\\t[redacted] y'],
  ['&#x', 'secretive', [], 'x&#x3c;secretive y', 'x&#x3c;[redacted] y'],
  ['&#', 'ab', ['c'], 'x&#60;ab', 'x&#60;ab'],
])('of a secret of %s', (...[, secret, others, text, masked]) => {
  expect(maskFor(secret, ...others)(text)).toBe(masked);
});

test('a text that says it often repeats it once, one without a name is not told', () => {
  const search = searchSecret(['The key is sk17a, or k1.']);
  for (const name of ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8'])
    search.keep('sk17a and sk17a, k1 and sk17a', name);
  search.keep('sk17a');
  expect(search.repeating()).toHaveLength(8);
  const two = searchSecret(['k1 k12']);
  two.keep('k1', 'e1');
  two.keep('k12');
  expect(two.repeating()).toEqual([]);
  two.keep('k12', 'e2');
  expect(two.repeating()).toEqual(['e2']);
});
