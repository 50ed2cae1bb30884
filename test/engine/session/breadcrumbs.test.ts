import { expect, test } from 'vitest';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { replayed } from '../replayed.ts';
import {
  parseDocuments,
  type Message,
  type Session,
  type SessionFact,
} from '../../../src/index.ts';
import { newDisk } from '../disk.ts';

const code = (wanted: string) => expect.objectContaining({ code: wanted }) as Error;

async function open(window: number) {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window, reserve: 0 });
  const facts: SessionFact[] = [];
  session.on('*', (fact) => facts.push(fact));
  return { disk, store, session, facts };
}

const step = (n: number): Message[] => [
  {
    role: 'assistant',
    content: `Looking at loadPart${n}() next.`,
    toolCalls: [
      { id: `c${n}`, name: 'edit', arguments: { path: `src/part${n}.ts`, text: 'x'.repeat(60) } },
    ],
  },
  { role: 'tool', toolCallId: `c${n}`, content: `ok ${n} `.repeat(20) },
];

/** A step that finds something out, which a line tells. */
const finding = (n: number): Message[] => [
  ...step(n),
  { role: 'assistant', content: `The cause is POOL_LIMIT_${n}, which src/limit${n}.ts ignores.` },
];

async function fill(session: Session, until: () => boolean, made = step): Promise<void> {
  await session.append({ role: 'user', content: 'Tidy all parts.' });
  for (let n = 0; n < 2_000 && !until(); n += 1) await session.append(made(n));
  expect(until()).toBe(true);
}

test('a compression leaves breadcrumbs that lead to the entries it took', async () => {
  const { session } = await open(2_000);
  await fill(session, () => session.state.compressions > 0);
  const [checkpoint] = session.state.checkpoints;
  const crumbs = session.breadcrumbs(checkpoint!.id);
  expect(crumbs).toHaveLength(checkpoint!.breadcrumbs);
  expect(crumbs.length).toBeGreaterThan(0);
  expect(session.breadcrumbs()).toEqual(crumbs);
  const last = crumbs.findLast(({ type }) => type === 'file');
  expect(last).toMatchObject({ hint: 'changed by edit' });
  for (const { type, reference, entries } of crumbs) {
    expect(session.where(entries[0]!)).toMatchObject({ place: expect.anything() as string });
    const entry = await session.entry(entries[0]!);
    if (type !== 'decision') expect(JSON.stringify(entry)).toContain(reference);
  }
  expect(() => session.breadcrumbs('c99')).toThrow(code('CHECKPOINT_NOT_FOUND'));
});

test('every row of the table in a document leads to entries, and a file is in them', async () => {
  const { session } = await open(2_000);
  await fill(session, () => session.state.compressions > 1, finding);
  const rows = parseDocuments(await session.document())[0]!.breadcrumbs;
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.length).toBeLessThanOrEqual(50);
  for (const { type, reference, hint, entries } of rows) {
    const found = await session.expand(entries.length > 0 ? entries.join(', ') : reference);
    expect(found.length).toBeGreaterThan(0);
    if (type === 'file') expect(JSON.stringify(found)).toContain(reference);
    expect(hint).toMatch(/\w{4}/);
  }
});

test('merged checkpoints follow the breadcrumbs of what was merged into them, and say when they are many', async () => {
  const { session, facts, disk, store } = await open(4_000);
  const many = () => facts.filter(({ type }) => type === 'breadcrumbs.many');
  await fill(session, () => many().length > 0);
  const [fact] = many();
  const merged = session.state.checkpoints.find((one) => one.age === 'merged');
  expect(fact).toMatchObject({ checkpoint: merged?.id, count: merged?.breadcrumbs });
  expect(merged?.breadcrumbs).toBeGreaterThan(50);
  const crumbs = session.breadcrumbs(merged!.id);
  expect(crumbs).toHaveLength(merged!.breadcrumbs);
  expect(new Set(crumbs.map(({ type, reference, hint }) => type + reference + hint)).size).toBe(
    crumbs.length,
  );
  await fill(session, () => session.state.compressions > 12);
  expect(many().length).toBeLessThan(8);
  for (const { breadcrumbs } of session.state.checkpoints)
    expect(breadcrumbs).toBeLessThanOrEqual(96);
  const before = session.breadcrumbs();
  await store.close();
  const again = await openOver(disk.mount());
  expect((await again.open('s')).breadcrumbs()).toEqual(before);
  expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
});

test('one checkpoint that lost more than fifty names says so at once', async () => {
  const { session, facts } = await open(64_000);
  await fill(session, () => session.state.compressions > 0);
  const created = facts.find(({ type }) => type === 'checkpoint.created');
  expect(facts.find(({ type }) => type === 'breadcrumbs.many')).toMatchObject({
    seq: created?.seq,
    checkpoint: 'c1',
  });
});

test('what people said that is out of view has a breadcrumb over its range, and its directives', async () => {
  const { session } = await open(2_000);
  for (let n = 0; n < 60; n += 1)
    await session.append([
      { role: 'user', content: `Never rename part ${n}. ${'Please look at it again. '.repeat(8)}` },
      { role: 'assistant', content: 'Done.' },
    ]);
  const crumbs = session.breadcrumbs();
  expect(crumbs).toContainEqual({
    type: 'action',
    reference: expect.stringMatching(/^e\d+–e\d+$/) as string,
    hint: expect.stringMatching(/^\d+ messages of people, out of view$/) as string,
    entries: [expect.stringMatching(/^e\d+$/), expect.stringMatching(/^e\d+$/)] as string[],
  });
  const directive = crumbs.find(({ hint }) => hint.includes('Never rename'));
  expect(directive?.type).toBe('decision');
  expect((await session.entry(directive!.reference)).content).toContain(directive!.hint);
});

test('what a checkpoint holds no longer when it ages has a breadcrumb that leads to where it stood', async () => {
  const { session, facts, disk } = await open(6_000);
  const aged = () => facts.filter((fact) => fact.type === 'checkpoint.aged');
  await fill(session, () => aged().length > 2, finding);
  // What it drops first has breadcrumbs since it left; findings are dropped later.
  const told = aged().find(({ age }) => age === 'ancient')!;
  const { seq, checkpoint } = told;
  const view = await session.at({ seq: seq - 1 });
  const before = view.state.checkpoints.find(({ id }) => id === checkpoint)!;
  expect(told).toMatchObject({ breadcrumbs: { count: expect.any(Number) as number } });
  const crumbs = session.breadcrumbs();
  const lost = crumbs.filter(({ hint }) => hint === 'in a checkpoint, before it was shortened');
  expect(lost.length).toBeGreaterThan(0);
  for (const { reference, entries } of lost) {
    expect(entries.length).toBeGreaterThan(0);
    const ends = await Promise.all(entries.map(async (id) => session.entry(id)));
    if (ends.length === 1) expect(JSON.stringify(ends[0])).toContain(reference);
  }
  expect(before.breadcrumbs).toBeLessThan(told.breadcrumbs!.count);
  expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
});
