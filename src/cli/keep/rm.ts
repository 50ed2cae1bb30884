import type { SessionDeletion, SessionSummary } from '../../index.ts';
import { documentsFolder, hasOwnDocuments, storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { many, number } from '../paper/size.ts';
import { openWaiting } from '../sessions/open-store.ts';
import { latestFirst, pickSession } from '../sessions/pick.ts';
import { readStore } from '../sessions/with-session.ts';
import { confirmed } from '../call/confirmed.ts';

/** Options of `rm` alone. */
export interface RemoveOptions {
  /** Do not ask. */
  readonly yes?: boolean | undefined;
}

/** Deletes a session, and says what of it cannot be reached; gives the exit code. */
export async function remove(
  said: string,
  options: RemoveOptions,
  call: CommandCall,
): Promise<number> {
  const session = await readStore(call, async (store) =>
    pickSession(await latestFirst(store), said),
  );
  if (options.yes !== true && !(await confirmed(questionOf(session), { what: 'Deleting', call }))) {
    if (call.io.signal.aborted) return call.io.signal.reason as number;
    call.note('Nothing was deleted.');
    return exits.done;
  }
  const folder = documentsFolder(call);
  const documents = hasOwnDocuments(call) && folder;
  await using store = await openWaiting(storeFolder(call), call, { create: false, documents });
  const erased = await store.delete(session.id);
  const left = erased.left.map((one) =>
    one.kind === 'document' && folder !== false ? foreignDocuments(folder) : one,
  );
  const deletion = { ...erased, left };
  await store.close();
  await forgetNames(call);
  if (call.json) {
    call.emit('flamestack.rm/1', { store: storeFolder(call), ...deletion });
    return exits.done;
  }
  const { rows } = deletion;
  const files = deletion.documents.map((path) => `  and from ${cleanLine(path)}`);
  call.print(`Deleted ${cleanLine(session.id)}: ${many(rows, 'record')}`, ...files);
  call.note('Not reached from here:', ...left.map(({ text }) => `  ${cleanLine(text)}`));
  return exits.done;
}

/** Documents that may be those of a store of which this one is a copy. */
export const foreignDocuments = (folder: string): SessionDeletion['left'][number] => ({
  kind: 'document',
  text: `Documents and pages in ${folder}: they may belong to another store`,
});

/** LevelDB begins its list of tables and its own log, which name keys, anew with each opening, and keeps one log before. */
async function forgetNames(call: CommandCall): Promise<void> {
  for (let opening = 0; opening < 2; opening += 1)
    await (await openWaiting(storeFolder(call), call, { create: false })).close();
}

/** What is asked before a session is deleted. */
const questionOf = ({ id, turns, tokens }: SessionSummary): string =>
  `Delete ${cleanLine(id)} (${many(turns, 'turn')}, ${number(tokens)} tokens) for good?`;
