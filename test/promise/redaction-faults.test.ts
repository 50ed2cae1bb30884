import { beforeAll, expect, test } from 'vitest';
import { openOver } from '../../src/engine/open/open-store.ts';
import { isEngineError, type Session } from '../../src/index.ts';
import { openStoreOver } from '../../src/store/format.ts';
import { kinds, type RecordStore } from '../../src/store/store.ts';
import { fill, revive, type Write } from '../store/faulty-level.ts';
import { newFolder } from '../store/folder.ts';
import { placesOf, secret } from '../store/secret.ts';
import { UnsteadyLevel } from '../store/unsteady-level.ts';

// The driver goes wrong in the middle of a redaction: a read fails, comes back short or empty, a write fails or
// took effect. What is answered is done, and what is refused is finished by asking again.

const runs = Number(process.env['FAULT_RUNS'] ?? 6);
const word = secret('fault', 1);
let image: readonly Write[];
let id: string;

const over = (db: UnsteadyLevel): Promise<RecordStore> =>
  openStoreOver(db, { location: 'unsteady', sync: false });

beforeAll(async () => {
  const db = await revive([]);
  const store = await openOver(await openStoreOver(db, { location: 'unsteady', sync: false }));
  const session = await store.open('s', { window: 1_500 });
  ({ id } = await session.append({ role: 'assistant', content: `The token is ${word}.` }));
  await session.goal.set(`Ship ${word}`);
  for (let n = 0; n < 60; n += 1) {
    if (n % 20 === 5) await session.push({ title: `Part ${n}`, criteria: word });
    if (n % 20 === 15) await session.pop({ status: 'completed', results: `With ${word}` });
    await session.append({
      role: 'assistant',
      content: `Step ${n}. ${'It says much. '.repeat(12)}`,
    });
  }
  await session.settled();
  await store.close();
  image = [...db.journal];
});

/** Redacts; gives the code of the refusal, null for none. */
async function redacted(session: Session): Promise<string | null> {
  try {
    await session.redact(id);
    return null;
  } catch (error) {
    if (isEngineError(error)) return error.code;
    throw error;
  }
}

/** Kinds of rows in which the secret is. */
async function placesIn(records: RecordStore): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of kinds)
    for await (const row of records.range(kind, {}))
      if (JSON.stringify(row).includes(word)) found.push(`${kind} ${row[0]}`);
  return found;
}

test('whatever goes wrong meanwhile, what is redacted is gone, and what is refused is when asked again', async () => {
  const documents = await newFolder();
  const outcomes = new Map<string, number>();
  for (let seed = 1; seed <= runs; seed += 1) {
    const db = new UnsteadyLevel({
      seed,
      reads: [8, 30, 120][seed % 3]!,
      writes: seed % 2 === 0 ? 6 : 1e6,
    });
    await fill(db, image);
    const records = await over(db);
    const store = await openOver(records, { documents });
    const session = await store.open('s');
    db.calm = false;
    const code = await redacted(session);
    db.calm = true;
    outcomes.set(String(code), (outcomes.get(String(code)) ?? 0) + 1);
    if (code === null) {
      expect(await placesIn(records), `seed ${seed}: ${db.mishaps.join()}`).toEqual([]);
      continue;
    }
    if (seed % 4 < 2 && (await redacted(session)) === null) {
      expect(await placesIn(records), `seed ${seed}, asked again`).toEqual([]);
      continue;
    }
    await store.close().catch(() => undefined);
    const calm = new UnsteadyLevel({ seed: 0, reads: 1, writes: 1 });
    await fill(calm, [...db.journal]);
    const reopened = await over(calm);
    const again = await openOver(reopened, { documents });
    expect(await redacted(await again.open('s'))).toBeNull();
    expect(await placesIn(reopened), `seed ${seed}, opened again`).toEqual([]);
    await again.close();
  }
  expect(outcomes.size).toBeGreaterThan(1);
  expect(await placesOf(documents, [word])).toEqual([]);
}, 600_000);
