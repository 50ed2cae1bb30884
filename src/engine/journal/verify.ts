import { fail, type EngineError } from '../../core/values/error.ts';
import { toSessionId } from '../../core/values/id.ts';
import { callable, objectOf, signal, text } from '../../core/values/validation.ts';
import { machineOf } from '../../store/key.ts';
import { checkTables } from '../../store/level/damaged-tables.ts';
import type { FileDamage, Heads, RecordStore } from '../../store/store.ts';
import { machineHeads, machineIds, sessionHeads, sessionIds } from './sessions/session-ids.ts';
import { verifyMachine } from './verify-machine.ts';
import { verifySession, type SessionCheck } from './verify-session.ts';

/** What is checked, and who hears of it meanwhile. */
export interface VerifyOptions {
  /** One session only, by its id. */
  readonly session?: string;
  readonly signal?: AbortSignal;
  /** Hears of files that are damaged in a way that no record may tell; of all sessions only. */
  readonly onFile?: (damage: FileDamage) => void;
  /** Called about every thousand rows. */
  readonly onProgress?: (progress: { readonly session: string; readonly rows: number }) => void;
}

/** The checks of these options. */
export const verifyOptions = objectOf<VerifyOptions>({
  session: text,
  signal,
  onFile: callable,
  onProgress: callable,
});

const rowsPerReport = 1_000;

/**
 * Checks each session and each machine, or one session; throws `SESSION_NOT_FOUND` where nothing is left of that, behind the last
 * one `STORE_DAMAGED` where there may be others, and before the first where a table is damaged, whose rows only salvage reads.
 */
export async function* verifySessions(
  store: RecordStore,
  options: VerifyOptions,
): AsyncGenerator<SessionCheck> {
  const { session, signal, onFile, onProgress } = options;
  const tell = session === undefined ? onFile : undefined;
  await checkTables(store, tell);
  const damage: EngineError[] = [];
  const ids =
    session === undefined
      ? await sessionIds(store, (error) => damage.push(error))
      : [toSessionId(session)];
  const heads: Heads = sessionHeads(store.heads?.() ?? new Map());
  for (const id of new Set([...ids, ...(session === undefined ? heads.keys() : [])])) {
    const onRow = rowCounter(id, onProgress);
    const check = await verifySession(store, id, { head: heads.get(id), signal, onRow });
    if (session !== undefined && isEmpty(check))
      throw fail('SESSION_NOT_FOUND', `There is no session "${id}"`, { session: id });
    yield check;
  }
  if (session === undefined) yield* verifyMachines(store, options, (error) => damage.push(error));
  for (const error of damage) throw error;
}

async function* verifyMachines(
  store: RecordStore,
  { signal, onProgress }: VerifyOptions,
  onDamage: (error: EngineError) => void,
): AsyncGenerator<SessionCheck> {
  const heads = machineHeads(store.heads?.() ?? new Map());
  for (const rows of new Set([...(await machineIds(store, onDamage)), ...heads.keys()])) {
    const onRow = rowCounter(machineOf(rows), onProgress);
    const head = heads.get(rows);
    const found = await verifyMachine(store, rows, { head, signal, onRow });
    const { journal, known, damaged } = found;
    yield {
      id: machineOf(rows),
      isMachine: true,
      isSound: journal.lost.length + damaged.length === 0,
      entries: { sound: 0, lost: [] },
      journal,
      texts: { sound: 0, lost: [] },
      ...(known === undefined ? {} : { known: { entries: [], journal: known, texts: [] } }),
      damaged,
    };
  }
}

/** Counts rows, and says so about every thousand. */
function rowCounter(session: string, onProgress: VerifyOptions['onProgress']): () => void {
  let rows = 0;
  return () => {
    rows += 1;
    if (rows % rowsPerReport === 0) onProgress?.({ session, rows });
  };
}

const isEmpty = ({ isSound, entries, journal, damaged }: SessionCheck): boolean =>
  isSound && entries.sound + journal.sound + damaged.length === 0;
