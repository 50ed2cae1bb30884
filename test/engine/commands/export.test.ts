import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { memorySource } from '../../../src/import/source/source.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { openStore, type Message, type Session, type Store } from '../../../src/index.ts';
import type { ScriptLine } from '../../../src/core/formats/session-script.ts';
import type { RecordStore as Records } from '../../../src/store/store.ts';
import { newDisk } from '../disk.ts';

const person = (content: string): Message => ({ role: 'user', content });
const model = (content: string): Message => ({ role: 'assistant', content });
const talk = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, n) => [person(`Step ${n}`), model(`Done ${n}.`)]).flat();

async function linesOf(session: Session): Promise<ScriptLine[]> {
  const lines: ScriptLine[] = [];
  for await (const line of session.export()) lines.push(line);
  return lines;
}
const asText = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const scriptOf = async (session: Session): Promise<string> => asText(await linesOf(session));

async function working(session: Session): Promise<unknown[]> {
  const { messages } = await session.assemble();
  return messages.filter(({ entry }) => entry !== undefined).map(({ content }) => content);
}

const placesOf = (session: Session): string[] =>
  Array.from({ length: session.state.entries }, (_, n) => session.where(`e${n + 1}`).place);

/** The session as an import into an empty store makes it, once it is sure that it exports the same. */
async function elsewhere(session: Session): Promise<{ store: Store; session: Session }> {
  const store = await openStore(':memory:');
  const script = await scriptOf(session);
  const { appended, skipped } = await store.import(memorySource(script));
  expect([appended, skipped]).toEqual([session.state.entries, []]);
  const copy = await store.open(session.id);
  expect(await scriptOf(copy)).toBe(script);
  expect((await store.import(memorySource(script))).appended).toBe(0);
  expect(await scriptOf(copy)).toBe(script);
  return { store, session: copy };
}

async function sameView(session: Session): Promise<void> {
  const { store, session: copy } = await elsewhere(session);
  expect(await working(copy)).toEqual(await working(session));
  expect(placesOf(copy)).toEqual(placesOf(session));
  await store.close();
}

const other = person('Take another way here.');

test('a branch that a host left stays out of view where its script is imported, and in the log', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await session.sync([...talk(3), person('Use the zebrafish parser.')]);
  const branch = [...talk(3).slice(0, 4), other, model('Gladly.')];
  await session.sync(branch);
  await sameView(session);
  const copy = await elsewhere(session);
  expect(await working(copy.session)).toEqual(branch.map(({ content }) => content));
  const hits = await copy.session.recall('zebrafish');
  expect(hits.map(({ entry }) => entry)).toEqual(['e7']);
  const on = [...branch, person('On.')];
  expect(await copy.session.sync(on)).toMatchObject({ relation: 'append', appended: ['e10'] });
  await copy.store.close();
});

test('so does one that a host, a snapshot or an undo went back from', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  const old = talk(3);
  await session.sync(old.slice(0, 4));
  const snapshot = await session.snapshots.create('old');
  await session.sync(old);
  const branch = [...old.slice(0, 2), other, model('[GOAL] Other')];
  await session.sync(branch);
  await sameView(session);
  await session.snapshots.restore(snapshot.id);
  await sameView(session);
  await session.undo();
  await sameView(session);
  await session.sync([...old, person('On we go.')]);
  await sameView(session);
});

test('a call that is open where a branch was left takes its result on the other one, imported too', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  const call: Message = {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c1', name: 'bash', arguments: {} }],
  };
  const result: Message = { role: 'tool', toolCallId: 'c1', content: 'ok' };
  await session.sync([person('Go'), call, result, model('Done')]);
  await session.sync([person('Go'), call]);
  expect(session.where('e3').place).toBe('left');
  await session.sync([person('Go'), call, { ...result, content: 'failed' }]);
  await sameView(session);
});

test('a script whose steps were undone adds nothing to its session; one that went on adds what is new', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append(person('Begin'));
  await session.push({ title: 'Parser' });
  await session.append([model('one'), model('two')]);
  const lines = await linesOf(session);
  await session.undo();
  const { seq } = session.state;
  expect(await store.import(memorySource(asText(lines)))).toMatchObject({
    appended: 0,
    skipped: [{ line: 3, reason: 'the session went on without it' }],
  });
  expect(session.state.seq).toBe(seq);
  const more = [...lines, { type: 'append', message: model('three'), at: 5 }];
  expect(await store.import(memorySource(asText(more)))).toMatchObject({ appended: 1 });
  expect(session.state.entries).toBe(4);
  expect((await session.entry('e4')).content).toBe('three');
});

test('a script that says something else than the session went on with is refused, and changes nothing', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append(person('Begin'));
  await session.push({ title: 'Parser' });
  await session.append(model('one'));
  const lines = await linesOf(session);
  await session.undo();
  await session.append(model('another'));
  const { seq } = session.state;
  const more = asText([...lines, { type: 'append', message: model('two'), at: 5 }]);
  await expect(store.import(memorySource(more))).rejects.toMatchObject({
    code: 'IMPORT_DIVERGED',
    detail: { session: 's', line: 5 },
  });
  await session.push({ title: 'Lexer' });
  const longer = asText([...lines, { type: 'append', message: model('another'), at: 9 }]);
  await expect(store.import(memorySource(longer))).rejects.toMatchObject({
    code: 'IMPORT_DIVERGED',
  });
  expect(session.state.seq).toBe(seq + 1);
  expect(await store.import(memorySource(more), { id: 'copy' })).toMatchObject({ appended: 3 });
});

