import { expect, test } from 'vitest';
import { recallLine } from '../../../src/core/sections/recall-line.ts';
import { countTokens } from '../../../src/index.ts';

test('one short line says what recall does, where the model has it', async () => {
  const line = recallLine(true);
  expect(line).toMatch(/^Nothing is lost: recall .*word for word\.$/);
  expect(line).not.toContain('\n');
  expect(await countTokens(line)).toBeLessThan(40);
});

test('nothing is said of a tool that the model does not have', () => {
  expect(recallLine(false)).toBe('');
});
