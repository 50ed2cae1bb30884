import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { SimulatedClock } from 'xstate';
import { EngineError } from '../../../src/core/values/error.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { openStore, type Message, type Session, type SessionFact } from '../../../src/index.ts';
import { replayed } from '../replayed.ts';
import { scriptedSummarizer } from '../../../src/testing/scripted-summarizer.ts';
import { gate } from '../../gate.ts';
import { newFolder } from '../../store/folder.ts';
import { newDisk } from '../disk.ts';
import { isOver, quiet, until } from '../turn.ts';

const window = 4_000;
const hello: Message = { role: 'user', content: 'Hello' };
const code = (wanted: string) => expect.objectContaining({ code: wanted }) as Error;

const folder = await newFolder();

async function collect(facts: AsyncIterable<SessionFact>, count: number): Promise<SessionFact[]> {
  const found: SessionFact[] = [];
  if (count === 0) return found;
  for await (const fact of facts) if (found.push(fact) >= count) break;
  return found;
}

// One session, several handles.

test('two handles of one id are one session', async () => {
  const store = await openOver((await newDisk()).mount());
  const one = await store.open('s', { window });
  const two = await store.open('s');
  await one.append(hello);
  expect(two.state.entries).toBe(1);
  expect(two.state.seq).toBe(one.state.seq);
});

test('opening a new session twice at once makes it once', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const both = await Promise.all([store.open('s', { window }), store.open('s', { window })]);
  expect(both.map(({ state }) => state.seq)).toEqual([1, 1]);
  expect((await replayed(disk.mount(), 's')).records).toBe(1);
});

test('a closed handle refuses every call; another one of the session goes on', async () => {
  const store = await openOver((await newDisk()).mount());
  const one = await store.open('s', { window });
  const two = await store.open('s');
  await one.append(hello);
  await one.close();
  await one.close();
  for (const [name, call] of calls(one))
    await expect(call(), name).rejects.toThrow(code('SESSION_CLOSED'));
  await two.append(hello);
  expect(two.state.entries).toBe(2);
});

test('a closed store refuses every call and changes nothing in what is still held', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window });
  await session.append(hello);
  const before = JSON.stringify(session.state);
  await store.close();
  await store.close();
  for (const [name, call] of calls(session))
    await expect(call(), name).rejects.toThrow(code('STORE_CLOSED'));
  await expect(store.open('s')).rejects.toThrow(code('STORE_CLOSED'));
  await expect(collect(store.sessions() as never, 1)).rejects.toThrow(code('STORE_CLOSED'));
  expect(JSON.stringify(session.state)).toBe(before);
  await session.close();
});

/** Every call of a handle; those that answer at once reject, too. */
function calls(session: Session): [name: string, call: () => Promise<unknown>][] {
  const { frames, goal, recovery, snapshots } = session;
  const atOnce = {
    breadcrumbs: () => session.breadcrumbs(),
    events: () => collect(session.events(), 1),
    log: () => collect(session.log() as never, 1),
    on: () => session.on('*', () => undefined),
    tools: () => session.tools(),
    tree: () => frames.tree(),
    where: () => session.where('e1'),
    list: () => snapshots.list(),
  };
  const promised = {
    append: () => session.append(hello),
    assemble: () => session.assemble(),
    at: () => session.at({ seq: 1 }),
    compress: () => session.compress(),
    configure: () => session.configure({ trigger: 0.7 }),
    diff: () => session.diff({ seq: 1 }),
    document: () => session.document(),
    entry: () => session.entry('e1'),
    expand: () => session.expand('e1'),
    pop: () => session.pop({ status: 'completed' }),
    push: () => session.push({ title: 'Part' }),
    raise: () => session.raise('c1'),
    recall: () => session.recall('hello'),
    recover: () => session.recover(),
    redact: () => session.redact('e1'),
    redo: () => session.redo(),
    report: () => session.report({ window: 4_000 }),
    settled: () => session.settled(),
    steps: () => session.steps(),
    sync: () => session.sync([]),
    trace: () => session.trace({ text: 'hello' }),
    undo: () => session.undo(),
    writeDocument: () => session.writeDocument(),
  } satisfies Record<AnswerOf<Session>, () => Promise<unknown>>;
  const ofFrames = {
    plan: () => frames.plan({ title: 'Part' }),
    start: () => frames.start('f1'),
    edit: () => frames.edit('f1', { title: 'Part' }),
    invalidate: () => frames.invalidate('f1'),
    retry: () => frames.retry('f1'),
  } satisfies Record<AnswerOf<Session['frames']>, () => Promise<unknown>>;
  const ofGoal = {
    set: () => goal.set('Ship'),
    update: () => goal.update({ next: [] }),
    pause: () => goal.pause(),
    resume: () => goal.resume(),
    complete: () => goal.complete(),
  } satisfies Record<AnswerOf<Session['goal']>, () => Promise<unknown>>;
  const others = {
    confirm: () => recovery.confirm(),
    create: () => snapshots.create(),
    show: () => snapshots.show('s1'),
    restore: () => snapshots.restore('s1'),
    delete: () => snapshots.delete('s1'),
  } satisfies Record<
    AnswerOf<Session['recovery']> | AnswerOf<Session['snapshots']>,
    () => Promise<unknown>
  >;
  return [
    ...Object.entries(atOnce).map(([name, call]) => [name, async () => call()] as never),
    ...[promised, ofFrames, ofGoal, others].flatMap((group) => Object.entries(group)),
  ];
}

