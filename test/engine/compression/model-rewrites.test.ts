import { expect, test, vi } from 'vitest';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { replayed } from '../replayed.ts';
import {
  openStore,
  type Session,
  type SessionFact,
  type Summarizer,
  type SummaryTask,
} from '../../../src/index.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { prose } from '../../../src/testing/made-text.ts';
import { newDisk } from '../disk.ts';

// What a model makes of checkpoints that grew older.

interface Stage extends AsyncDisposable {
  readonly session: Session;
  readonly facts: SessionFact[];
  readonly tasks: SummaryTask[];
}

/** Sentences of what is to be summarized, each as a line. */
const linesOf = ({ entries }: SummaryTask): readonly string[] =>
  entries
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => textOf(content).split(/(?<=\.) /))
    .map((line) => `- ${line}`);

const summary = (task: SummaryTask): string =>
  `Findings and decisions:\n${linesOf(task).slice(0, 12).join('\n')}`;

async function stage(
  answer: (task: SummaryTask) => string | Promise<string>,
  options: { aging?: 'model'; window?: number } = { aging: 'model' },
): Promise<Stage> {
  const tasks: SummaryTask[] = [];
  const summarizer: Summarizer = {
    name: 'model',
    async summarize(task) {
      tasks.push(task);
      return task.purpose === 'checkpoint' ? summary(task) : answer(task);
    },
  };
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 4_000, summarizer, ...options });
  const facts: SessionFact[] = [];
  session.on('*', (fact) => void facts.push(fact));
  return { session, facts, tasks, [Symbol.asyncDispose]: () => store.close() };
}

/** Talks until there were so many more compressions, and nothing is owed. */
async function compressed(session: Session, times: number): Promise<void> {
  const wanted = session.state.compressions + times;
  for (let n = 0; session.state.compressions < wanted; n += 1) {
    await session.append([
      { role: 'user', content: `Step ${n}` },
      { role: 'assistant', content: prose(220, n) },
    ]);
    await session.settled();
  }
}

const rewritten = (facts: readonly SessionFact[]): readonly SessionFact[] =>
  facts.filter(({ type }) => type === 'checkpoint.rewritten');

test('an aged checkpoint is summarized again from its entries, and shown at the next epoch', async () => {
  await using stage_ = await stage(({ purpose }) => `${purpose}: said shorter (e2, e4)`);
  const { session, facts, tasks } = stage_;
  await compressed(session, 2);
  const task = tasks.find(({ purpose }) => purpose === 'age')!;
  expect(task.entries).toEqual(tasks[0]!.entries);
  expect(rewritten(facts)).toMatchObject([
    { checkpoint: 'c1', rewrite: { age: 'old', by: 'model' } },
  ]);
  const { epoch } = session.state;
  const before = await session.assemble();
  expect(JSON.stringify(before.messages)).not.toContain('said shorter');
  await compressed(session, 1);
  expect(session.state.epoch).toBeGreaterThan(epoch);
  const [first] = session.state.checkpoints;
  expect(first).toMatchObject({ id: 'c1', age: 'ancient', by: 'model' });
  const after = await session.assemble();
  expect(JSON.stringify(after.messages)).toContain('age: said shorter');
});

test('two that become one are made of their lines, and no model is asked', async () => {
  await using stage_ = await stage(({ entries }) => `- from ${entries[0]!.id}`, {
    aging: 'model',
    window: 10_000,
  });
  const { session, facts, tasks } = stage_;
  await compressed(session, 6);
  const merged = facts.find((fact) => fact.type === 'checkpoint.merged')!;
  expect(merged.type === 'checkpoint.merged' && merged.into.from).toBe(
    tasks[0]!.entries.find(({ role }) => role === 'assistant')!.id,
  );
  const aged = tasks.filter(({ purpose }) => purpose === 'age');
  const said = ({ entries }: SummaryTask) => entries.filter(({ role }) => role === 'assistant');
  const ranges = tasks.filter(({ purpose }) => purpose === 'checkpoint').map(said);
  expect(aged.length).toBeGreaterThan(3);
  for (const task of aged) expect(ranges).toContainEqual(said(task));
});

test.each([
  ['empty', () => ' '],
  ['the same over and over', () => 'again and again '.repeat(30)],
  ['an error', () => Promise.reject(new Error('no model'))],
])('a version that is %s is dropped', async (_, answer) => {
  await using stage_ = await stage(answer);
  const { session, facts } = stage_;
  await compressed(session, 4);
  expect(rewritten(facts)).toEqual([]);
  expect(session.state.pending).toEqual([]);
  expect(session.state.checkpoints.length).toBeGreaterThan(2);
});

