import { SimulatedClock } from 'xstate';
import { expect, test, vi } from 'vitest';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { mostInspections, newStoreInspector } from '../../../src/engine/open/store-inspector.ts';
import { toStanding } from '../../../src/engine/time-travel/inspect-again.ts';
import { journalKey } from '../../../src/store/key.ts';
import type { RecordStore } from '../../../src/store/store.ts';
import { EngineError, openStore, type Inspection, type Session } from '../../../src/index.ts';
import { newDisk } from '../disk.ts';
import { quiet } from '../turn.ts';

const user = (content: string) => ({ role: 'user', content }) as const;

async function stored(session: Session, options = {}): Promise<Inspection[]> {
  const told: Inspection[] = [];
  for await (const one of session.inspect({ live: false, ...options })) told.push(one);
  return told;
}

/** An inspection on a line: `notes/f1  frame.start  planned → in_progress`. */
const line = ({ seq, actor, event, from, value }: Inspection): string =>
  `${seq} ${actor} ${event.type} ${from ?? ''} → ${value}`;

test('frames, cascaded ones too, are told by the events of their machine', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', { window: 4_096 });
  const { id } = await session.push({ title: 'Parser' });
  await session.frames.plan({ title: 'Lexer' });
  await session.push({ title: 'Grammar' });
  await session.frames.invalidate(id, 'not needed');
  expect((await stored(session)).map(line)).toEqual([
    '1 notes init  → open',
    '1 notes/f0 init  → planned',
    '1 notes/f0 frame.start planned → in_progress',
    '2 notes push open → open',
    '2 notes/f1 init  → planned',
    '2 notes/f1 frame.start planned → in_progress',
    '3 notes plan open → open',
    '3 notes/f2 init  → planned',
    '4 notes push open → open',
    '4 notes/f3 init  → planned',
    '4 notes/f3 frame.start planned → in_progress',
    '5 notes invalidate open → open',
    '5 notes/f1 frame.invalidate in_progress → invalidated',
    '5 notes/f3 frame.invalidate in_progress → invalidated',
    '5 notes/f2 frame.invalidate planned → invalidated',
  ]);
});

test('a compression is told port by port, with what it asks and emits', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', { window: 4_096 });
  await session.append([user('Build it'), { role: 'assistant', content: 'word '.repeat(900) }]);
  await session.append({ role: 'assistant', content: 'more '.repeat(900) });
  await session.compress();
  const told = (await stored(session)).filter(({ machine }) => machine === 'compression');
  expect(told.map(line).map((one) => one.replace(/^\d+ notes\/f0\/compression /, ''))).toEqual([
    'init  → idle',
    'compression.request idle → measuring',
    'done(measure) measuring → summarizing',
    'done(summarize) summarizing → aging',
    'done(commit) aging → idle',
  ]);
  expect(told.map(({ asked, emitted, status }) => [asked, emitted, status])).toEqual([
    [undefined, undefined, 'active'],
    [['measure'], undefined, 'active'],
    [['summarize'], ['compression.started'], 'active'],
    [['commit'], undefined, 'active'],
    [undefined, ['compression.finished'], 'done'],
  ]);
  expect(told[2]).toMatchObject({
    parent: 'notes/f0',
    event: { due: expect.any(Boolean), working: expect.any(Number) },
    context: {
      from: 'e2',
      entries: expect.any(Number),
      tokens: expect.any(Number),
      by: 'summarizer',
    },
  });
});

test('a refused step is not told', async () => {
  const told: Inspection[] = [];
  await using store = await openStore(':memory:', { inspect: (one) => told.push(one) });
  const session = await store.open('notes', { window: 4_096 });
  await expect(session.frames.start('f7')).rejects.toMatchObject({ code: 'FRAME_NOT_FOUND' });
  await expect(session.pop({ status: 'blocked' })).rejects.toMatchObject({ code: 'FRAME_STATUS' });
  await quiet();
  expect(told.map(({ seq }) => seq)).toEqual([1, 1, 1]);
});

