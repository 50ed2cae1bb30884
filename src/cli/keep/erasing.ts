import { existsSync } from 'node:fs';
import type { SessionDeletion, Store } from '../../index.ts';
import { documentsPlace, hasOwnDocuments, storeFolder, type CommandCall } from '../call/call.ts';
import { confirmed } from '../call/confirmed.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { openWaiting } from '../sessions/store/open-store.ts';

/** What may be left of what is gone for good. */
type Leftovers = SessionDeletion['left'];

/** Asks before something goes for good, unless that is not to be asked; gives the exit code where nothing is to be done. */
export async function refusal(
  question: string,
  { yes, call, ...words }: { yes: boolean; what: string; none: string; call: CommandCall },
): Promise<number | null> {
  if (yes || (await confirmed(question, { what: words.what, call }))) return null;
  if (call.io.signal.aborted) return call.io.signal.reason as number;
  call.note(words.none);
  return exits.done;
}

/** Opens the store to write, with its documents where they are its own, and there. */
export function openToErase(call: CommandCall): Promise<Store> {
  const place = hasOwnDocuments(call) && documentsPlace(call);
  // A folder of documents that is not there would be made.
  const documents = place !== false && existsSync(place) && place;
  return openWaiting(storeFolder(call), call, { create: false, documents });
}

/** What cannot be reached, with the folder of documents that may be those of a store of which this one is a copy. */
export function leftBeside(leftovers: Leftovers, call: CommandCall): Leftovers {
  const folder = documentsPlace(call);
  const text =
    folder !== false && existsSync(folder)
      ? `Documents and pages in ${folder}: they may belong to another store`
      : 'Checkpoint documents, if you had any written: FLAMESTACK_DOCUMENTS names their folder';
  return leftovers.map((one) => (one.kind === 'document' ? { ...one, text } : one));
}

/** Says what cannot be reached. */
export function noteLeft(leftovers: Leftovers, call: CommandCall): void {
  call.note('Not reached from here:', ...leftovers.map(({ text }) => `  ${cleanLine(text)}`));
}
