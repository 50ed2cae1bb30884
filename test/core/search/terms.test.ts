import { expect, test } from 'vitest';
import {
  chunksWith,
  eachChunk,
  partsOf,
  termsIn,
  wordsIn,
} from '../../../src/core/search/terms.ts';

test.each([
  [
    'src/auth/refreshToken.ts',
    [
      'src/auth/refreshtoken.ts',
      'auth/refreshtoken.ts',
      'refreshtoken.ts',
      'src',
      'auth',
      'refreshtoken',
      'refresh',
      'token',
      'ts',
    ],
  ],
  ['The connections were closing', ['connect', 'close']],
  ['parseHTTPServer', ['parsehttpserv', 'pars', 'http', 'server']],
  ['MAX_RETRY_COUNT $scope', ['max_retry_count', 'max', 'retri', 'count', '$scope', 'scope']],
  ['a I 7 42', ['42']],
  ['--flag=x.y. ...', ['flag', 'x.y']],
  ['e-mail mail', ['e-mail', 'mail']],
  ['___ $$', []],
  ['größer Ärger', ['größer', 'ärger']],
  ['日本語abc', ['日本', '本語', 'abc']],
  ['語', ['語']],
  ['it s the', []],
])('the terms of %s', (text, expected) => {
  expect(termsIn(text)).toEqual(expected);
});

test('a term has at most 64 characters, and a longer word no parts', () => {
  expect(termsIn('x'.repeat(70))).toEqual(['x'.repeat(64)]);
  expect(termsIn(`${'x'.repeat(62)}Yz`)).toEqual([`${'x'.repeat(62)}yz`, 'x'.repeat(62), 'yz']);
  expect(termsIn(`${'x'.repeat(63)}Yz`)).toEqual([`${'x'.repeat(63)}y`]);
});

const chunks = (text: string, reading: Parameters<typeof eachChunk>[1]): readonly string[] => {
  const found: string[] = [];
  eachChunk(text, reading, (_, start, end) =>
    found.push(`${start}-${end} ${text.slice(start, end)}`),
  );
  return found;
};

test('chunks have places, in the part that is read', () => {
  expect(chunks('see pool.ts, the cache', {})).toEqual(['0-3 see', '4-11 pool.ts', '17-22 cache']);
  expect(chunks('see pool.ts', { from: 4, to: 8 })).toEqual(['4-8 pool']);
});

test('what a backslash escapes is no part of a chunk, where it escapes', () => {
  expect(chunks(String.raw`one\ntwo\u0041three`, { escaped: true })).toEqual([
    '0-3 one',
    '5-8 two',
    '14-19 three',
  ]);
  expect(chunks(String.raw`one\ntwo`, {})).toEqual(['0-3 one', '4-8 ntwo']);
});

test.each([
  ['a/b//c.ts', ['a/b//c.ts', 'b/c.ts', 'c.ts', 'ts']],
  ['//usr//bin/', ['usr//bin', 'usr/bin', 'usr', 'bin']],
  ['one--two', ['one--two', 'on', 'two']],
  ['user@host.com', ['user@host.com', 'user', 'host', 'com']],
  ['~/work+more', ['work+more', 'work']],
  ['#42 a#b', ['42', 'a#b']],
  ['v1.2.3', ['v1.2.3', 'v1']],
  ['foo__barBaz', ['foo__barbaz', 'foo', 'bar', 'baz']],
  ['_foo_', ['_foo_', 'foo']],
  ['$foo$bar', ['$foo$bar', 'foo', 'bar']],
  ['fooBAR', ['foobar', 'foo', 'bar']],
  ['FOOBar', ['foobar', 'foo', 'bar']],
  ['fooB', ['foob', 'foo']],
  ['f_B', ['f_b']],
  ['a_b', ['a_b']],
  ['ab1Cd', ['ab1cd', 'ab1', 'cd']],
  ['abc1', ['abc1']],
  ['running runs ran', ['run', 'ran']],
  ['Running1', ['running1']],
  ['日', ['日']],
  ['日本', ['日本']],
  ['日本x語', ['日本', '語']],
  ['größe-日本', ['größe-日本', 'größe', '日本']],
  ['é', []],
  ['éa', ['éa']],
  ['ไทยabc', ['ไท', 'ทย', 'abc']],
  ['😀x 😀', ['😀x', '😀']],
  ['the.and', ['the.and']],
  ['I.O', ['i.o']],
  ['src/', ['src']],
  ['.env', ['env']],
  ['c++', []],
  ['x.y', ['x.y']],
  ['__init__', ['__init__', 'init']],
  ['a$b_c', ['a$b_c']],
  ['HTTPServerError', ['httpservererror', 'http', 'server', 'error']],
  ['HTTPs', ['http', 'htt', 'ps']],
  ['parse2HTML', ['parse2html', 'parse2', 'html']],
  ['ok/no/yes/maybe', ['ok/no/yes/maybe', 'yes/maybe', 'mayb']],
])('%s has these terms, each once', (text, expected) => {
  expect(termsIn(text)).toEqual(expected);
});