/** The calls of `Part` that answer with a promise; closing is no call on a closed handle. */
type AnswerOf<Part> = {
  [Name in keyof Part]: Part[Name] extends (...args: never) => infer Answer
    ? Answer extends Promise<unknown>
      ? Name extends 'close' | symbol
        ? never
        : Name
      : never
    : never;
}[keyof Part];

test('a session that is reopened while its last handle closes is not two sessions', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  for (let round = 0; round < 24; round += 1) {
    const first = await store.open('s', { window });
    const closing = first.close();
    for (let turn = 0; turn < round; turn += 1) await Promise.resolve();
    const second = await store.open('s');
    await closing;
    const third = await store.open('s');
    await Promise.all([second.append(hello), third.append(hello)]);
    expect(third.state.seq).toBe(second.state.seq);
    await Promise.all([second.close(), third.close()]);
  }
  await store.close();
  const { records, diverged } = await replayed(disk.mount(), 's');
  expect([records, diverged]).toEqual([49, null]);
});

test('a handle that is closed while it assembles writes nothing once the session was opened again', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const first = await store.open('s', { window, tokenizer: 'cl100k_base' });
  const assembling = first.assemble({ tools: [{ name: 'x' }] }).catch(() => undefined);
  await first.close();
  const second = await store.open('s');
  await Promise.all([assembling, second.append(hello)]);
  await store.close();
  expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
});

test('after a write that failed a session shows what is in the store, and refuses every call on it', async () => {
  const records = (await newDisk()).mount();
  const full = new EngineError('STORE_UNAVAILABLE', 'The disk is full', {
    detail: { location: 'disk' },
  });
  let isFull = false;
  const commit: typeof records.commit = (...given) =>
    isFull ? Promise.reject(full) : records.commit(...given);
  const session = await (await openOver({ ...records, commit })).open('s', { window });
  await session.append(hello);
  isFull = true;
  const lost = Array.from({ length: 30 }, () => ({
    role: 'assistant' as const,
    content: 'A long answer, word after word. '.repeat(40),
  }));
  const refused = code('STORE_UNAVAILABLE');
  await expect(session.append(lost)).rejects.toThrow(refused);
  expect(session.state).toMatchObject({ entries: 1, seq: 2 });
  expect(() => session.where('e2')).toThrow(code('ENTRY_NOT_FOUND'));
  isFull = false;
  await expect(session.assemble()).rejects.toThrow(refused);
  await expect(session.append(hello)).rejects.toThrow(refused);
  await expect(session.document()).rejects.toThrow(refused);
  expect((await session.entry('e1')).content).toBe('Hello');
  expect(session.state.entries).toBe(1);
  expect((await replayed(records, 's')).records).toBe(2);
});