test('texts are told to those who ask for them only', async () => {
  const told: Inspection[][] = [[], []];
  for (const [at, inspectText] of [false, true].entries()) {
    await using store = await openStore(':memory:', {
      inspect: (one) => told[at]!.push(one),
      inspectText,
    });
    const session = await store.open('notes', { window: 4_096, title: 'secret0' });
    await session.append(user('secret1'));
    await session.push({ title: 'secret2', criteria: 'secret3' });
    await session.goal.set('secret4');
    await session.pop({ status: 'failed', results: 'secret5' });
    await session.snapshots.create('secret6');
    await session.recover();
    await quiet();
    expect(await stored(session, { text: inspectText })).toEqual(told[at]);
  }
  const texts = told.map((all) => JSON.stringify(all));
  expect(texts[0]).not.toContain('secret');
  for (const n of [0, 1, 2, 3, 4, 5, 6]) expect(texts[1]).toContain(`secret${n}`);
});

test('an inspector that throws ends nothing, and is a warning once', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  let calls = 0;
  const inspect = (): never => {
    calls += 1;
    throw new Error('broken inspector');
  };
  await using store = await openStore(':memory:', { inspect });
  const session = await store.open('notes', { window: 4_096 });
  await session.append([user('a'), user('b')]);
  await session.push({ title: 'Parser' });
  await quiet();
  expect(calls).toBe(7);
  expect(warn.mock.calls).toEqual([['An inspector of the store threw: Error: broken inspector']]);
  warn.mockRestore();
});

