import { expect, test } from 'vitest';
import { scanLiterals } from '../../../src/core/entities/literals.ts';

const literals = (text: string): readonly string[] => {
  const found: string[] = [];
  scanLiterals(text, (name, kind) => found.push(`${kind} ${name}`));
  return found;
};

test.each([
  [
    'see https://a.example/b?c=d, or (http://x.yz/q).',
    ['url https://a.example/b?c=d', 'url http://x.yz/q'],
  ],
  ['http://a', []],
  ['httpServer runs', ['identifier httpServer']],
  ['issue #42 and (#7001), not a#42 or #1', ['number #42', 'number #7001']],
  ['error[E0382] and error[E1]', ['error error[E0382]']],
  ['src/core/tree.ts:12', ['path core/tree.ts']],
  ['../a/tree.ts ./b.ts ~/c.sh', ['path a/tree.ts', 'path b.ts', 'path c.sh']],
  [
    '/usr/local/bin and src/two/six, but neither a/b/c nor one/two',
    ['path local/bin', 'path two/six'],
  ],
  ['CPU/RAM/disk, day/week/month. and GET/LIST', []],
  ['showError/showWarning/ask', ['identifier showError', 'identifier showWarning']],
  ['modes/view/parts/ and my-app/view/parts', ['path view/parts', 'path view/parts']],
  [
    'parts/a.ts, view/b.ts: modes/view/parts',
    ['path parts/a.ts', 'path view/b.ts', 'path view/parts'],
  ],
  ['parts/a.ts: modes/view/parts', ['path parts/a.ts']],
  [
    String.raw`# A\nREADME.md\nsrc/a/b.ts \tmaxRetries\n\nmain.ts`,
    ['path README.md', 'path a/b.ts', 'identifier maxRetries', 'path main.ts'],
  ],
  [
    String.raw`C:\next.config.js ..\tools\nav.ts "D:\\a\\notes.md"`,
    ['path next.config.js', 'path nav.ts', 'path notes.md'],
  ],
  ['./src/core and ~/work/app', ['path src/core', 'path work/app']],
  ['and/or 12/24 1/2/3', []],
  ['Makefile and docker/Dockerfile', ['path docker/Dockerfile']],
  ['config.json and tree.unknown', ['path config.json']],
  ['console.log(x) process.env.PORT this.ts', []],
  ['list.sort(a) tree.ts(4)', []],
  ['v1.2.3 1.2.3-beta.1 10.0.0.1 1.2', ['number v1.2.3', 'number 1.2.3-beta.1', 'number 10.0.0.1']],
  ['port 8080, in 2024 or 1999, 1,234,567 and 123', []],
  ['port 8080 of 4310.', ['number 8080', 'number 4310']],
  ['commit 3f2a9bc of 1234567 and deadbeef', ['number 3f2a9bc', 'number 1234567']],
  ['ticket ABC123 or A1B2C3D4E5, not A1B2C', ['number ABC123', 'number A1B2C3D4E5']],
  [
    'TypeError ENOENT TS2339 SIGKILL ValueException EFOO',
    ['error TypeError', 'error ENOENT', 'error TS2339', 'error SIGKILL', 'error ValueException'],
  ],
  [
    'maxRetries snake_case TypeScript GitHub README aB plainword',
    ['identifier maxRetries', 'identifier snake_case'],
  ],
  ['connect() connectnow() Connected()', ['identifier connectnow', 'identifier Connected']],
  ['id 123e4567-e89b-12d3-a456-426614174000', ['number 123e4567-e89b-12d3-a456-426614174000']],
  ['user@maxRetries+minDelay', ['identifier maxRetries', 'identifier minDelay']],
  [`x${'Yz'.repeat(40)}`, []],
  [`https://a.b/${'c'.repeat(300)}`, []],
])('the literals of %s', (text, expected) => {
  expect(literals(text)).toEqual(expected);
});

