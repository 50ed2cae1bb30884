import { isEngineError, type SessionCheck, type Store } from '../../index.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { statusLine } from '../call/status-line.ts';
import { cleanLine } from '../paper/clean.ts';
import { many, number } from '../paper/size.ts';
import { latestFirst, pickSession } from '../sessions/pick.ts';
import { readStore } from '../sessions/with-session.ts';
import { lossLines } from './loss-lines.ts';

/** Checks the sessions of the store, or one, and says what is lost; gives the exit code. */
export async function verify(said: string | undefined, call: CommandCall): Promise<number> {
  const { signal } = call.io;
  const status = statusLine(call);
  const sessions: SessionCheck[] = [];
  await readStore(call, async (store) => {
    const session = said === undefined ? undefined : await idOf(store, said);
    const onProgress = (progress: { readonly session: string; readonly rows: number }): void =>
      status.say(() => `${cleanLine(progress.session)} · ${number(progress.rows)} records`);
    const options = { signal, onProgress, ...(session === undefined ? {} : { session }) };
    for await (const check of store.verify(options)) {
      sessions.push(check);
      status.clear();
      if (!call.json) call.print(...checkLines(check));
    }
  });
  const damaged = sessions.filter(({ isSound }) => !isSound);
  if (call.json) {
    const isSound = damaged.length === 0;
    call.emit('flamestack.verify/1', { store: storeFolder(call), isSound, sessions });
  } else call.note('', endText(sessions.length, damaged.length));
  return damaged.length === 0 ? exits.done : exits.check;
}

/** The session that a person means; one that no list has may be left in part, and be named by its whole id. */
async function idOf(store: Store, said: string): Promise<string> {
  try {
    return pickSession(await latestFirst(store), said).id;
  } catch (error) {
    if (isEngineError(error, 'SESSION_NOT_FOUND') && !said.startsWith('@')) return said;
    throw error;
  }
}

function endText(all: number, damaged: number): string {
  const checked = `${many(all, 'session')} checked`;
  return damaged === 0 ? `${checked}, all sound.` : `${checked}, ${damaged} damaged.`;
}

/** What was found of a session: a line, and one for each kind of loss. */
function checkLines(check: SessionCheck): readonly string[] {
  const { id, isSound, entries, journal, damaged, refused } = check;
  const left = `${many(entries.sound, 'entry', 'entries')}, ${many(journal.sound, 'record')}`;
  return [
    `${cleanLine(id)}: ${isSound ? 'sound' : 'DAMAGED'} – ${left}`,
    ...lossLines(check),
    ...damaged.map(({ kind, key, message }) =>
      cleanLine(`  ${kind}: ${key === undefined ? message : `${key} is changed`}`),
    ),
    ...(refused === undefined ? [] : [`  cannot be opened: ${cleanLine(refused.message)}`]),
  ];
}
