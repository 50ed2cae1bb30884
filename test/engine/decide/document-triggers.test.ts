import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { replayed } from '../replayed.ts';
import {
  parseDocuments,
  type CheckpointDocument,
  type Message,
  type Session,
  type SessionFact,
  type SessionOptions,
} from '../../../src/index.ts';
import { newLocation } from '../../store/folder.ts';
import { newDisk, type Disk } from '../disk.ts';

// What makes a document due, each in every way there is, and that one step
// writes one document however many of them meet in it.

interface Stage {
  readonly disk: Disk;
  readonly folder: string;
  readonly session: Session;
  readonly facts: SessionFact[];
  /** The documents so far, and that the journal decides on the same again. */
  documents(): Promise<readonly CheckpointDocument[]>;
  reasons(): Promise<readonly string[]>;
  close(): Promise<void>;
}

async function stage(
  options: Partial<SessionOptions> = {},
  given: { disk?: Disk; folder?: string; documents?: boolean } = {},
): Promise<Stage> {
  const { disk = await newDisk(), folder = await newLocation(), documents = true } = given;
  const clock = new SimulatedClock();
  const store = await openOver(disk.mount(), { clock, documents: documents && folder });
  const session = await store.open('s', { window: 16_000, ...options });
  const facts: SessionFact[] = [];
  session.on('*', (fact) => facts.push(fact));
  const found = async (): Promise<readonly CheckpointDocument[]> => {
    await session.settled();
    expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
    return parseDocuments(await readFile(join(folder, '1970-01-01.md'), 'utf8').catch(() => ''));
  };
  return {
    disk,
    folder,
    session,
    facts,
    documents: found,
    reasons: async () => (await found()).map(({ reason }) => reason),
    close: () => store.close(),
  };
}

const user = (content: string): Message => ({ role: 'user', content });
const says = (content: string): Message => ({ role: 'assistant', content });
const runs = (command: string): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ name: 'bash', arguments: { command } }],
});
/** So many messages of about 100 tokens each. */
const talk = (count: number): Message[] =>
  Array.from({ length: count }, (_, n) =>
    says(`I decided to keep src/step${n}.ts. ${'It is read by the checker. '.repeat(14)}`),
  );

test('frames are noted however they are entered and left', async () => {
  const { session, reasons } = await stage();
  await session.push({ title: 'A' });
  await session.pop({ status: 'failed', results: 'no' });
  const a = session.frames.tree().children[0]!;
  await session.frames.retry(a.id);
  await session.frames.invalidate(session.state.active, 'not needed');
  const { id } = await session.frames.plan({ title: 'B' });
  await session.frames.start(id);
  await session.pop({ status: 'blocked', results: 'waits' });
  expect(await reasons()).toEqual(['push', 'pop', 'push', 'pop', 'push', 'pop']);
});

test('a destructive call in the tenth turn with a locked decision is one document', async () => {
  const { session, documents } = await stage();
  for (let turn = 1; turn < 10; turn += 1) await session.append(user(`Turn ${turn}`));
  await session.append([
    user('Turn 10'),
    says('[GOAL] Ship it\n[DECISION] Tabs - LOCKED'),
    runs('rm -rf build'),
  ]);
  const [found, ...rest] = await documents();
  expect(rest).toEqual([]);
  expect(found).toMatchObject({ reason: 'destructive', messages: 12, goal: 'Ship it' });
  expect(found?.decisions).toEqual([{ text: 'Tabs', done: true }]);
});

test('a decision locked in the tenth turn is one document, and so is half of the window', async () => {
  const { session, reasons } = await stage({ window: 4_000 });
  for (let turn = 1; turn < 10; turn += 1) await session.append(user(`Turn ${turn}`));
  await session.append([...talk(20), user('Turn 10')]);
  expect(await reasons()).toEqual(['half']);
  await session.append(says('[GOAL] Ship it\n[DECISION] Tabs - LOCKED'));
  expect(await reasons()).toEqual(['half', 'decision']);
});

