import { expect, test } from 'vitest';
import { checksIn, isCheck } from '../../../src/core/commands/checks.ts';

test.each([
  ['cd app && npm test 2>&1 | tail -5', ['npm test']],
  ['cargo fmt; cargo clippy --all', ['cargo fmt', 'cargo clippy --all']],
  ['cat test/a.txt | grep check; git commit -m test', []],
  ['test -f a.log && test ! -d build', []],
  ['gh run view --log build', []],
])('what of %j checks the work', (command, checks) => {
  expect(checksIn({ name: 'bash', arguments: { command } })).toEqual(checks);
});

test('a command that only has the letters of a check is none', () => {
  expect([isCheck('npm run lint'), isCheck('npm run contest')]).toEqual([true, false]);
});