test('an import that went wrong between a branch and leaving it is mended by the next', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await session.sync(talk(2));
  await session.sync([...talk(1), other]);
  const lines = await linesOf(session);
  await using copies = await openStore(':memory:');
  const stop = new AbortController();
  const source = memorySource(asText(lines));
  await copies
    .import(source, {
      signal: stop.signal,
      onProgress: ({ appended }) => void (appended === 4 && stop.abort()),
    })
    .catch(() => undefined);
  const copy = await copies.open('s');
  expect(placesOf(copy)).toEqual(Array.from({ length: 4 }, () => 'verbatim'));
  expect(await copies.import(source)).toMatchObject({ appended: 1, skipped: [] });
  expect(placesOf(copy)).toEqual(placesOf(session));
  expect(await scriptOf(copy)).toBe(asText(lines));
});

test('the first line has the model, who serves it, how often it was compressed and its tokens', async () => {
  await using store = await openStore(':memory:');
  const named = { model: 'llama3.2:3b', provider: 'ollama' };
  const session = await store.open('s', { window: 2_000, ...named });
  for (let n = 0; session.state.compressions === 0; n += 1)
    await session.append({ role: 'assistant', content: `step ${n} `.repeat(80) });
  expect((await linesOf(session))[0]).toMatchObject({
    ...named,
    compressions: 1,
    tokens: session.state.tokens,
  });
  const copy = await elsewhere(session);
  expect((await linesOf(copy.session))[0]).toMatchObject(named);
  await copy.store.close();
  await session.configure({ model: 'other' });
  const [head] = await linesOf(session);
  expect(head).toMatchObject({ model: 'other' });
  expect(head).not.toHaveProperty('provider');
});

test('each block of a frame keeps its own reason', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  const { id } = await session.push({ title: 'Parser' });
  for (const results of ['Alice is away', 'Bob is away']) {
    await session.pop({ status: 'blocked', results, decisions: [results] });
    await session.frames.start(id);
  }
  const pops = (await linesOf(session)).filter((line) => line.type === 'pop');
  expect(pops.map(({ results }) => results)).toEqual(['Alice is away', 'Bob is away']);
  expect(pops.map(({ decisions }) => decisions)).toEqual([['Alice is away'], ['Bob is away']]);
  await elsewhere(session);
});

test('a session without a step is imported as one', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000, system: 'Be brief.', title: 'Empty' });
  const copy = await elsewhere(session);
  expect(copy.session.frames.tree().title).toBe('Empty');
  await copy.store.close();
  const future = asText([{ type: 'flamestack', version: 2, id: 'x' }]);
  await expect(store.import(memorySource(future))).rejects.toMatchObject({ code: 'IMPORT_EMPTY' });
});

test('however an import ends, it leaves no row iterator open', async () => {
  const records = (await newDisk()).mount();
  let open = 0;
  const counted: Records = {
    ...records,
    async *range(kind, range) {
      open += 1;
      try {
        yield* records.range(kind, range);
      } finally {
        open -= 1;
      }
    },
  };
  await using store = await openOver(counted, { clock: new SimulatedClock() });
  const session = await store.open('s', { window: 8_000 });
  await session.append(talk(3));
  const lines = await linesOf(session);
  const before = open;
  await store.import(memorySource(asText(lines.slice(0, 3))));
  expect(open).toBe(before);
  const stop = new AbortController();
  const { signal } = stop;
  const onProgress = (): void => stop.abort();
  await store.import(memorySource(asText(lines)), { signal, onProgress }).catch(() => undefined);
  expect(open).toBe(before);
  const thrown = store.import(memorySource(asText(lines)), {
    onProgress: ({ line }) => {
      if (line === 3) throw new Error('no more');
    },
  });
  await expect(thrown).rejects.toThrow('no more');
  expect(open).toBe(before);
});

test('what was said while the end of a session was undone stands before that end, where it is taken again', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await session.append(person('Begin.'));
  await session.pop({ status: 'completed', results: 'It is built.' });
  await session.undo();
  await session.append(model('One more word.'));
  await session.redo();
  expect((await linesOf(session)).slice(1).map(({ type }) => type)).toEqual([
    'append',
    'append',
    'pop',
  ]);
  const { store: copies, session: copy } = await elsewhere(session);
  expect(copy.frames.tree()).toMatchObject({ status: 'completed' });
  await copies.close();
});

test('a script finds its messages where they came back into view, or left it, and adds nothing behind them', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await session.append(person('Begin.'));
  const { id } = await session.snapshots.create();
  await session.append(person('Take the short way.'));
  const inView = await linesOf(session);
  await session.snapshots.restore(id);
  const out = await linesOf(session);
  expect([inView, out].map((lines) => lines.at(-1)!.type)).toEqual(['append', 'left']);
  const more = { type: 'append', message: model('And on.'), at: 0 };
  expect(await store.import(memorySource(asText(inView)))).toMatchObject({ appended: 0 });
  await expect(store.import(memorySource(asText([...inView, more])))).rejects.toMatchObject({
    code: 'IMPORT_DIVERGED',
  });
  await session.undo();
  expect(await store.import(memorySource(asText(out)))).toMatchObject({ appended: 0 });
  expect(session.state.entries).toBe(2);
});
