import { isEngineError, type FileDamage, type SessionCheck, type Store } from '../../../index.ts';
import { isAddress, quote, storeFolder, type CommandCall } from '../../call/call.ts';
import { exits } from '../../call/exit.ts';
import { paceText } from '../../call/pace-text.ts';
import { statusLine } from '../../call/status-line.ts';
import { cleanLine } from '../../paper/clean.ts';
import { many } from '../../paper/size.ts';
import { hanging } from '../../paper/width.ts';
import { latestFirst } from '../../sessions/pick.ts';
import { chooseSession } from '../../sessions/choose-session.ts';
import { readStore } from '../../sessions/with-session.ts';
import { checkLines } from './loss-lines.ts';

/** Checks the sessions and machines of the store, or one session, and says what is lost; gives the exit code. */
export async function verify(said: string | undefined, call: CommandCall): Promise<number> {
  const { signal } = call.io;
  const status = statusLine(call);
  const checks: SessionCheck[] = [];
  const files: FileDamage[] = [];
  await readStore(call, async (store) => {
    const session = said === undefined ? undefined : await idOf(store, said, call);
    const all = await latestFirst(store);
    const begun = performance.now();
    let earlier = 0;
    let last = { session: '', rows: 0 };
    const onProgress = (progress: { readonly session: string; readonly rows: number }): void => {
      if (progress.session !== last.session) earlier += last.rows;
      last = progress;
      const count = earlier + progress.rows;
      const share =
        all.length > 1 && session === undefined ? checks.length / all.length : undefined;
      const name = cleanLine(progress.session);
      status.say(() => `${paceText({ count, what: 'records', share }, begun)}  ${name}`);
    };
    const onFile = (file: FileDamage): void => {
      files.push(file);
      if (!call.json) call.print(cleanLine(file.damage));
    };
    const options = { signal, onFile, onProgress, ...(session === undefined ? {} : { session }) };
    for await (const check of store.verify(options)) {
      checks.push(check);
      status.clear();
      const { longest } = call.paper();
      const lines = checkLines(check).flatMap((line) =>
        hanging(/^ */.exec(line)![0], line.trimStart(), longest),
      );
      if (!call.json) call.print(...lines);
    }
  });
  const damaged = checks.filter(({ isSound }) => !isSound);
  const isSound = damaged.length + files.length === 0;
  const sessions = checks.filter(({ isMachine }) => isMachine !== true);
  const machines = checks.filter(({ isMachine }) => isMachine === true);
  const report = { store: storeFolder(call), isSound, sessions, machines, files };
  if (call.json) call.emit('flamestack.verify/1', report);
  else {
    const counts = {
      sessions: sessions.length,
      machines: machines.length,
      damaged: damaged.length,
      files: files.length,
      known: sessions.filter(({ known }) => known !== undefined).length,
    };
    const end = endText(counts);
    call.note('', end, ...(isSound ? [] : [nextStep(storeFolder(call))]));
  }
  return isSound ? exits.done : exits.check;
}

/** How to keep what is left of a store. */
const nextStep = (store: string): string =>
  isAddress(store)
    ? `A copy of what is left: flamestack backup <new folder> --store ${quote(store)}`
    : `Mend what can be: flamestack repair --store ${quote(cleanLine(store))}\nOr what is left, as a new store: flamestack salvage ${quote(cleanLine(store))} --to <new folder>`;

/** The session that a person means; one that no list has may be left in part, and be named by its whole id. */
async function idOf(store: Store, said: string, call: CommandCall): Promise<string> {
  try {
    return (await chooseSession(await latestFirst(store), said, call)).id;
  } catch (error) {
    if (isEngineError(error, 'SESSION_NOT_FOUND') && !said.startsWith('@')) return said;
    throw error;
  }
}

function endText(of: {
  readonly sessions: number;
  readonly machines: number;
  readonly damaged: number;
  readonly files: number;
  readonly known: number;
}): string {
  const { sessions, machines, damaged, files, known } = of;
  const others = machines === 0 ? '' : ` and ${many(machines, 'machine')}`;
  const checked = `${many(sessions, 'session')}${others} checked`;
  const verdict = damaged === 0 ? `${checked}, all sound` : `${checked}, ${damaged} damaged`;
  const harmed = files === 0 ? verdict : `${verdict}; ${many(files, 'file')} damaged`;
  return known === 0 ? `${harmed}.` : `${harmed}; of ${known}, what is gone is known.`;
}