test('what passes half and the trigger at once is a pre-truncation summary alone', async () => {
  const { session, documents } = await stage({ window: 4_000 });
  await session.append([user('Look at it'), ...talk(30), runs('rm -rf build')]);
  expect(session.state.compressions).toBe(1);
  const [found, ...rest] = await documents();
  expect(rest).toEqual([]);
  expect(found).toMatchObject({ reason: 'truncation', note: 'This is a pre-truncation summary.' });
  expect(new Set(found?.decisions.map(({ kind }) => kind))).toEqual(new Set(['noted']));
  expect(found?.status).toContain('Waiting for the results of: bash');
});

test.each(['compress', 'rollover', 'ladder'] as const)(
  'the trigger writes one with strategy %s, of what is still there',
  async (strategy) => {
    const { session, documents } = await stage({ window: 4_000, strategy });
    await session.append([user('Look at it'), ...talk(30)]);
    const found = await documents();
    expect(found.map(({ reason }) => reason)).toEqual(['truncation']);
    expect(found[0]?.decisions).not.toEqual([]);
  },
);

test('where nobody compresses, the trigger writes one when it is reached', async () => {
  const { session, facts, reasons } = await stage({ window: 4_000, compression: 'manual' });
  await session.append([user('Look at it'), ...talk(20)]);
  for (const message of talk(10)) await session.append(message);
  expect(session.state.compressions).toBe(0);
  expect(await reasons()).toEqual(['half', 'truncation']);
  await session.compress();
  expect(facts.filter(({ type }) => type === 'compression.started')).toHaveLength(1);
  expect(await reasons()).toEqual(['half', 'truncation', 'truncation']);
});

test('a compression by command writes one of what was there before it', async () => {
  const { session, documents } = await stage();
  await session.append([user('Look at it'), ...talk(30), user('Go on'), ...talk(30)]);
  const before = parseDocuments(await session.document())[0]!;
  await session.compress();
  expect(session.state.compressions).toBe(1);
  const [first, second, ...rest] = await documents();
  expect(rest).toEqual([]);
  expect(first).toMatchObject({ reason: 'exchanges', messages: 62, actions: before.actions });
  expect(second).toMatchObject({ reason: 'truncation', note: 'This is a pre-truncation summary.' });
});

test('a window that becomes smaller passes half or the trigger, too', async () => {
  const { session, reasons } = await stage();
  await session.append([user('Look at it'), ...talk(18)]);
  expect(await reasons()).toEqual([]);
  await session.configure({ window: 4_000 });
  expect(await reasons()).toEqual(['half']);
  await session.append(talk(2));
  await session.configure({ window: 2_400 });
  expect(await reasons()).toEqual(['half', 'truncation']);
});

test('tools that take half of what was available count', async () => {
  const { session, reasons } = await stage();
  await session.append([user('Look at it'), ...talk(30)]);
  await session.assemble({ tools: [{ name: 'read', description: 'word '.repeat(9_000) }] });
  expect(await reasons()).toEqual(['exchanges']);
  await session.append(talk(8));
  await session.assemble({ tools: [] });
  await session.assemble({ tools: [{ name: 'read', description: 'word '.repeat(9_000) }] });
  expect(await reasons()).toEqual(['exchanges', 'half']);
});

test('a store without the folder notes nothing, whatever its first step is', async () => {
  const first = await stage();
  await first.session.append([user('Look at it'), ...talk(30)]);
  await first.session.writeDocument();
  await first.close();
  const { disk, folder } = first;
  const second = await stage({}, { disk, folder, documents: false });
  await second.session.configure({ window: 4_000 });
  expect(second.session.state.compressions).toBe(1);
  expect(second.facts.filter(({ type }) => type === 'document.requested')).toEqual([]);
  expect(await second.reasons()).toEqual(['exchanges', 'command']);
});
