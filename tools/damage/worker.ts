import { isEngineError, openStore, salvageStore, type Store } from '../../src/index.ts';
import { digest } from './digest.ts';
import type { Answer, Question, SessionRead, StoreRead } from './answer.ts';

// The process that opens damaged stores: it answers one question after the other, and may be ended by
// bad bytes without harm to the count.

process.on('message', (question: Question) => {
  void answer(question).then((said) => process.send!(said));
});

async function answer(question: Question): Promise<Answer> {
  try {
    if (question.to === undefined) return { read: await readStore(question.folder, question) };
    const salvage = await salvageStore(question.folder, question.to);
    return { salvage, read: await readStore(question.to, question) };
  } catch (error) {
    return { failure: codeOf(error) };
  }
}

async function readStore(folder: string, { sessions, entries }: Question): Promise<StoreRead> {
  let store: Store;
  try {
    store = await openStore(folder, { create: false });
  } catch (error) {
    return {
      refused: codeOf(error),
      damagedFiles: [],
      errors: [],
      listed: [],
      checks: [],
      sessions: {},
    };
  }
  try {
    const listed: string[] = [];
    const errors: string[] = [];
    try {
      for await (const { id } of store.sessions()) listed.push(id);
    } catch (error) {
      errors.push(codeOf(error));
    }
    const damagedFiles: string[] = [];
    const checks = [];
    const onFile = ({ file }: { readonly file: string }): void => void damagedFiles.push(file);
    try {
      for await (const check of store.verify({ onFile })) checks.push(check);
    } catch (error) {
      errors.push(codeOf(error));
    }
    const read: Record<string, SessionRead> = {};
    for (const id of sessions) read[id] = await readSession(store, id, entries);
    return { damagedFiles, errors, listed, checks, sessions: read };
  } finally {
    await store.close();
  }
}

/** All that a session has, and what it answers to a key that it knows and to one that is new. */
async function readSession(store: Store, id: string, most: number): Promise<SessionRead> {
  const entries: Record<string, string> = {};
  const lost: [number, number][] = [];
  const read: SessionRead = { entries, lost, keys: {} };
  try {
    await using session = await store.open(id);
    const onLost = ({ from, to }: { readonly from: string; readonly to: string }): void =>
      void lost.push([Number(from.slice(1)), Number(to.slice(1))]);
    for await (const entry of session.log({ onLost }))
      entries[entry.id] = digest(entry.content as string);
    await session.assemble();
    const again = { role: 'user', content: 'Again.' } as const;
    const { id: next } = await session.append({ role: 'user', content: 'Go on.' });
    for (let n = 1; n <= most; n += 1)
      read.keys[`e${n}`] = (await session.append(again, { key: `key ${n}` })).id;
    return { ...read, next };
  } catch (error) {
    return { ...read, refused: codeOf(error) };
  }
}

/** The code of an error; of one that has none, where it comes from. */
function codeOf(error: unknown): string {
  const { error: closing, suppressed } = Object(error) as { error?: unknown; suppressed?: unknown };
  if (suppressed !== undefined) return `${codeOf(suppressed)}, closing: ${codeOf(closing)}`;
  return isEngineError(error) ? error.code : `unexpected ${String((error as Error).stack)}`;
}
