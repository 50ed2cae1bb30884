import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { beadsIn } from '../../../src/adapters/beads/beads.ts';
import { outboxOf } from '../../../src/adapters/beads/outbox.ts';
import { startBeads } from '../../../src/testing/index.ts';
import { newFolder } from '../../store/folder.ts';

async function started() {
  const beads = await startBeads({ issues: [{ id: 'br-1', title: 'One', status: 'in_progress' }] });
  const folder = await newFolder();
  onTestFinished(() => beads.close());
  const refused: string[] = [];
  const given = {
    folder,
    project: beads.folder,
    beads: beadsIn(beads.folder, { env: beads.env }),
    onRefused: (...told: string[]) => void refused.push(told.join(' · ')),
  };
  const texts = (): readonly string[] => beads.issues['br-1']!.comments.map(({ text }) => text);
  const place = join(folder, createHash('sha256').update(beads.folder).digest('hex').slice(0, 16));
  return { beads, outbox: outboxOf(given), again: outboxOf(given), texts, refused, place };
}

test('a comment is written, and nothing is left behind', async () => {
  const { outbox, texts, place } = await started();
  await outbox.write('br-1', '- half way', 3_000);
  expect(texts()).toEqual(['- half way']);
  expect(await outbox.waiting()).toBe(0);
  expect(await readdir(place)).toEqual([]);
});

test('what could not be written is written by the next process, in order', async () => {
  const { beads, outbox, again, texts } = await started();
  beads.behave({ locked: 1_000 });
  await outbox.write('br-1', 'first', 500);
  await outbox.write('br-1', 'second', 500);
  expect(await outbox.waiting()).toBe(2);
  beads.behave({});
  await again.flush();
  expect(texts()).toEqual(['first', 'second']);
  expect(await again.waiting()).toBe(0);
});

test('two processes that write what waits write it once', async () => {
  const { beads, outbox, again, texts } = await started();
  beads.behave({ missing: true });
  for (const text of ['a', 'b', 'c']) await outbox.write('br-1', text, 500);
  beads.behave({});
  await Promise.all([outbox.flush(), again.flush()]);
  await outbox.flush();
  expect(texts().toSorted()).toEqual(['a', 'b', 'c']);
});

test('a comment that was written though its call was too slow is not written again', async () => {
  const { beads, outbox, texts } = await started();
  await outbox.write('br-1', 'once', 3_000);
  beads.behave({ missing: true });
  await outbox.write('br-1', 'once', 500);
  beads.behave({});
  await outbox.flush();
  expect(texts()).toEqual(['once']);
});

test('what a process took that is no more is taken back', async () => {
  const { outbox, texts, place } = await started();
  await mkdir(place, { recursive: true });
  const left = JSON.stringify({ issue: 'br-1', text: 'from before' });
  await writeFile(join(place, '1-a.json.99999999'), left);
  await outbox.flush();
  expect(texts()).toEqual(['from before']);
});

test('what the tracker will never take is told and kept aside, and the rest goes on', async () => {
  const { outbox, texts, refused, place } = await started();
  await outbox.write('br-9', 'for nobody', 3_000);
  await outbox.write('br-1', 'for one', 3_000);
  expect(texts()).toEqual(['for one']);
  expect(refused).toHaveLength(1);
  expect(refused[0]).toContain('for nobody');
  expect(await outbox.waiting()).toBe(0);
  expect((await readdir(place)).filter((name) => name.endsWith('.refused'))).toHaveLength(1);
});
