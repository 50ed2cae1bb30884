import { MemoryLevel } from 'memory-level';
import { newCopies } from '../../src/engine/journal/state-copies.ts';
import { load } from '../../src/engine/journal/load.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import type { Clock, Message, Session, Store } from '../../src/index.ts';
import { openStoreOver } from '../../src/store/format.ts';
import type { RawRow, RecordStore } from '../../src/store/store.ts';
import { scriptedSummarizer, type Behavior } from '../../src/testing/scripted-summarizer.ts';

// What a store may hold, in as few rows as show it: frames in every status, a goal, checkpoints of several
// ages, a snapshot, an undo, a compression that waits and one that is being summarized, a recovery that asks, a
// key, calls without results. Nothing in it depends on time, on chance or on this machine.

/** When the sessions begin, in milliseconds since 1970. */
const began = Date.UTC(2026, 0, 5, 9);

/** A clock that goes on by a second with each look, and rings no timer. */
function slowClock(): Clock {
  let now = began;
  return { now: () => (now += 1_000), setTimeout: () => 0, clearTimeout: () => undefined };
}

/** The rows of a store with two sessions, as they are kept. */
export async function goldenRows(): Promise<readonly RawRow[]> {
  const db = new MemoryLevel();
  await db.open();
  const records = await openStoreOver(db, { location: 'golden', sync: false });
  const open: RecordStore = { ...records, close: async () => undefined };
  await playGarden(open);
  await playTower(open);
  const rows: RawRow[] = [];
  for await (const row of records.rows()) rows.push(row);
  await records.close();
  return rows;
}

/** A session in the middle of its work, with a copy of its state and steps after it; its compression waits to be tried again. */
async function playGarden(records: RecordStore): Promise<void> {
  const clock = slowClock();
  const store = await openOver(records, { clock });
  const session = await store.open('garden', { window: 2_000, reserve: 0, system: 'Be brief.' });
  await session.goal.set({
    description: 'Plan a garden that needs little water',
    milestones: [
      { text: 'Measure the beds', status: 'completed' },
      { text: 'Choose the plants', status: 'pending' },
    ],
  });
  await say(session, 'user', 'Plan a garden for dry summers. Never use more than two beds.');
  await session.frames.plan({ title: 'Choose the plants', criteria: 'Nine kinds at most' });
  await session.push({ title: 'Measure the beds' });
  await talk(session, 12, 'bed');
  await session.pop({ status: 'completed', results: 'Two beds, 3 m by 1 m', drop: true });
  await session.push({ title: 'Lay the pipe' });
  await session.pop({ status: 'failed', results: 'No pipe is left' });
  await session.push({ title: 'Order gravel' });
  await session.pop({ status: 'blocked', results: 'The shop is closed' });
  const planned = await session.frames.plan({ title: 'Paint the fence' });
  await session.frames.invalidate(planned.id, 'There is no fence');
  await session.snapshots.create('Before the soil');
  await talk(session, 20, 'soil');
  await session.push({ title: 'Mulch' });
  await session.undo();
  await store.close();
  await records.commit(newCopies().next((await load(records, 'garden'))!.state));
  await playOn(records, { id: 'garden', moods: [{ fail: 'The model is busy' }] }, async (again) => {
    await again.append(
      { role: 'assistant', content: 'Reading the catalogue.', toolCalls: [call('c1', 'lavender')] },
      { key: 'catalogue' },
    );
    await talk(again, 14, 'water');
  });
}

/** A session whose summary is being written, that keeps documents and was asked about a loss. */
async function playTower(records: RecordStore): Promise<void> {
  await playOn(records, { id: 'tower', moods: [{ hold: true }] }, async (session) => {
    await say(session, 'user', 'Build a tower of paper, as high as it will stand.');
    await talk(session, 16, 'paper');
    await session.recover();
  });
}

/** Opens a session with a summarizer that does so, and closes it. */
async function playOn(
  records: RecordStore,
  { id, moods }: { readonly id: string; readonly moods: readonly Behavior[] },
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const store: Store = await openOver(records, { clock: slowClock() });
  const options = { window: 2_000, reserve: 0, recovery: 'confirm' } as const;
  await work(await store.open(id, { ...options, summarizer: scriptedSummarizer(moods) }));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await store.close();
}

async function say(session: Session, role: 'user' | 'assistant', content: string): Promise<void> {
  await session.append({ role, content });
}

const call = (id: string, about: string) => ({
  id,
  name: 'read',
  arguments: { path: `notes/${about}.md` },
});

/** So many rounds of a call, its result, and what is made of it, unless a summary is asked for before. */
async function talk(session: Session, rounds: number, about: string): Promise<void> {
  for (let n = 1; n <= rounds && session.state.pending.length === 0; n += 1) {
    const messages: Message[] = [
      { role: 'assistant', content: '', toolCalls: [call(`${about}-${n}`, `${about}-${n}`)] },
      { role: 'tool', toolCallId: `${about}-${n}`, name: 'read', content: notes(about, n) },
      { role: 'assistant', content: `The ${about} of row ${n} is right; next is row ${n + 1}.` },
    ];
    if (n % 5 === 0)
      messages.push({ role: 'user', content: `Look at row ${n} of the ${about} again.` });
    await session.append(messages);
  }
}

/** What a file says, in a few lines. */
function notes(about: string, n: number): string {
  const rows = [1, 2, 3, 4].map(
    (row) =>
      `${about} ${n}.${row}: ${(n * row * 37) % 101} cm, kept in \`src/${about}/row${n}.ts\``,
  );
  return [`# The ${about} of row ${n}`, ...rows, n % 7 === 3 ? `Error: row ${n} has no label` : '']
    .join('\n')
    .trim();
}