test('an inspector that is too slow keeps nothing waiting; what is dropped is counted', async () => {
  await using store = await openOver((await newDisk()).mount());
  const session = await store.open('notes', { window: 4_096 });
  const step = toStanding((await store.live('notes')).state);
  const told: Inspection[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const inspector = newStoreInspector((one) => (told.push(one), held), {
    text: false,
    clock: new SimulatedClock(),
  });
  for (let seq = 1; seq <= mostInspections; seq += 1) inspector.tell({ ...step, seq });
  await quiet();
  expect(told.length).toBe(1);
  release();
  await inspector.settled();
  const dropped = told.pop()!;
  expect(dropped).toMatchObject({
    actor: session.id,
    seq: mostInspections,
    n: -1,
    event: { type: 'dropped', count: mostInspections },
    from: 'open',
    value: 'open',
  });
  expect(told.length).toBe(mostInspections);
  inspector.tell({ ...step, seq: mostInspections + 1 });
  await inspector.settled();
  expect(told.slice(mostInspections).map(({ event }) => event.type)).toEqual(['init', 'init']);
});

test('a store that is closed tells what waits', async () => {
  const told: Inspection[] = [];
  const store = await openStore(':memory:', { inspect: (one) => told.push(one) });
  const session = await store.open('notes', { window: 4_096 });
  await session.append(user('a'));
  await store.close();
  expect(told.length).toBe(4);
});

test('a session that is read in is told with all that there is in it', async () => {
  const disk = await newDisk();
  const first = await openOver(disk.mount(), { clock: new SimulatedClock() });
  const session = await first.open('notes', { window: 4_096 });
  await session.push({ title: 'Parser' });
  await first.close();
  const told: Inspection[] = [];
  const second = await openOver(disk.mount(), { inspect: (one) => told.push(one) });
  await second.open('notes');
  await quiet();
  expect(told.map(line)).toEqual([
    '2 notes init  → open',
    '2 notes/f0 init  → in_progress',
    '2 notes/f1 init  → in_progress',
  ]);
  await second.close();
});

test('a stream goes on with what comes, and its reader may be slow', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', { window: 8_192 });
  await session.append(user('before'));
  const end = new AbortController();
  const read: Inspection[] = [];
  const reading = (async () => {
    for await (const one of session.inspect({ signal: end.signal })) {
      read.push(one);
      if (read.length % 100 === 0) await quiet(1);
    }
  })();
  await session.goal.set('x');
  for (let n = 0; n < 1_500; n += 1) void session.append(user(`m${n}`));
  await session.append(user('last'));
  await quiet(200);
  expect(read).toEqual(await stored(session));
  end.abort();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

test('what was said before a redaction is told by its facts', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', { window: 4_096 });
  await session.append([user('Build it'), { role: 'assistant', content: 'word '.repeat(900) }]);
  await session.append({ role: 'assistant', content: 'more '.repeat(900) });
  await session.push({ title: 'Parser' });
  await session.compress();
  const before = await stored(session);
  await session.redact('e2');
  await session.append(user('on'));
  const after = await stored(session);
  const isTold = ({ machine, seq }: Inspection): boolean =>
    machine !== 'compression' && seq <= before.at(-1)!.seq;
  expect(after.filter(isTold)).toEqual(before.filter(isTold));
  expect(after.at(-1)).toMatchObject({ event: { type: 'append', entries: 1 } });
});

test('a recovery is told live as it is told later, whatever a person answers', async () => {
  const told: Inspection[] = [];
  await using store = await openStore(':memory:', { inspect: (one) => told.push(one) });
  const session = await store.open('notes', { window: 4_096, recovery: 'confirm' });
  await session.goal.set('Build a parser');
  await session.append([user('Build it'), { role: 'assistant', content: 'Wrote src/a.ts.' }]);
  await session.recover();
  await session.recovery.confirm(false);
  await session.recovery.confirm('We were at the lexer.');
  await session.recover();
  await session.undo();
  await quiet();
  expect(told).toEqual(await stored(session));
  const moves = told.filter(({ machine }) => machine === 'recovery').map(({ value }) => value);
  expect(moves.slice(0, 9)).toEqual([
    'watching',
    'suspecting',
    'announcing',
    'reading',
    'rebuilding',
    'confirming',
    'recap',
    'resuming',
    'watching',
  ]);
});

test('a step that is not written is not told', async () => {
  const told: Inspection[] = [];
  let isFull = false;
  const rows = (await newDisk()).mount();
  const records = Object.assign(Object.create(rows) as typeof rows, {
    commit: (...given: Parameters<typeof rows.commit>) =>
      isFull ? Promise.reject(new Error('full')) : rows.commit(...given),
  });
  const store = await openOver(records, { inspect: (one) => told.push(one) });
  const session = await store.open('notes', { window: 4_096 });
  isFull = true;
  await expect(session.append(user('lost'))).rejects.toThrow('full');
  await quiet();
  expect(told.map(({ seq }) => seq)).toEqual([1, 1, 1]);
  await store.close();
});

test('what another program wrote is told when it is seen, before what follows', async () => {
  const disk = await newDisk();
  /** Rows that refuse what is decided on an old state. */
  const mount = (): RecordStore => {
    const rows = disk.mount();
    const commit: RecordStore['commit'] = async (changes, options) => {
      const { session, seq } = options!.expect!;
      if ((await rows.get('journal', journalKey(session, seq + 1))) === undefined)
        return rows.commit(changes);
      throw new EngineError('CONFLICT', 'Others were faster', {
        detail: { session, seq },
        retryable: true,
      });
    };
    return Object.assign(Object.create(rows) as RecordStore, { commit });
  };
  const told: Inspection[] = [];
  const one = await openOver(mount(), { inspect: (inspection) => told.push(inspection) });
  const session = await one.open('notes', { window: 4_096 });
  const other = await openOver(mount());
  const theirs = await other.open('notes');
  await theirs.append([user('Build it'), { role: 'assistant', content: 'word '.repeat(900) }]);
  await theirs.append({ role: 'assistant', content: 'more '.repeat(900) });
  await theirs.compress();
  await session.push({ title: 'Parser' });
  await quiet();
  expect(told).toEqual(await stored(session));
  expect(told.map(({ machine }) => machine)).toContain('compression');
  await one.close();
  await other.close();
});

test('there is nothing after a step that there is not', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', { window: 4_096 });
  await expect(stored(session, { after: 9 })).rejects.toMatchObject({ code: 'MOMENT_NOT_FOUND' });
  expect((await stored(session, { after: 1 })).map(line)).toEqual([
    '1 notes init  → open',
    '1 notes/f0 init  → in_progress',
  ]);
});
