import { expect, test } from 'vitest';
import { clean } from '../../src/cli/paper/clean.ts';
import { withSeenTurns } from '../../src/viewer/page/turns.ts';

test('the page marks what turns writing around as the terminal does, and nothing else', () => {
  const all = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
  const marked = all.filter((one) => withSeenTurns(one) !== one);
  expect(marked).toEqual(all.filter((one) => clean(one) === '·' && /\p{Cf}/u.test(one)));
  expect(marked).toHaveLength(12);
  expect(withSeenTurns('a \u202egnp.exe\u202c b')).toBe('a ·gnp.exe· b');
});
