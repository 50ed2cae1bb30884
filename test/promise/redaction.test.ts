import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import type { State } from '../../src/core/state/state.ts';
import { foldRecord } from '../../src/engine/journal/fold.ts';
import { load, readJournal } from '../../src/engine/journal/load.ts';
import { encodeState } from '../../src/engine/journal/state-codec.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { replayed } from '../engine/replayed.ts';
import {
  isEngineError,
  type Message,
  type Session,
  type SessionOptions,
  type Summarizer,
} from '../../src/index.ts';
import { openLevelStore } from '../../src/store/level/level-store.ts';
import { openStoreOver } from '../../src/store/format.ts';
import { kinds, type RecordStore } from '../../src/store/store.ts';
import { act, script, type Step } from '../engine/script.ts';
import { revive, type Fault, type FaultyLevel, type Write } from '../store/faulty-level.ts';
import { copyOf, newFolder, newLocation } from '../store/folder.ts';
import { placesOf, secret } from '../store/secret.ts';

/** Where a secret is said, and what is made of it by hand. */
interface Plan {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly where: 'token' | 'sentence' | 'file' | 'arguments' | 'person';
  readonly seed: number;
  readonly repeats: readonly ('goal' | 'frame' | 'snapshot' | 'focus' | 'document')[];
  readonly summarizer: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  steps: script(24, 8),
  at: fc.nat({ max: 12 }),
  where: fc.constantFrom('token', 'sentence', 'file', 'arguments', 'person'),
  seed: fc.nat(),
  repeats: fc.uniqueArray(fc.constantFrom('goal', 'frame', 'snapshot', 'focus', 'document')),
  summarizer: fc.boolean(),
});

/** What must be nowhere: words of the secret of a plan. */
function wordsOf({ where, seed }: Plan): readonly string[] {
  const one = secret('property', seed);
  if (where === 'sentence' || where === 'person')
    return [`Tr0ub4dor&${one.slice(2, 9)}`, 'correct-horse-battery'];
  return where === 'file' ? [0, 1, 2].map((n) => secret(`line ${n}`, seed)) : [one];
}

function messagesOf(plan: Plan): readonly Message[] {
  const words = wordsOf(plan);
  const call = { id: 'plant', name: 'read', arguments: { path: 'src/part1.ts' } };
  switch (plan.where) {
    case 'token':
      return [{ role: 'assistant', content: `The token is ${words[0]}.`, thinking: words[0] }];
    case 'sentence':
      return [
        { role: 'assistant', content: `The password of w12 is ${words.join(' or ')}, I decided.` },
      ];
    case 'person':
      return [{ role: 'user', content: `Never print ${words.join(' nor ')} in src/part2.ts.` }];
    case 'file':
      return [
        { role: 'assistant', content: '', toolCalls: [call] },
        {
          role: 'tool',
          toolCallId: 'plant',
          content: `-----BEGIN KEY-----\n${words.join('\n')}\n-----END KEY-----\nPORT="${words[0]}"`,
          meta: { raw: words[1] },
        },
      ];
    case 'arguments':
      return [
        {
          role: 'assistant',
          content: '',
          toolCalls: [
            { ...call, arguments: { path: `src/${words[0]}.ts`, nested: { lines: [words[0]] } } },
          ],
        },
      ];
  }
}

/** A summarizer that quotes the last line of each entry. */
const quoting: Summarizer = {
  name: 'quoting',
  summarize: async ({ entries }) =>
    entries.map(({ id, content }) => `- ${id} ${JSON.stringify(content).slice(-120)}`).join('\n'),
};

/** Plays a plan; gives the id of the entry with the secret. */
async function play(session: Session, plan: Plan): Promise<string> {
  let planted = '';
  for (const [at, step] of [...plan.steps, ...plan.steps].entries()) {
    if (at === plan.at) planted = await plant(session, plan);
    await act(session, step, at);
  }
  if (planted === '') planted = await plant(session, plan);
  await session.compress().catch(refused);
  return planted;
}

async function plant(session: Session, plan: Plan): Promise<string> {
  const { ids } = await session.append(messagesOf(plan)).catch(() => ({ ids: [''] }));
  const text = wordsOf(plan).join(' ');
  const told: Readonly<Record<Plan['repeats'][number], () => Promise<unknown>>> = {
    goal: () => session.goal.set(`Ship ${text}`),
    frame: async () => {
      await session.push({ title: `Part ${text.slice(0, 20)}`, criteria: text });
      const lists = { decisions: [text], artifacts: [`src/${text}.ts`] };
      await session.pop({ status: 'failed', results: `It was ${text}`, ...lists });
    },
    snapshot: () => session.snapshots.create(text),
    focus: () => session.compress({ focus: text }),
    document: () => session.writeDocument(),
  };
  for (const repeat of plan.repeats) await told[repeat]().catch(refused);
  return ids.at(-1)!;
}

function refused(error: unknown): void {
  if (!isEngineError(error)) throw error;
}

const optionsOf = ({ summarizer }: Plan): SessionOptions =>
  summarizer ? { window: 1_500, summarizer: 'quoting' } : { window: 1_500 };

/** Plans that are played; many look at each moment and fail each write both ways, a few at every third, and in turn. */
const runs = Number(process.env['REDACTIONS'] ?? draws(8));
const isThorough = runs > 1;

/** Whether a write that fails took effect. */
const modes = ['before', 'after'] as const;

const over = (db: FaultyLevel): Promise<RecordStore> =>
  openStoreOver(db, { location: ':memory:', sync: false });

/** Opens the store over rows, with documents and the summarizer. */
const opened = (records: RecordStore, documents: string) =>
  openOver(records, { documents, summarizers: [quoting] });

