import type { GoneBack, Session } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { snapshotLines, snapshotText } from '../render/snapshot.ts';
import { readSession, withSession } from '../sessions/with-session.ts';
import { besidesText, tellPosition } from './undo.ts';

/** Schema of the events about one snapshot. */
const schema = 'flamestack.snapshot/1';

/** Options of the verbs of `snapshot`. */
export interface SnapshotOptions {
  readonly session?: string | undefined;
}

/** Options of `snapshot restore`. */
export interface SnapshotRestoreOptions extends SnapshotOptions {
  readonly keep?: boolean | undefined;
}

/** Options of `snapshot ls`. */
export interface SnapshotListOptions extends SnapshotOptions {
  readonly all?: boolean | undefined;
}

/** Makes a snapshot; gives the exit code. */
export function createSnapshot(
  title: string,
  options: SnapshotOptions,
  call: CommandCall,
): Promise<number> {
  return withSession(call, options.session, async (session) => {
    const snapshot = await session.snapshots.create(title);
    if (call.json) call.emit(schema, { session: session.id, snapshot });
    else call.print(`Made ${snapshot.id} at turn ${snapshot.turn}.`);
    return exits.done;
  });
}

/** Lists the snapshots of a session, oldest first; gives the exit code. */
export function listSnapshots(options: SnapshotListOptions, call: CommandCall): Promise<number> {
  return readSession(call, options.session, async (session) => {
    if (call.json) {
      const { tokens, budget } = session.state;
      const snapshots = session.snapshots.list();
      const sizes = { limit: budget.limit, said: tokens };
      call.emit('flamestack.snapshots/1', { session: session.id, snapshots, ...sizes });
    } else {
      const all = options.all === true;
      call.print(...snapshotLines(session, { paper: call.paper(), all, keep: '--keep' }));
    }
    return exits.done;
  });
}

/** Goes back to a snapshot; gives the exit code. */
export function restoreSnapshot(
  id: string,
  options: SnapshotRestoreOptions,
  call: CommandCall,
): Promise<number> {
  return withSession(call, options.session, async (session) => {
    const { done, text } = await restoreSession(session, id, options.keep === true);
    const { active } = session.state;
    if (call.json)
      call.emit('flamestack.restore/1', { session: session.id, snapshot: id, ...done, active });
    else await tellPosition(text, session, call);
    return exits.done;
  });
}

/** Goes back to a snapshot, and says which it was and what became of what was said since. */
export async function restoreSession(
  session: Session,
  id: string,
  keep: boolean,
): Promise<{ readonly done: GoneBack; readonly text: string }> {
  const snapshot = session.snapshots.list().find((one) => one.id === id);
  const done = await session.snapshots.restore(id, { keep });
  const named = snapshot === undefined ? cleanLine(id) : snapshotText(snapshot);
  const text = `As it was at ${named}${keep ? ', with what was said since' : ''}.`;
  return { done, text: [text, ...besidesText(done)].join(' ') };
}

/** Takes a snapshot off the list; gives the exit code. */
export function removeSnapshot(
  id: string,
  options: SnapshotOptions,
  call: CommandCall,
): Promise<number> {
  return withSession(call, options.session, async (session) => {
    await session.snapshots.delete(id);
    if (call.json) call.emit(schema, { session: session.id, snapshot: { id } });
    else call.print(`Removed ${id}; nothing of the log went with it.`);
    return exits.done;
  });
}
