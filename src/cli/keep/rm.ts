import type { SessionSummary } from '../../index.ts';
import { EngineError } from '../../names.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { many, number } from '../paper/size.ts';
import { openWaiting } from '../sessions/store/open-store.ts';
import { latestFirst, pickSession } from '../sessions/pick.ts';
import { readStore } from '../sessions/with-session.ts';
import { leftBeside, noteLeft, openToErase, refusal } from './erasing.ts';
import { titleText } from '../sessions/words/title-text.ts';

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
  const session = await readStore(call, async (store) => {
    const sessions = await latestFirst(store);
    return options.yes === true ? pickUnasked(sessions, said) : pickSession(sessions, said);
  });
  const words = { what: 'Deleting', none: 'Nothing was deleted.' };
  const refused = await refusal(questionOf(session), { ...words, yes: options.yes === true, call });
  if (refused !== null) return refused;
  await using store = await openToErase(call);
  const erased = await store.delete(session.id);
  const deletion = { ...erased, left: leftBeside(erased.left, call) };
  await store.close();
  await forgetNames(call);
  if (call.json) {
    call.emit('flamestack.rm/1', { store: storeFolder(call), ...deletion });
    return exits.done;
  }
  const { rows } = deletion;
  const files = deletion.documents.map((path) => `  and from ${cleanLine(path)}`);
  call.print(`Deleted ${cleanLine(session.id)}: ${many(rows, 'record')}`, ...files);
  noteLeft(deletion.left, call);
  return exits.done;
}

/** LevelDB begins its list of tables and its own log, which name keys, anew with each opening, and keeps one log before. */
async function forgetNames(call: CommandCall): Promise<void> {
  for (let opening = 0; opening < 2; opening += 1)
    await (await openWaiting(storeFolder(call), call, { create: false })).close();
}

/** The session that is meant where nobody is asked: words of a title are not enough then. Throws `SESSION_NOT_FOUND` for those. */
function pickUnasked(sessions: readonly SessionSummary[], said: string): SessionSummary {
  const untitled = sessions.map((session) => ({ ...session, title: '' }));
  try {
    const { id } = pickSession(untitled, said);
    return sessions.find((session) => session.id === id)!;
  } catch {
    const named = pickSession(sessions, said);
    const id = cleanLine(named.id);
    const message = `"${cleanLine(said)}" is of the title of ${id}; nobody is asked with --yes, so it takes an id: flamestack rm ${id} --yes`;
    throw new EngineError('SESSION_NOT_FOUND', message, {
      detail: { session: said, candidates: [named.id] },
    });
  }
}

/** What is asked before a session is deleted. */
const questionOf = ({ id, title, turns, tokens }: SessionSummary): string =>
  `Delete ${cleanLine(id)} (${title === undefined ? '' : `${titleText(title)}, `}${many(turns, 'turn')}, ${number(tokens)} tokens) for good?`;