test('what was on its way when a later write was refused at once is shown once it is in the store', async () => {
  const records = (await newDisk()).mount();
  const full = new EngineError('STORE_UNAVAILABLE', 'The disk is full', {
    detail: { location: 'disk' },
  });
  let left = Infinity;
  const commit: typeof records.commit = (...given) =>
    (left -= 1) < 0 ? Promise.reject(full) : records.commit(...given);
  const session = await (await openOver({ ...records, commit })).open('s', { window });
  left = 3;
  const appended = await Promise.allSettled([1, 2, 3, 4, 5].map(() => session.append(hello)));
  expect(appended.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(session.state).toMatchObject({ entries: 3, seq: 4 });
});

test('a session in a using block is closed at its end, and so is a store', async () => {
  const disk = await newDisk();
  let outer: Session;
  {
    await using store = await openOver(disk.mount());
    await using session = await store.open('s', { window });
    await session.append(hello);
    outer = session;
  }
  await expect(outer.append(hello)).rejects.toThrow(code('SESSION_CLOSED'));
  const again = await openOver(disk.mount());
  expect((await again.open('s')).state.entries).toBe(1);
});

test('a session closes though summaries are owed, and they go on', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const store = await openOver((await newDisk()).mount(), { clock: new SimulatedClock() });
  const session = await store.open('s', { window: 8_000, summarizer });
  await session.append(hello);
  await session.push({ title: 'Part' });
  await session.close();
  await until(() => summarizer.calls.length === 1);
  summarizer.calls[0]!.answer('A greeting');
  await quiet();
  expect((await store.open('s')).state.pending).toEqual([]);
});

// Aborting.

test('an append whose signal aborted before its turn appends nothing and rejects with the reason', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window });
  const reason = new Error('Changed my mind');
  await expect(session.append(hello, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const abort = new AbortController();
  const waiting = session.append(hello, { signal: abort.signal });
  abort.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(session.state.entries).toBe(0);
});

test('a wait for a summarizer that never answers ends with its signal, and the session goes on', async () => {
  await using store = await openOver((await newDisk()).mount());
  const summarizer = { name: 'silent', summarize: async () => new Promise<never>(() => undefined) };
  const session = await store.open('s', { window, summarizer });
  for (let n = 0; n < 12; n += 1)
    await session.append([hello, { role: 'assistant', content: `Hello ${n} `.repeat(60) }]);
  await expect(session.compress({ signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/);
  const abort = new AbortController();
  const waiting = session.settled({ signal: abort.signal });
  const reason = new Error('Enough');
  setTimeout(() => abort.abort(reason), 20);
  await expect(waiting).rejects.toBe(reason);
  expect(await session.append(hello)).toEqual({ id: 'e25' });
});

test('assemble, compress, settled, log and events reject with the reason of an aborted signal', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window });
  await session.append(hello);
  const { seq } = session.state;
  const reason = new Error('Changed my mind');
  const signal = AbortSignal.abort(reason);
  await expect(session.assemble({ signal })).rejects.toBe(reason);
  await expect(session.compress({ signal })).rejects.toBe(reason);
  await expect(session.settled({ signal })).rejects.toBe(reason);
  await expect(collect(session.log({ signal }) as never, 1)).rejects.toBe(reason);
  await expect(collect(session.events({ signal }), 1)).rejects.toBe(reason);
  expect(session.state.seq).toBe(seq);
});

test('events that are aborted while they catch up reject with the reason', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window });
  await session.append(hello);
  const abort = new AbortController();
  const reason = new Error('Changed my mind');
  const next = collect(session.events({ after: session.state.seq, signal: abort.signal }), 1);
  abort.abort(reason);
  const outcome = next.catch((error: unknown) => error);
  expect(await isOver(outcome)).toBe(true);
  expect(await outcome).toBe(reason);
});

test('a log is read after and before entries only; any other id is refused', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window });
  await session.append([hello, hello, hello]);
  const ids: string[] = [];
  for await (const { id } of session.log({ after: 'e1', before: 'e9' })) ids.push(id);
  expect(ids).toEqual(['e2', 'e3']);
  for (const id of ['foo', 'f1', 'e0', 'e01', ''])
    for (const range of [{ after: id }, { before: id }])
      expect(() => session.log(range), id).toThrow(code('ENTRY_NOT_FOUND'));
});

test('a log stops in the middle when its signal aborts', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window });
  await session.append(Array.from({ length: 50 }, () => hello));
  const abort = new AbortController();
  const ids: string[] = [];
  const reading = (async () => {
    for await (const { id } of session.log({ signal: abort.signal })) {
      ids.push(id);
      if (ids.length === 20) abort.abort(new Error('Enough'));
    }
  })();
  await expect(reading).rejects.toThrow('Enough');
  expect(ids).toHaveLength(20);
});

// Facts.

