import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { openStore, type Store } from '../../src/index.ts';
import type { RawRow } from '../../src/store/store.ts';

/** What a store answers, each as a hash. */
export type Answers = Readonly<Record<string, string>>;

/** Puts rows into a folder as LevelDB keeps them, opens it, and gives it to `work`; nothing is left of it. */
export async function overRows<T>(
  rows: readonly RawRow[],
  work: (store: Store, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'flamestack-golden-'));
  try {
    const db = new Level(folder);
    await db.batch(rows.map(([key, value]) => ({ type: 'put', key, value })));
    await db.close();
    const store = await openStore(folder, { clock: stillClock });
    try {
      return await work(store, folder);
    } finally {
      await store.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const stillClock = {
  now: () => Date.UTC(2026, 0, 6),
  setTimeout: () => 0,
  clearTimeout: () => undefined,
};

/** Everything that a store says of its sessions. */
export async function answersOf(store: Store): Promise<Answers> {
  const answers: Record<string, string> = {};
  const ids: string[] = [];
  const list: unknown[] = [];
  for await (const summary of store.sessions()) {
    ids.push(summary.id);
    list.push(summary);
  }
  answers['sessions'] = hash(list);
  for (const id of ids) Object.assign(answers, await sessionAnswers(store, id));
  const checks: unknown[] = [];
  for await (const check of store.verify()) checks.push(check);
  answers['verify'] = hash(checks);
  answers['recall'] = hash([
    await store.recall('gravel shop'),
    await store.recall('the height of row 9', { session: 'tower' }),
  ]);
  return answers;
}

async function sessionAnswers(store: Store, id: string): Promise<Answers> {
  const session = await store.open(id);
  const log: unknown[] = [];
  for await (const entry of session.log()) log.push(entry);
  const { state } = session;
  const found = await session.recall('what was measured in row 3');
  const { messages } = await session.assemble();
  const answers = {
    [`${id} log`]: hash(log),
    [`${id} state`]: hash(state),
    [`${id} tree`]: hash(session.frames.tree()),
    [`${id} recall`]: hash(found),
    [`${id} assembly`]: hash(messages),
  };
  await session.close();
  return answers;
}

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
