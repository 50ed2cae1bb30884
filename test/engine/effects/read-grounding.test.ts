import { expect, test } from 'vitest';
import { newGrounding } from '../../../src/core/lines/grounding.ts';
import { readGrounding } from '../../../src/engine/effects/read-grounding.ts';

test('a long text is read in parts that cut no name, with a breath after each', async () => {
  const names = Array.from({ length: 30_000 }, (_, n) => `src/pool${n}.ts`);
  const text = names.join(' ');
  const whole = newGrounding();
  whole.add(text);
  let breaths = 0;
  const read = await readGrounding(
    { record: ['a port'], beside: [text] },
    async () => void (breaths += 1),
  );
  for (const term of whole.terms) expect(read.terms.has(term), term).toBe(true);
  expect(read.terms.size - whole.terms.size).toBeLessThan(3);
  expect(breaths).toBe(1 + Math.ceil(text.length / 16_020));
});

test('a text without white space is read in one go', async () => {
  let breaths = 0;
  const { terms } = await readGrounding(
    { record: ['x'.repeat(200_000)], beside: [] },
    async () => void (breaths += 1),
  );
  expect(terms.size).toBeGreaterThan(0);
  expect(breaths).toBe(1);
});

test('the names of the record are told from those of what was given beside it', async () => {
  const given = { record: ['See src/pool.ts'], beside: ['and src/lock.ts'] };
  const { names, terms } = await readGrounding(given, async () => undefined);
  expect([...names]).toEqual(['src/pool.ts']);
  expect(terms.has('src/lock.ts')).toBe(true);
});