test.each([
  [
    'https://a.b/c.html; https://a.b/d, https://a.b/e* https://a.b/f:',
    ['url https://a.b/c.html', 'url https://a.b/d', 'url https://a.b/e', 'url https://a.b/f'],
  ],
  [
    'http://ab.c http://a.bc/d"e http://a.bc/d\\e http://a.bc/d`e',
    ['url http://ab.c', 'url http://a.bc/d', 'url http://a.bc/d', 'url http://a.bc/d'],
  ],
  ['httpx://abcdefg http-server https', []],
  ['#12 #1234567 x#123 (#123) [#123]', ['number #12', 'number 1234567', 'number #123']],
  ['error[E0382]: x error[F0382] errors[E0382]', ['error error[E0382]']],
  ['xerror[E0382]', []],
  ['iPhone OpenAI MacBook YouTube JavaScript README GitHub TypeScript', []],
  ['iPhones openAI', ['identifier iPhones', 'identifier openAI']],
  [
    'console.ts process.js Math.ts this.md self.py import.meta.ts logger.ts logge.ts loggers.ts',
    ['path loggers.ts'],
  ],
  [
    'v1.2.3 1.2.33 12.2.3 v1.22.3 1.2.3-rc_1 1.2.3- 1.2 1.2.3.4 1.2.3.4.5 1000.1.1.1 256.1.1.123 1.2.3x',
    [
      'number v1.2.3',
      'number 1.2.33',
      'number 12.2.3',
      'number v1.22.3',
      'number 1.2.3-rc_1',
      'number 1.2.3',
      'number 1.2.3.4',
      'number 256.1.1.123',
    ],
  ],
  [
    'ABError ABCException FooFailure FooWarning Fooerror xFooError FooErrors aTypeError',
    [
      'error ABCException',
      'error FooFailure',
      'error FooWarning',
      'identifier xFooError',
      'identifier FooErrors',
      'identifier aTypeError',
    ],
  ],
  [
    'TS123 TS12345 TS123456 EACCES EPERMX SIGTERM SIGAB SIGABCDEFG SIGTERMX ENOTEMPTY',
    [
      'error TS12345',
      'number TS123456',
      'error EACCES',
      'error SIGTERM',
      'error SIGTERMX',
      'error ENOTEMPTY',
    ],
  ],
  ['Word word Word. word. WORD WOrd maxWord. Max.', ['identifier maxWord']],
  [
    'word( Connectnow( Connect( connectn(x) connect_(',
    ['identifier Connectnow', 'identifier connectn', 'identifier connect_'],
  ],
  [
    'src/a.ts/ src//a.ts src/a.ts. src/a.tsx2 /a.ts a/Makefile b/LICENSE x/Makefiles Makefile/',
    [
      'path src/a.ts',
      'path src/a.ts',
      'path src/a.ts',
      'path a.ts',
      'path a/Makefile',
      'path b/LICENSE',
      'path Makefile',
    ],
  ],
  [
    'src/core/ src/core/x/1 a/b/12 ./12 ~/12x /usr /usr/bin usr/bin usr/bin/x ./x',
    ['path usr/bin', 'path bin/x'],
  ],
  ['12/34/56 1/2/a a/b/c/ a/b/cd/', ['path b/cd']],
  ['~/a/../b/./cd ../../ab/cd.', ['path b/cd', 'path ab/cd']],
  ['user@host.ts user+tag.py a~b.md', ['path host.ts', 'path tag.py', 'path b.md']],
  ['one++two.ts', ['path two.ts']],
  ['-tree.ts .tree.ts- ..tree.ts..', ['path tree.ts', 'path tree.ts', 'path tree.ts']],
  [
    '123e4567-e89b-12d3-a456-426614174000x 123E4567-E89B-12D3-A456-426614174000 x123e4567-e89b-12d3-a456-42661417400',
    ['number 123e4567-e89b-12d3-a456-426614174000', 'number 123E4567-E89B-12D3-A456-426614174000'],
  ],
  [
    '1234 123 12345 1234567890123 123456789 1999 2050 1899 2100 1,2345 2345,1 1234. 1234-5 x1234',
    [
      'number 1234',
      'number 12345',
      'number 123456789',
      'number 1899',
      'number 2100',
      'number 1234',
    ],
  ],
  ['a1234 12a34 123456789012 1234567890123', ['number 123456789012']],
  [
    'conf.d.ts a.ts.bak a.bak.ts a.ts2 a.ts-old .env x.env tree.ts( tree.ts.x(',
    ['path conf.d.ts', 'path a.ts', 'path a.bak.ts', 'path a.ts', 'path x.env', 'path tree.ts'],
  ],
  [
    'list.json.parse( log.txt.gz tree.unknown.md',
    ['path list.json', 'path log.txt', 'path tree.unknown.md'],
  ],
  [
    'fooBar fooB foBar _fooBar $fooBar foo_b foo_1 _foo_ Foo_B FOO_BAR foo__bar foo-barBaz 1fooBar',
    [
      'identifier fooBar',
      'identifier _fooBar',
      'identifier $fooBar',
      'identifier FOO_BAR',
      'identifier barBaz',
    ],
  ],
  [
    'abcdefg( abcdefgh( Abcdefgh( abcd_efg( abcdefgh ( 1bcdefgh(',
    ['identifier abcdefgh', 'identifier Abcdefgh', 'identifier abcd_efg'],
  ],
  ['foo.barBazz( foo-connection( connection-foo(', ['identifier barBazz', 'identifier connection']],
])('of what stands in “%s” are literals', (text, expected) => {
  expect(literals(text)).toEqual(expected);
});

