import { expect, test } from 'vitest';
import { assign, setup } from 'xstate';
import { factNames } from '../../../src/core/state/evolve.ts';
import type { State } from '../../../src/core/state/state.ts';
import { foldRecord } from '../../../src/engine/journal/fold.ts';
import { load, readJournal } from '../../../src/engine/journal/load.ts';
import { encodeState } from '../../../src/engine/journal/state-codec.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { replayed } from '../replayed.ts';
import { durable, openStore, type Message, type Session } from '../../../src/index.ts';
import { openMemoryStore } from '../../../src/store/level/level-store.ts';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import { recountOut } from '../../../src/testing/laws/recount.ts';
import { newFolder, newLocation } from '../../store/folder.ts';
import { placesOf, secret } from '../../store/secret.ts';

const options = { window: 2_000 } as const;

/** Says the password among other things, compresses, and makes all that is derived. */
async function fill(session: Session, password: string, turns = 40): Promise<string> {
  await session.append({ role: 'user', content: 'Build the deploy script.' });
  const { id } = await session.append({
    role: 'user',
    content: `Never print the password ${password} in src/${password}.ts. The host is db.example.`,
  });
  await session.goal.set(`Deploy with ${password}`);
  for (let n = 0; n < turns; n += 1)
    await session.append([
      { role: 'user', content: `Do step ${n} of the deploy.` },
      {
        role: 'assistant',
        content: `Working on step ${n}. ${'It says much. '.repeat(20)}`,
        toolCalls: [{ id: `c${n}`, name: 'read', arguments: { path: `src/part${n}.ts` } }],
      },
      { role: 'tool', toolCallId: `c${n}`, content: `Error: part ${n} is missing` },
    ]);
  await session.push({ title: 'A part', criteria: `${password} is gone` });
  await session.pop({ status: 'completed', results: `It was ${password}.` });
  await session.snapshots.create(`before ${password}`);
  return id;
}

async function all<T>(of: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of of) list.push(one);
  return list;
}

test('no byte of it is left, and its place stays', async () => {
  const location = await newLocation();
  const documents = await newFolder();
  const password = secret('a', 1);
  const store = await openStore(location, { documents });
  const session = await store.open('notes', options);
  const id = await fill(session, password);
  await session.writeDocument();
  await session.settled();
  expect((await session.recall(password)).length).toBeGreaterThan(0);
  expect(await placesOf(location, [password])).not.toEqual([]);
  expect(await placesOf(documents, [password])).not.toEqual([]);
  const before = await session.entry(id);
  const { epoch } = session.state;
  const redaction = await session.redact(id);
  expect(redaction).toMatchObject({ entry: 'e2', mayStillTell: [] });
  expect(redaction.masked).toBeGreaterThan(5);
  expect(redaction.documents.length).toBeGreaterThan(0);
  expect(redaction.left.map(({ kind }) => kind)).toEqual(['backup', 'session']);
  expect(await placesOf(location, [password])).toEqual([]);
  expect(await placesOf(documents, [password])).toEqual([]);
  expect(session.state.epoch).toBeGreaterThan(epoch);
  const { count } = await loadTokenizer('o200k_base');
  for (const message of (await session.assemble()).messages)
    expect(message.tokens).toBe(recountOut(message, { count, afresh: true }));
  const { content, tokens, ...rest } = await session.entry(id);
  expect(content).toBe('[redacted]');
  expect({ ...rest, content: before.content, tokens: before.tokens }).toEqual(before);
  expect(tokens).toBeLessThan(before.tokens);
  await store.close();
  expect(await placesOf(location, [password])).toEqual([]);
});

test('what is shown, found, exported and gone back to says nothing of it, before and after reopening', async () => {
  const location = await newLocation();
  const password = secret('b', 1);
  let store = await openStore(location);
  let session = await store.open('notes', options);
  const id = await fill(session, password);
  await session.redact(id);
  for (const isReopened of [false, true]) {
    if (isReopened) {
      await store.close();
      store = await openStore(location);
      session = await store.open('notes');
    }
    const shown = JSON.stringify([
      await session.assemble(),
      await session.expand(id),
      await all(session.log()),
      await all(session.export()),
      await session.recall(`${password} password`),
      session.state,
      session.frames.tree(),
      await (await session.at({ entry: id })).assemble(),
      await session.document(),
    ]);
    expect(shown).not.toContain(password);
    expect(shown).toContain('[redacted]');
    expect(session.where(id)).toBeDefined();
  }
  await session.undo();
  await session.undo();
  expect(JSON.stringify([await session.assemble(), session.state])).not.toContain(password);
  await store.close();
});

