import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureLives } from '../../tools/truncation/lives/lives.ts';
import { newLocation } from '../store/folder.ts';

// What a session knows after its prompt was cut, after its host dropped the head of its list, and
// after its process was killed while it waited for a summary. `npm run eval:truncation -- --only life`
// plays the same at length, and `npm run long` twice.

const blows = process.env['LONG'] === undefined ? 1 : 2;

const root = join(import.meta.dirname, '..', '..');
const subject = join(root, 'examples', 'notes-app.jsonl');

/** The program that is killed: Node 20 runs no TypeScript, so it is compiled first. */
async function victim(): Promise<string> {
  const compiled = await newLocation();
  await mkdir(compiled);
  await symlink(join(root, 'node_modules'), join(compiled, 'node_modules'), 'junction');
  await writeFile(join(compiled, 'package.json'), '{"type":"module"}');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const project = join(root, 'tools');
  const given = [compiler, '-p', project, '--outDir', compiled, '--noCheck'];
  execFileSync(process.execPath, given, { stdio: 'inherit' });
  return join(compiled, 'tools/truncation/lives/victim.js');
}

test('after a cut, a drop or a kill a session knows what it knew, and says so once', async () => {
  const rows = await measureLives({
    files: [subject],
    window: 8_000,
    blows,
    seed: 1,
    victim: await victim(),
  });
  expect(rows.map(({ blow, outcomes }) => [blow, outcomes.length])).toEqual([
    ['server', blows],
    ['host', blows],
    ['killed', blows],
  ]);
  const all = rows.flatMap(({ outcomes }) => outcomes);
  for (const { open, files, checkpoint, struck: _, spared: __, ...known } of all) {
    expect(known).toEqual({ noticed: 1, fits: true, human: true, recalled: true, isWhole: true });
    expect(checkpoint).not.toBe(false);
    expect([open.kept, files.kept]).toEqual([open.of, files.of]);
  }
  const share = (of: 'struck' | 'spared'): number =>
    all.reduce((sum, one) => sum + one[of].kept, 0) / all.reduce((sum, one) => sum + one[of].of, 0);
  expect(all.reduce((sum, { struck }) => sum + struck.of, 0)).toBeGreaterThan(25 * blows);
  expect(share('struck')).toBeGreaterThanOrEqual(share('spared') - 0.02);
}, 600_000);
