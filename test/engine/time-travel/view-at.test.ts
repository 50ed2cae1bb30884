import { expect, test } from 'vitest';
import type { Assembly, Message, Session } from '../../../src/index.ts';
import { openOver, openStore } from '../../../src/engine/open/open-store.ts';
import { newDisk } from '../disk.ts';

const person = (content: string): Message => ({ role: 'user', content });
const model = (content: string): Message => ({ role: 'assistant', content });
const words = (count: number, at: number): string =>
  Array.from({ length: count }, (_, n) => `w${(at * 31 + n * 7) % 997}`).join(' ');

/** What the model saw before each answer of a session with some compressions, by sequence number. */
async function talk(session: Session, turns: number): Promise<Map<number, Assembly>> {
  const seen = new Map<number, Assembly>();
  for (let turn = 1; turn <= turns; turn += 1) {
    await session.append(person(`Do part ${turn}. ${words(30, turn)}`));
    const assembly = await session.assemble();
    seen.set(session.state.seq, assembly);
    await session.append(model(`Did part ${turn}. ${words(90, turn)}`), { assembly: assembly.id });
  }
  return seen;
}

test('an old moment shows, byte for byte, what was assembled then', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 1_500, reserve: 0 });
  const seen = await talk(session, 40);
  expect(session.state.compressions).toBeGreaterThan(1);
  const before = session.state;
  for (const [seq, assembly] of seen) {
    const view = await session.at({ seq });
    expect(await view.assemble()).toEqual(assembly);
    expect(view.seen).toBe('sent');
    expect(view.state.budget).toEqual(assembly.budget);
  }
  expect(session.state).toEqual(before);
});

test('a moment is found by turn, call, entry and time', async () => {
  let now = 1_000;
  const clock = { now: () => now, setTimeout, clearTimeout } as never;
  await using store = await openStore(':memory:', { clock });
  const session = await store.open('s', { window: 4_000 });
  for (let turn = 1; turn <= 5; turn += 1) {
    now += 100;
    await session.append(person(`Part ${turn}`));
    await session.append({
      role: 'assistant',
      content: '',
      toolCalls: [{ id: `c${turn}`, name: 'bash', arguments: {} }],
    });
    await session.append({ role: 'tool', toolCallId: `c${turn}`, content: 'ok' });
    await session.append(model('Done'));
  }
  expect((await session.at({ turn: 3 })).state).toMatchObject({ turn: 3, entries: 11 });
  expect((await session.at({ turn: 3, call: 1 })).state).toMatchObject({ turn: 3, entries: 9 });
  expect((await session.at({ entry: 'e6' })).state).toMatchObject({ turn: 2, entries: 6 });
  expect((await session.at({ time: 1_350 })).state).toMatchObject({ turn: 3, entries: 12 });
  expect((await session.at({ seq: 1 })).state.entries).toBe(0);
  expect((await session.at({ turn: 3 })).seen).toBe('derived');
  const view = await session.at({ entry: 'e6' });
  expect(view.where('e2').place).toBe('verbatim');
  expect(() => view.where('e7')).toThrow(/e7/);
  for (const moment of [
    { turn: 9 },
    { turn: 2, call: 3 },
    { seq: 99 },
    { entry: 'e99' },
    { time: 9 },
  ])
    await expect(session.at(moment)).rejects.toMatchObject({ code: 'MOMENT_NOT_FOUND' });
  await expect(session.at({ turn: 9 })).rejects.toThrow('no turn 9; its last is 5');
  await expect(session.at({ turn: 2, call: 3 })).rejects.toThrow('no call 3 in turn 2');
  await expect(session.at({ time: 9 })).rejects.toThrow(/it began at 1970-01-01T00:00:01/);
});