test('events replay, then follow, without a gap or a repeat, whenever one begins', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window: 1_500 });
  const heard: SessionFact[] = [];
  session.on('*', (fact) => heard.push(fact));
  const followers: Promise<SessionFact[]>[] = [];
  const abort = new AbortController();
  const follow = async (after: number): Promise<SessionFact[]> => {
    const found: SessionFact[] = [];
    try {
      for await (const fact of session.events({ after, signal: abort.signal })) found.push(fact);
    } catch {
      return found;
    }
    throw new Error('Events ended before they were aborted');
  };
  for (let n = 0; n < 30; n += 1) {
    const work = [session.append({ role: 'assistant', content: 'word '.repeat(60) })];
    if (n % 3 === 0) followers.push(follow(n % 2 === 0 ? 0 : session.state.seq - 1));
    if (n % 7 === 3) work.push(session.push({ title: `Part ${n}` }));
    if (n % 7 === 5) work.push(session.pop({ status: 'completed' }));
    await Promise.all(work);
  }
  await quiet();
  abort.abort();
  const all = heard.filter(({ seq }) => seq > 1);
  for (const found of await Promise.all(followers)) {
    const from = found[0]!.seq;
    const both = found.filter(({ seq }) => seq > 1);
    expect(both).toEqual(all.filter(({ seq }) => seq >= from));
  }
});

test('a fact is told when it is durable and not before', async () => {
  const disk = await newDisk();
  const records = disk.mount();
  const held = gate();
  let gated = false;
  const slow = {
    ...records,
    commit: async (changes: Parameters<typeof records.commit>[0]) => {
      if (gated) await held.passed;
      await records.commit(changes);
    },
  };
  const store = await openOver(slow);
  const session = await store.open('s', { window });
  const heard: string[] = [];
  session.on('entry.appended', ({ entry }) => heard.push(entry));
  gated = true;
  const appending = session.append(hello);
  expect(await isOver(appending)).toBe(false);
  expect(heard).toEqual([]);
  held.open();
  await appending;
  expect(heard).toEqual(['e1']);
});

test('a fact that the journal showed already is not told again when it is durable', async () => {
  const records = (await newDisk()).mount();
  const held = gate();
  let gated = false;
  const slow = {
    ...records,
    commit: async (changes: Parameters<typeof records.commit>[0]) => {
      await records.commit(changes);
      if (gated) await held.passed;
    },
  };
  const store = await openOver(slow);
  const session = await store.open('s', { window });
  gated = true;
  const appending = session.append(hello);
  await quiet();
  const found: string[] = [];
  const following = (async () => {
    for await (const { type } of session.events({ after: 1 })) found.push(type);
  })();
  await quiet();
  held.open();
  await appending;
  await quiet();
  await session.close();
  await following;
  expect(found).toEqual(['entry.appended']);
});

test('events end with their handle and with the store', async () => {
  const store = await openOver((await newDisk()).mount());
  const one = await store.open('s', { window });
  const two = await store.open('s');
  const ends = [one, two].map((session) => collect(session.events(), Infinity));
  await one.append(hello);
  await one.close();
  expect(await isOver(ends[0]!)).toBe(true);
  expect(await isOver(ends[1]!)).toBe(false);
  await store.close();
  expect((await ends[1])!.map(({ type }) => type)).toEqual(
    (await ends[0])!.map(({ type }) => type),
  );
});

test('a listener that throws harms nobody else', async () => {
  const thrown: unknown[] = [];
  const micro = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((run) => {
    Promise.resolve()
      .then(run)
      .catch((error: unknown) => thrown.push(error));
  });
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window });
  const heard: string[] = [];
  session.on('*', () => {
    throw new Error('A bug of the host');
  });
  session.on('*', ({ type }) => heard.push(type));
  await session.append(hello);
  await session.push({ title: 'Part' });
  await session.settled();
  micro.mockRestore();
  expect(heard).toContain('frame.pushed');
  expect(thrown.length).toBeGreaterThan(0);
});

test('a listener that was taken off hears nothing more', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window });
  const heard: string[] = [];
  const off = session.on('entry.appended', ({ entry }) => heard.push(entry));
  await session.append(hello);
  off();
  await session.append(hello);
  expect(heard).toEqual(['e1']);
});

// Limits and neighbors.

test('above maxQueued a call is BUSY and may be tried again; those before it are done', async () => {
  const store = await openOver((await newDisk()).mount(), { maxQueued: 3 });
  const session = await store.open('s', { window });
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => session.append(hello)));
  expect(all.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect((all[4] as PromiseRejectedResult).reason).toMatchObject({ code: 'BUSY', retryable: true });
  await session.append(hello);
  expect(session.state.entries).toBe(4);
});