/** All that a session shows, as one text. */
async function shownBy(session: Session): Promise<string> {
  const shown: unknown[] = [session.state, session.frames.tree(), session.breadcrumbs()];
  for await (const line of session.export()) shown.push(line);
  for await (const fact of allOf(session)) shown.push(fact);
  const { seq: newest } = session.state;
  for (let seq = isThorough ? 1 : newest % 3 || 3; seq <= newest; seq += isThorough ? 1 : 3) {
    const view = await session.at({ seq });
    shown.push(view.state, await view.assemble(), view.tree());
  }
  shown.push(await session.document());
  shown.push(await session.assemble().catch(refused));
  return JSON.stringify(shown);
}

async function* allOf(session: Session) {
  const { seq } = session.state;
  for await (const fact of session.events()) {
    yield fact;
    if (fact.seq >= seq) return;
  }
}

/** Checks that what is kept is one: the fold of the journal, the copy, and what deciding again gives. */
async function checkRows(records: RecordStore): Promise<void> {
  const loaded = await load(records, 's');
  let folded: State | null = null;
  for await (const record of readJournal(records, 's', 0)) folded = foldRecord(folded, record);
  expect(JSON.stringify(encodeState(folded!))).toBe(JSON.stringify(encodeState(loaded!.state)));
  expect((await replayed(records, 's')).diverged).toBeNull();
}

function expectNone(text: string, words: readonly string[]): void {
  for (const word of words) {
    const at = text.toLowerCase().indexOf(word.toLowerCase());
    expect(at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 60)).toBe('');
  }
}

test('no byte of a secret is left wherever it was told, and the session goes on', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const [location, documents] = [await newLocation(), await newFolder()];
      const words = wordsOf(plan);
      const records = await openLevelStore(location, { durability: 'process' });
      const store = await opened(records, documents);
      const session = await store.open('s', optionsOf(plan));
      const id = await play(session, plan);
      fc.pre(id !== '');
      await session.settled();
      const { mayStillTell } = await session.redact(id);
      expect(mayStillTell.every((one) => /^[cef]\d+$/.test(one))).toBe(true);
      await session.settled();
      expect(await placesOf(location, words)).toEqual([]);
      expect(await placesOf(documents, words)).toEqual([]);
      expectNone(await shownBy(session), words);
      await checkRows(records);
      expect(await session.recall(words[0]!)).toEqual([]);
      for (const { id: snapshot } of session.snapshots.list()) {
        await session.snapshots.restore(snapshot).catch(refused);
        expectNone(JSON.stringify(await session.assemble().catch(refused)), words);
      }
      for (let n = 0; n < 4; n += 1) await session.undo().catch(refused);
      await session.redo().catch(refused);
      await session.compress().catch(refused);
      await session.settled();
      expectNone(await shownBy(session), words);
      for await (const { isSound } of store.verify()) expect(isSound).toBe(true);
      expect((await session.redact(id)).masked).toBe(0);
      await checkRows(records);
      await store.close();
      expect(await placesOf(location, words)).toEqual([]);
      expect(await placesOf(documents, words)).toEqual([]);
      const again = await opened(
        await openLevelStore(location, { durability: 'process' }),
        documents,
      );
      expectNone(await shownBy(await again.open('s')), words);
      await again.close();
    }),
    { numRuns: runs, interruptAfterTimeLimit: 100_000 },
  );
}, 200_000);

test('whichever write fails, a redaction is not begun, or is done when the store is opened next', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const documents = await newFolder();
      const words = wordsOf(plan);
      const db = await revive([]);
      const store = await opened(await over(db), documents);
      const session = await store.open('s', optionsOf(plan));
      const id = await play(session, plan);
      fc.pre(id !== '');
      await session.writeDocument();
      await session.settled();
      await store.close();
      const image = [...db.journal];
      let writes = Number.POSITIVE_INFINITY;
      for (let at = 0; at < writes; at += 1)
        for (const mode of isThorough ? modes : [modes[at % 2]!]) {
          const folder = await copyOf(documents);
          const left = await redactUntil(image, { id, folder, fault: { at, mode } });
          if (left.tried <= at) writes = at;
          const records = await over(await revive(left.image));
          const reopened = await opened(records, folder);
          const again = await reopened.open('s');
          if ((await again.entry(id)).content !== '[redacted]') await again.redact(id);
          await again.settled();
          expectNone(await shownBy(again), words);
          for await (const { isSound } of reopened.verify()) expect(isSound).toBe(true);
          await checkRows(records);
          for (const kind of kinds)
            for await (const row of records.range(kind, {})) expectNone(JSON.stringify(row), words);
          expect(await placesOf(folder, words)).toEqual([]);
          await reopened.close();
        }
      expect(writes).toBeGreaterThan(2);
    }),
    { numRuns: Math.max(1, runs >> 3), interruptAfterTimeLimit: 100_000 },
  );
}, 200_000);

/** Redacts an entry over an image until a write fails; what was written by then, and how many writes were tried. */
async function redactUntil(
  image: readonly Write[],
  given: { readonly id: string; readonly folder: string; readonly fault: Fault },
): Promise<{ readonly image: readonly Write[]; readonly tried: number }> {
  const db = await revive(image);
  const store = await opened(await over(db), given.folder);
  const session = await store.open('s');
  await session.settled();
  const { at, mode } = given.fault;
  db.fail({ at: db.attempts + at, mode });
  const before = db.attempts;
  await session.redact(given.id).catch(refused);
  await store.close().catch(refused);
  return { image: [...db.journal], tried: db.attempts - before };
}