test('what names no moment, snapshot or checkpoint is refused with what is taken', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  const { seq } = session.state;
  const odd = [5, null, undefined, 'e1', {}, { call: 1 }, { seq: 1, turn: 1 }, { seq: 1, call: 2 }];
  const bad = [{ turn: 'one' }, { turn: 1.5 }, { seq: Number.NaN }, { entry: 7 }, { time: '2026' }];
  for (const moment of [...odd, ...bad] as never[]) {
    await expect(session.at(moment)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    await expect(session.diff(moment)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  }
  const nothing = undefined as never;
  const refused = { code: 'OPTION_INVALID' };
  await expect(session.snapshots.create(5 as never)).rejects.toMatchObject(refused);
  await expect(session.snapshots.show(nothing)).rejects.toMatchObject(refused);
  await expect(session.snapshots.restore(nothing)).rejects.toMatchObject(refused);
  await expect(session.snapshots.delete(nothing)).rejects.toMatchObject(refused);
  await expect(session.raise(nothing)).rejects.toMatchObject(refused);
  expect(session.state.seq).toBe(seq);
});

test('what was not verbatim in the window is listed in ranges, each with what covers it', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 1_500, reserve: 0 });
  await talk(session, 30);
  const view = await session.at({ turn: 30 });
  const gaps = view.missing();
  expect(gaps.map(({ place }) => place)).toContain('checkpoint');
  const hidden = gaps.reduce((sum, { entries }) => sum + entries, 0);
  const { messages } = await view.assemble();
  const whole = messages.flatMap(({ kind, entry, entries = [] }) =>
    kind === 'entry' ? entry! : entries,
  );
  const shown = whole.length;
  expect(hidden + shown).toBe(view.state.entries);
  expect((await session.at({ seq: 3 })).missing()).toEqual([]);
});

test('an old moment shows even what does not fit, and counts the tools it had', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 1_500, reserve: 0, compression: 'manual' });
  await session.append(person('Build it'));
  await session.assemble({ tools: [{ name: 'bash', about: words(40, 1) }] });
  const { tools } = session.state.budget;
  for (let n = 0; n < 8; n += 1) await session.append(model(words(150, n)));
  await expect(session.assemble()).rejects.toMatchObject({ code: 'CONTEXT_OVERFLOW' });
  const view = await session.at({ seq: session.state.seq });
  expect(view.state.budget.tools).toBe(tools);
  expect((await view.assemble()).messages).toHaveLength(9);
  expect(view.state.budget.total).toBeGreaterThan(view.state.budget.limit);
});

test('an old moment is the same after reopening, whether a copy is near or not', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window: 1_500, reserve: 0 });
  const seen = await talk(session, 250);
  await store.close();
  const again = await openOver(disk.mount());
  const reopened = await again.open('s');
  let copies = 0;
  for await (const _ of disk.mount().range('state', {})) copies += 1;
  expect(copies).toBeGreaterThan(0);
  for (const [seq, assembly] of [...seen].filter((_, index) => index % 31 === 0))
    expect(await (await reopened.at({ seq })).assemble()).toEqual(assembly);
  await again.close();
});

test('a time means what was said by then, by the times that entries tell, and what was decided by then', async () => {
  let now = 10_000;
  const clock = { now: () => now, setTimeout, clearTimeout } as never;
  await using store = await openStore(':memory:', { clock });
  const session = await store.open('s', { window: 4_000 });
  const times = [1_000, 2_000, 1_500, 3_000, 12_000];
  for (const [index, at] of times.entries()) await session.append(person(`Part ${index}`), { at });
  const entriesAt = async (time: number) => (await session.at({ time })).state.entries;
  expect(await Promise.all([1_000, 1_999, 2_000, 2_999, 3_000, 11_000].map(entriesAt))).toEqual([
    1, 3, 3, 3, 4, 4,
  ]);
  await expect(session.at({ time: 999 })).rejects.toThrow(/it began at 1970-01-01T00:00:01/);
  now = 13_000;
  await session.push({ title: 'Later' });
  now = 14_000;
  await session.push({ title: 'Last' });
  const activeAt = async (time: number) => (await session.at({ time })).state.active;
  expect(await Promise.all([12_999, 13_000, 14_000].map(activeAt))).toEqual(['f0', 'f1', 'f2']);
});