test('of a version that is longer than what is shown the first lines stay', async () => {
  await using stage_ = await stage(
    (task) => `- First of all.\n${linesOf(task).join('\n')}\n- Last of all.`,
  );
  const { session, facts } = stage_;
  await compressed(session, 3);
  expect(rewritten(facts).length).toBeGreaterThan(0);
  const { messages } = await session.assemble();
  expect(JSON.stringify(messages)).toContain('- First of all.');
});

test("of a model's lines the first outlive every age", async () => {
  const store = await openStore(':memory:');
  let made = 0;
  const summarizer: Summarizer = {
    name: 'model',
    async summarize(task) {
      made += 1;
      return [`- best of ${made}`, ...linesOf(task)].join('\n');
    },
  };
  const session = await store.open('s', { window: 10_000, summarizer });
  await compressed(session, 5);
  const { messages } = await session.assemble();
  const shown = JSON.stringify(messages);
  expect(session.state.checkpoints.map(({ age }) => age)).toContain('merged');
  for (let n = 1; n <= 5; n += 1) expect(shown).toContain(`best of ${n}`);
  await store.close();
});

test('no model is asked unless told: lines are dropped', async () => {
  await using stage_ = await stage(() => 'short', {});
  await compressed(stage_.session, 4);
  expect(new Set(stage_.tasks.map(({ purpose }) => purpose))).toEqual(new Set(['checkpoint']));
});

test('what is asked for the checkpoints of a frame is given up with it', async () => {
  const waits = new Promise<string>(() => undefined);
  await using stage_ = await stage(() => waits);
  const { session } = stage_;
  await session.push({ title: 'Child' });
  const isAsked = (of: string): boolean =>
    session.state.pending.some(({ purpose }) => purpose === of);
  for (let n = 0; !isAsked('age'); n += 1) {
    await session.append([
      { role: 'user', content: `Step ${n}` },
      { role: 'assistant', content: prose(220, n) },
    ]);
    await vi.waitUntil(() => !isAsked('checkpoint'));
  }
  expect(session.state.pending.map(({ purpose }) => purpose)).toContain('age');
  await session.pop({ status: 'completed', results: 'done' });
  expect(session.state.pending).toEqual([]);
});

test('what the model leaves out of an aged checkpoint has a breadcrumb once its version is shown', async () => {
  const disk = await newDisk();
  let made = 0;
  const nouns = ['Cache', 'Guard', 'Query', 'Parser', 'Index', 'Ledger', 'Window', 'Socket'];
  const names = (of: number): string =>
    nouns
      .map((noun) => `- src/${['frame', 'token', 'build'][of % 3]}${noun}.ts holds it`)
      .join('\n');
  const summarizer: Summarizer = {
    name: 'model',
    async summarize({ purpose }) {
      return purpose === 'checkpoint'
        ? `Findings:\n${names((made += 1))}`
        : 'It was said (e2, e4).';
    },
  };
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window: 4_000, summarizer, aging: 'model' });
  const facts: SessionFact[] = [];
  session.on('*', (fact) => void facts.push(fact));
  const byModel = () => facts.find((one) => one.type === 'checkpoint.aged' && one.by === 'model');
  for (let n = 0; byModel() === undefined && n < 9; n += 1) await compressed(session, 1);
  const past = await session.at({ seq: byModel()!.seq - 1 });
  const { messages } = await past.assemble();
  const shown = messages.filter(({ section }) => section === 'checkpoints');
  const held = JSON.stringify(shown).match(/src\/token[A-Z]\w+\.ts/g)!;
  expect(held.length).toBeGreaterThan(4);
  const led = session.breadcrumbs().map(({ reference }) => reference);
  expect(led).toEqual(expect.arrayContaining(held));
  expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
  await store.close();
});

test("a model's lines of entries in which nothing else is found stand in the turn of these", async () => {
  const summarizer: Summarizer = {
    name: 'model',
    summarize: async ({ entries }) => `- The pool holds nine (${entries.at(-1)!.id})`,
  };
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 4_000, summarizer });
  await session.append({ role: 'user', content: 'Read all of the pool' });
  for (let n = 0; session.state.compressions < 2; n += 1) {
    const id = `call-${n}`;
    const call = { id, name: 'read', arguments: { path: `src/pool/part-${n}.ts` } };
    await session.append([
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', toolCallId: id, content: 'const nine = 9;\n'.repeat(60) },
    ]);
    await session.settled();
  }
  const shown = JSON.stringify((await session.assemble()).messages);
  expect(shown.match(/The pool holds nine/g)?.length).toBeGreaterThan(1);
  expect(shown).not.toContain('At first:');
  await store.close();
});
