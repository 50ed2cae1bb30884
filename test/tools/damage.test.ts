import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { compile } from '../compile.ts';

test('of damaged stores nothing is read wrong or lost in silence, and all that is sound is salvaged', async () => {
  const folder = await compile('tools/damage/main.ts', 'tools/damage/worker.ts');
  const words = [`${folder}/tools/damage/main.js`, '--stores', '12', '--seed', '7'];
  const run = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const out = await text(run.stdout);
  const faults = out.split('\n').filter((line) => line !== '' && !line.startsWith('|'));
  expect(faults).toEqual([]);
  const all =
    /^\| all.*$/m
      .exec(out)?.[0]
      .split('|')
      .map((cell) => cell.trim()) ?? [];
  expect(all[2]).toBe('12');
  expect(all.slice(7, 11)).toEqual(['0', '0', '0', '0']);
  expect(Number(all[11]!.replace(',', ''))).toBeGreaterThan(1_000);
  expect(all[12]).toBe(all[11]);
});