test('closing and settling are never BUSY, and a full queue is finished first', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount(), { maxQueued: 2 });
  const session = await store.open('s', { window });
  const appends = [session.append(hello), session.append(hello)];
  const settled = session.settled();
  const closed = store.close();
  await Promise.all([...appends, settled, closed]);
  expect((await replayed(disk.mount(), 's')).records).toBe(3);
});

test('a store that another process has open is refused, and can be opened once it is gone', async () => {
  const location = join(folder, 'taken');
  await (await openStore(location)).close();
  const level = import.meta.resolve('level');
  const script = `import { Level } from '${level}';
    await new Level(process.argv[1]).open();
    console.log('open');
    process.stdin.resume().on('end', () => process.exit());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, location]);
  await once(child.stdout, 'data');
  await expect(openStore(location)).rejects.toMatchObject({
    code: 'STORE_IN_USE',
    retryable: true,
  });
  child.stdin.end();
  await once(child, 'exit');
  await (await openStore(location)).close();
});

test('a store that this process has open is refused a second time, with its own pid', async () => {
  const location = join(folder, 'twice');
  await using _ = await openStore(location);
  await expect(openStore(location)).rejects.toMatchObject({
    code: 'STORE_IN_USE',
    detail: { pid: process.pid },
  });
});

// Reopening with other options.

test('options given on reopening win, and the others stay', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  await (await store.open('s', { window: 8_000, system: 'Be careful', reserve: 500 })).close();
  const same = await store.open('s');
  expect(same.state.seq).toBe(1);
  await same.close();
  const smaller = await store.open('s', { window: 2_000 });
  expect(smaller.state.budget).toMatchObject({ window: 2_000, reserve: 300 });
  expect((await smaller.assemble()).messages[0]).toMatchObject({ content: 'Be careful' });
});

test('a session goes on in a smaller and in a larger window', async () => {
  const store = await openOver((await newDisk()).mount());
  let session = await store.open('s', { window: 8_000 });
  for (let n = 0; n < 40; n += 1)
    await session.append([hello, { role: 'assistant', content: `word${n} `.repeat(60) }]);
  for (const next of [2_000, 1_000, 16_000]) {
    await session.close();
    session = await store.open('s', { window: next });
    const { budget } = await session.assemble();
    expect(budget.total).toBeLessThanOrEqual(budget.limit);
    expect(budget.window).toBe(next);
    await session.append(hello);
  }
});

test('what cannot be opened is refused, by code, and leaves nothing behind', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  await (await store.open('s', { window })).close();
  const refused: [string, string, Parameters<typeof store.open>[1]][] = [
    ['SESSION_ID_INVALID', 'a:b', { window }],
    ['WINDOW_REQUIRED', 'new', {}],
    ['WINDOW_TOO_SMALL', 'new', { window: 10 }],
    ['OPTION_INVALID', 'new', { window, trigger: 2 }],
    ['OPTION_INVALID', 's', { reserve: -1 }],
    ['SYSTEM_TOO_LARGE', 'new', { window: 1_000, system: 'word '.repeat(900) }],
    ['TOKENIZER_UNKNOWN', 'new', { window, tokenizer: 'abacus' }],
    ['TOKENIZER_MISMATCH', 's', { tokenizer: 'cl100k_base' }],
    ['SUMMARIZER_MISSING', 's', { summarizer: 'nobody' }],
  ];
  disk.reset();
  for (const [wanted, id, options] of refused)
    await expect(store.open(id, options), wanted).rejects.toThrow(code(wanted));
  expect(disk.commits).toBe(0);
  expect((await store.open('s')).state.seq).toBe(1);
});

test('one session that cannot be read does not keep the store from opening', async () => {
  const disk = await newDisk();
  const records = disk.mount();
  await records.commit([
    { type: 'put', kind: 'journal', key: 'bad:000000000002', value: { seq: 2, facts: [] } },
    { type: 'put', kind: 'outbox', key: 'bad:2/f0', value: 'effect' },
  ]);
  const store = await openOver(records);
  expect((await store.open('good', { window })).state.seq).toBe(1);
  await expect(store.open('bad')).rejects.toThrow(code('SEQUENCE_GAP'));
});