test('of an escape only its own characters are left out', () => {
  const of = (text: string, to?: number) =>
    chunks(text, { escaped: true, ...(to !== undefined && { to }) });
  expect(of(String.raw`\\nab`)).toEqual(['2-5 nab']);
  expect(of(String.raw`\u00e9ab\U1234`)).toEqual(['6-8 ab', '10-14 1234']);
  expect(of('ab\\"cd\\')).toEqual(['0-2 ab', '4-6 cd']);
  expect(of('abcd efgh', 7)).toEqual(['0-4 abcd', '5-7 ef']);
  expect(chunks('abcd', { from: 4 })).toEqual([]);
});

test('of a chunk without terms nothing is told', () => {
  expect(chunks('the -- ab ~ c++ x', {})).toEqual(['7-9 ab']);
});

test.each([
  ['ab,cd;ef:gh|ij', ['ab', 'cd', 'ef', 'gh', 'ij']],
  ['ab.cd', ['ab.cd', 'ab', 'cd']],
  ['ab@cd', ['ab@cd', 'ab', 'cd']],
  ['ab+cd', ['ab+cd', 'ab', 'cd']],
  ['ab~cd', ['ab~cd', 'ab', 'cd']],
  ['ab#cd', ['ab#cd', 'ab', 'cd']],
  ['ab-cd', ['ab-cd', 'ab', 'cd']],
  ['AB/CD', ['ab/cd', 'ab', 'cd']],
  ['xy/zw/', ['xy/zw', 'xy', 'zw']],
  ['a1/b2/c3', ['a1/b2/c3', 'b2/c3', 'a1', 'b2', 'c3']],
  ['x2/y.z', ['x2/y.z', 'y.z', 'x2']],
  ['\u2014\u00d7', []],
  ['ab\u2014cd', ['ab', 'cd']],
  ['12\u0663', ['12\u0663']],
  ['e\u0301a', ['e\u0301a']],
  ['ひら', ['ひら']],
  ['カタカ', ['カタ', 'タカ']],
  ['abひら1', ['ab', 'ひら']],
  ['z'.repeat(64), ['z'.repeat(64)]],
  [`${'é'.repeat(63)}😀`, ['é'.repeat(63)]],
  [`${'é'.repeat(62)}😀`, [`${'é'.repeat(62)}😀`]],
  ['__x', ['__x']],
  ['ab__', ['ab__', 'ab']],
  ['aB', ['ab']],
  ['9Lives', ['9lives', 'live']],
  ['ABc', ['abc', 'bc']],
  ['don t', []],
])('%j has the terms %j', (text, expected) => expect(termsIn(text)).toEqual(expected));

test('a word of a query is told by the term of all of it, and a name by what it is joined of', () => {
  const words = wordsIn('the refreshToken in src/auth/a.ts, 日本語');
  expect(words.map(({ text, term }) => [text, term])).toEqual([
    ['refreshToken', 'refreshtoken'],
    ['src/auth/a.ts', 'src/auth/a.ts'],
    ['日本語', null],
  ]);
  expect(words.map(({ text }) => partsOf(text))).toEqual([
    ['refresh', 'Token'],
    ['src', 'auth', 'a', 'ts'],
    [],
  ]);
});

test.each([
  ['refreshToken of src/Token.ts, and (no) other', 'refreshToken src/Token.ts'],
  ['İ token', 'İ token'],
  ['nothing', ''],
])('the chunks of %s in which letters stand', (text, expected) => {
  expect(chunksWith('token', text)).toBe(expected);
});
