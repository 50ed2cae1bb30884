import { expect, test, vi } from 'vitest';
import { paceText } from '../../../src/cli/call/pace-text.ts';
import { demoStore, file, flamestack } from '../call.ts';

test.each([
  ['show demo --window 1500', 'entries'],
  ['replay demo --find turn>99', 'steps'],
  ['export demo --as md --force --out', 'compressions and frames'],
])('%s tells its share, its pace and the time that is left', async (line, what) => {
  const store = await demoStore();
  const out = line.endsWith('--out') ? await file('demo.md', '') : '';
  // Each look at the clock is half a second after the one before.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 500));
  const { err } = await flamestack(`${line} ${out} --store ${store}`, { isTTY: true });
  clock.mockRestore();
  expect(err).toMatch(new RegExp(`\\d+ %  [\\d,]+ ${what}, [\\d,]+ a second  .* left`));
});

test('one is told as one, and none without a pace', () => {
  expect(paceText({ count: 0, what: 'new entries' }, 0, 1_000)).toBe('no new entries yet');
  expect(paceText({ count: 1, what: 'new entries' }, 0, 0)).toBe('1 new entry');
  expect(paceText({ count: 1, what: 'entries' }, 0, 0)).toBe('1 entry');
  expect(paceText({ count: 1, what: 'steps' }, 0, 0)).toBe('1 step');
  expect(paceText({ count: 2, what: 'entries' }, 0, 0)).toBe('2 entries');
});
