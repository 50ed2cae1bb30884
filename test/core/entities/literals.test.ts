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
    '/usr/local/bin and one/two/six, but neither a/b/c nor one/two',
    ['path local/bin', 'path two/six'],
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
