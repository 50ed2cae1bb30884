import { expect, test } from 'vitest';
import { measureHistory } from '../../tools/truncation/history.ts';
import { measureRequests } from '../../tools/truncation/requests/requests.ts';
import { measureTokenizers, suspicionsOf } from '../../tools/truncation/tokenizers/measure.ts';

// A scripted Ollama server over HTTP that cuts in silence and counts with Llama 3's
// vocabulary, and hosts that lose parts of their lists. `npm run eval:truncation` plays the
// same at length.

/** Sessions for each server, three in `npm run long`; `TRUNCATION_RUNS=100 TRUNCATION_SEED=7` for more, and others. */
const sessions = Number(
  process.env['TRUNCATION_RUNS'] ?? (process.env['LONG'] === undefined ? 1 : 3),
);
const seed = Number(process.env['TRUNCATION_SEED'] ?? 20_000_003);

test('a cut prompt is noticed on the very call, and a whole one raises no alarm', async () => {
  const rows = await measureRequests({ cut: sessions, whole: 8 * sessions, seed });
  const sum = (of: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const found = (fate: 'dropped' | 'middle' | 'refused'): number =>
    sum(({ scores }) => scores.at(-1)!.found[fate]);
  const told = rows.filter(({ server }) => !server.includes('missing'));
  expect(sum(({ requests }) => requests.dropped)).toBeGreaterThan(30 * sessions);
  // 0.97 over many seeds; a hundred requests of one seed are not.
  expect(found('dropped') / sum(({ requests }) => requests.dropped)).toBeGreaterThanOrEqual(0.94);
  expect(found('refused')).toBe(sum(({ requests }) => requests.refused));
  expect(sum(({ middle }) => middle.told)).toBeGreaterThan(0);
  for (const { server, requests, scores } of told)
    expect([server, scores.at(-1)!.found.middle]).toEqual([server, requests.middle]);
  expect(sum(({ middle }) => middle.told - middle.certain - middle.suspected)).toBe(0);
  expect(rows.at(-1)).toMatchObject({ server: 'never cut', troubled: 0 });
  expect(sum(({ troubled }) => troubled) / sum((row) => row.sessions)).toBeLessThan(0.02);
}, 600_000);

test('a server that counts with another vocabulary interrupts nothing, and raises hardly a suspicion', async () => {
  const some = ['o200k_base', 'characters / 4.2'];
  const more = ['cl100k_base', 'like Gemma', 'bytes / 4'];
  const only = sessions < 3 ? some : ['o200k_base', ...more, 'characters / 4.2'];
  const rows = await measureTokenizers({ sessions: 1, seed: seed + 7, only });
  const sum = (of: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  expect(rows.map(({ tokenizer }) => tokenizer)).toEqual(only);
  expect(sum(({ interruptions }) => interruptions)).toBe(0);
  expect(200 * sum(suspicionsOf)).toBeLessThanOrEqual(sum(({ requests }) => requests));
}, 600_000);

test('what a host did to its list is told apart, with the ids of what was lost', async () => {
  const rows = await measureHistory({ trials: 2 * sessions, seed });
  const right = rows.map(({ event, trials, sync, relation, named }) => ({
    event,
    wrong: 3 * trials - sync - relation - named,
  }));
  expect(right).toEqual(rows.map(({ event }) => ({ event, wrong: 0 })));
  expect(rows.every(({ trials }) => trials === 2 * sessions)).toBe(true);
}, 600_000);