test('a second time nothing is changed, and an id of none is refused', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', options);
  const { id } = await session.append({ role: 'user', content: `It is ${secret('c', 1)}.` });
  await expect(session.redact('e9')).rejects.toMatchObject({ code: 'ENTRY_NOT_FOUND' });
  const first = await session.redact(id);
  const { seq } = session.state;
  expect(await session.redact(id)).toEqual({ ...first, wasRedacted: true, masked: 0 });
  expect(session.state.seq).toBe(seq);
  expect(session.state.epoch).toBe(1);
  expect((await session.assemble()).messages.at(-1)).toMatchObject({ content: '[redacted]' });
});

test('a list of a host still matches', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', options);
  const history: Message[] = [
    { role: 'user', content: `The key is ${secret('d', 1)}. ${'It is long. '.repeat(20)}` },
    { role: 'assistant', content: 'Noted.' },
    { role: 'user', content: 'Go on.' },
  ];
  await session.sync(history);
  await session.redact('e1');
  const next: Message = { role: 'assistant', content: 'Done.' };
  expect(await session.sync([...history, next])).toMatchObject({
    relation: 'append',
    appended: ['e4'],
    lost: [],
  });
  // Looked at anew, not only behind where it was compared last.
  expect(await session.sync([...history.slice(0, 2), next])).toMatchObject({ lost: ['e3'] });
});

test('units stay whole: a call that is redacted takes its result, and a late one', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', options);
  const word = secret('e', 1);
  await session.append([
    { role: 'user', content: 'Read it.' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c1', name: 'read', arguments: { path: word } }],
    },
  ]);
  await session.redact('e2');
  await session.append({ role: 'tool', toolCallId: 'c1', content: 'here' });
  const { messages } = await session.assemble();
  expect(messages.slice(-2)).toMatchObject([
    { role: 'assistant', toolCalls: [{ id: 'c1', name: 'read', arguments: {} }] },
    { role: 'tool', toolCallId: 'c1', content: 'here' },
  ]);
});

test('names what a model, a host and other entries may tell of it', async () => {
  const word = secret('f', 1);
  const paraphrase = {
    name: 'own',
    summarize: async () => '- The thing that is not to be said was said.',
  };
  await using store = await openStore(':memory:', { summarizers: [paraphrase] });
  const session = await store.open('notes', { window: 2_000, summarizer: 'own' });
  await session.append({ role: 'user', content: 'Begin.' });
  await session.push({ title: 'A part' });
  await session.append([
    { role: 'assistant', content: `The word is ${word}. ${'It says much. '.repeat(30)}` },
    { role: 'assistant', content: `I wrote ${word} down.` },
  ]);
  for (let n = 0; n < 12; n += 1)
    await session.append({
      role: 'assistant',
      content: `Step ${n}. ${'It says much. '.repeat(40)}`,
    });
  await session.settled();
  const [checkpoint] = session.state.checkpoints;
  await session.pop({ status: 'completed', results: 'It went well.' });
  const { mayStillTell } = await session.redact('e2');
  expect(mayStillTell).toEqual(expect.arrayContaining(['e3', checkpoint!.id, 'f1']));
  expect((await session.entry('e3')).content).toContain(word);
});

test('words that the engine tells things apart by are never masked', async () => {
  const records = await openMemoryStore();
  const store = await openOver(records);
  const session = await store.open('notes', { ...options, system: 'You are careful.' });
  const names = [
    ...factNames,
    'careful user assistant tool whole short cleared stray person machine',
    'completed failed blocked planned in_progress invalidated recent old ancient merged checkpoint',
    'partial results age said asked list read done changed failed high medium low active paused',
    'created modified embedded host undo redo restore fork compressing open recovering host line',
    'f0 f1 e1 e2 c1 t1 s1 notes 1 2 3 17',
    ...Array.from({ length: 200 }, (_, n) => String(n)),
  ];
  await session.append({ role: 'assistant', content: names.join(' ') });
  const id = await fill(session, secret('g', 1));
  await session.redact('e1');
  await session.redact(id);
  expect(session.breadcrumbs().length).toBeGreaterThan(0);
  const loaded = await load(records, 'notes');
  let folded: State | null = null;
  for await (const record of readJournal(records, 'notes', 0)) folded = foldRecord(folded, record);
  expect(JSON.stringify(encodeState(folded!))).toBe(JSON.stringify(encodeState(loaded!.state)));
  expect(loaded!.state.options.system).toBe('You are careful.');
  expect((await replayed(records, 'notes')).diverged).toBeNull();
  await session.append({ role: 'user', content: 'Go on.' });
  await session.compress();
  await session.undo();
  await session.assemble();
  await store.close();
});