test.each([
  ['foo-connection(', ['identifier connection']],
  ['connection-foo(', []],
  ['connection-foobarbaz(', ['identifier foobarbaz']],
])('what is called in %s is its last word', (text, expected) => {
  expect(literals(text)).toEqual(expected);
});

test('a name has a length at most', () => {
  const path = (length: number): string => `a/${'b'.repeat(length - 5)}.ts`;
  expect([160, 161].map((length) => literals(path(length)).length)).toEqual([1, 0]);
  const file = (length: number): string => `${'b'.repeat(length - 3)}.ts`;
  expect([160, 161].map((length) => literals(file(length)).length)).toEqual([1, 0]);
  const name = (length: number): string => `${'x'.repeat(length - 2)}aB`;
  expect([80, 81].map((length) => literals(name(length)).length)).toEqual([1, 0]);
  const digest = (length: number): string => 'a1'.repeat(21).slice(0, length);
  expect([6, 7, 40, 41].map((length) => literals(digest(length)).length)).toEqual([0, 1, 1, 0]);
  const link = (length: number): string => `http://a.b/${'c'.repeat(length - 11)}`;
  expect([300, 301].map((length) => literals(link(length)).length)).toEqual([1, 0]);
});

test.each([
  ['in src/auth/has…', []],
  ['see https://a.example/guide/st… or http://x.yz/q', ['url http://x.yz/q']],
  ['hashPassw…, then maxRetries …', ['identifier maxRetries']],
  ['from src/auth/…/hash.ts', ['path hash.ts']],
  ['a.ts maxRetr\n[… 12 tokens left out, e3 …]\nPassword() b.ts', ['path a.ts', 'path b.ts']],
  [
    'maxRetries:\n[… 12 tokens left out, e3 …]\n hashPassword',
    ['identifier maxRetries', 'identifier hashPassword'],
  ],
  [String.raw`{"a":"maxRetr\n[… 12 tokens left out, e3 …]\nhash_pass b.ts"}`, ['path b.ts']],
])('of the names in %j one that a cut tore is none', (text, found) => {
  expect(literals(text)).toEqual(found);
});