test('a session beside it that says the same keeps its words', async () => {
  const location = await newLocation();
  const store = await openStore(location);
  const [one, other] = [await store.open('one', options), await store.open('other', options)];
  for (const session of [one, other])
    await session.append({ role: 'user', content: `It is ${secret('h', 1)}.` });
  await one.redact('e1');
  expect((await other.entry('e1')).content).toContain(secret('h', 1));
  const places = await placesOf(location, [secret('h', 1)]);
  expect(places.filter((place) => place.includes('one'))).toEqual([]);
  await store.close();
});

test('copies of the state and the index are rid of it, and the index is made again', async () => {
  const location = await newLocation();
  const word = secret('i', 1);
  const store = await openStore(location, { durability: 'process' });
  const session = await store.open('notes', { window: 200_000 });
  await session.append({ role: 'user', content: `Begin with ${word}.` });
  await session.push({ title: `Part ${word}`, criteria: `It is ${word}.` });
  await session.goal.set(`Find ${word}`);
  for (let n = 0; n < 22; n += 1)
    await session.append(
      Array.from({ length: 100 }, (_, m) => ({
        role: 'assistant' as const,
        content: `Step number${n * 100 + m}.`,
      })),
    );
  expect((await session.recall(word)).map(({ entry }) => entry)).toContain('e1');
  const kinds = (places: readonly string[]): Set<string | undefined> =>
    new Set(places.map((place) => /(?:ldb|log) ([a-z]+) /.exec(place)?.[1]));
  const before = kinds(await placesOf(location, [word]));
  for (const kind of ['journal', 'state', 'chunk', 'entry', 'search'])
    expect(before).toContain(kind);
  await session.redact('e1');
  expect(await placesOf(location, [word])).toEqual([]);
  expect(await session.recall(word)).toEqual([]);
  const [hit] = await session.recall('number1500');
  expect(hit).toMatchObject({ entry: 'e1502' });
  const [check] = await all(store.verify());
  expect(check).toMatchObject({ isSound: true });
  await store.close();
}, 60_000);

test('what is gone back to costs what stands in it', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', { window: 4_000 });
  await session.append({ role: 'user', content: 'Begin.' });
  await session.append({
    role: 'assistant',
    content: `It is ${secret('j', 1)}. ${'It says much. '.repeat(60)}`,
  });
  const { id } = await session.snapshots.create();
  await session.redact('e2');
  await session.append({ role: 'user', content: 'Go on.' });
  await session.snapshots.restore(id);
  const { messages } = await session.assemble();
  const { tokens } = await session.entry('e2');
  expect(messages.find(({ entry }) => entry === 'e2')).toMatchObject({
    content: '[redacted]',
    tokens,
  });
});

test('what a system prompt says, too, stays, and that is told', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', {
    window: 8_192,
    system: 'Be brief. The key of the door is kx-4711-blue.',
  });
  await session.append({
    role: 'user',
    content: 'The door has kx-4711-blue, the safe kx-9000-red.',
  });
  const { left, mayStillTell } = await session.redact('e1');
  expect(left.map(({ kind }) => kind)).toEqual(['prompt', 'document', 'backup', 'session']);
  expect(mayStillTell).toEqual([]);
  const other = await store.open('t', { window: 8_192, system: 'Be brief.' });
  await other.append({ role: 'user', content: 'The door has kx-4711-blue.' });
  expect((await other.redact('e1')).left.map(({ kind }) => kind)).not.toContain('prompt');
});

test('a durable machine that says it is named, in JSON of its own, too', async () => {
  const password = secret('m', 1);
  await using store = await openStore(':memory:');
  const session = await store.open('notes', options);
  const { id } = await session.append({ role: 'user', content: `It is ${password}.` });
  const machine = setup({
    types: {
      context: {} as { said: string },
      events: {} as { type: 'say'; said: string },
    },
  }).createMachine({
    id: 'm',
    context: { said: '' },
    on: { say: { actions: assign({ said: ({ event }) => event.said }) } },
  });
  const sayings = { plain: password, json: JSON.stringify({ it: `"${password}"` }), none: 'x' };
  for (const [name, said] of Object.entries(sayings)) {
    const one = await durable(machine, { host: store, id: name, ports: {} });
    await one.send({ type: 'say', said });
    await one.close();
  }
  const { left } = await session.redact(id);
  const named = left.filter(({ kind }) => kind === 'machine').map(({ text }) => text);
  expect(named.map((text) => /"(.*?)"/.exec(text)![1])).toEqual(['json', 'plain']);
});
