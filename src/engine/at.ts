import type { Assembly } from '../core/assembly.ts';
import { gapsOf, type Gap } from '../core/gap.ts';
import { ordinal, toEntryId } from '../core/id.ts';
import type { State } from '../core/state.ts';
import { toNode, type FrameNode } from '../core/tree.ts';
import { where, type Place } from '../core/where.ts';
import type { Store } from '../store/store.ts';
import { assemblyId, assemblyOf } from './assemble.ts';
import type { BodyCache } from './bodies.ts';
import { hydrate } from './load.ts';
import { firstRecord, noMoment, recordAt, recordOfEntry, recordsBetween, stateAt } from './past.ts';
import { toSessionState, type SessionState } from './state.ts';

/** A moment in the life of a session. */
export type Moment =
  /** When a model was called in this turn: the call of this number, from 1; the last one unless told, or the end of a turn without any. */
  | { readonly turn: number; readonly call?: number }
  /** After this record of the journal. */
  | { readonly seq: number }
  /** When this entry had come in. */
  | { readonly entry: string }
  /** The last one up to this time, in milliseconds since 1970. */
  | { readonly time: number };

/** A session as it was; nothing of it changes any more, and looking at it changes nothing. */
export interface View {
  readonly state: SessionState;
  /** Whether a host said that it sent this very assembly, or it only follows from the state. */
  readonly seen: 'sent' | 'derived';
  /** What the model saw, or would have seen; tool schemas count as they did then. */
  assemble(): Promise<Assembly>;
  /** Where an entry was; throws `ENTRY_NOT_FOUND` for one that came later. */
  where(id: string): Place;
  /** What was not in the assembly word for word, oldest first, and where it was. */
  missing(): readonly Gap[];
  /** The frames as they were. */
  tree(): FrameNode;
}

/** Where old moments are read. */
export interface Archive {
  readonly store: Store;
  readonly session: string;
  /** The last record of the journal. */
  readonly last: number;
}

/** The session at an old moment; rejects with `MOMENT_NOT_FOUND` or `ENTRY_NOT_FOUND`. */
export async function viewAt(archive: Archive, moment: Moment): Promise<View> {
  const seq = await seqOf(archive, moment);
  const { store, session } = archive;
  const state = await stateAt(store, session, seq);
  return toView(state, {
    bodies: await hydrate(store, state),
    seen: (await wasSent(archive, state)) ? 'sent' : 'derived',
  });
}

/** A state as a view. */
function toView(
  state: State,
  { bodies, seen }: { readonly bodies: BodyCache; readonly seen: View['seen'] },
): View {
  return {
    state: toSessionState(state),
    seen,
    assemble: async () => assemblyOf(state, bodies, {}),
    where: (id) => where(state, id),
    missing: () => gapsOf(state),
    tree: () => toNode(state.frames, state.active),
  };
}

async function seqOf(archive: Archive, moment: Moment): Promise<number> {
  const { store, session, last } = archive;
  if ('seq' in moment) {
    if (Number.isInteger(moment.seq) && moment.seq >= 1 && moment.seq <= last) return moment.seq;
    throw noMoment(session, moment);
  }
  if ('entry' in moment) {
    const n = ordinal(toEntryId(moment.entry));
    const found = await recordOfEntry(store, session, { n, last });
    if (found === null) throw noMoment(session, moment);
    return found;
  }
  if ('time' in moment) {
    const later = await firstRecord(
      last,
      async (seq) => (await recordAt(store, session, seq)).at > moment.time,
    );
    if (later === 1) throw noMoment(session, moment);
    return (later ?? last + 1) - 1;
  }
  return callOf(archive, moment);
}

/** The record before that in which the model's answer came in. */
async function callOf(
  archive: Archive,
  moment: Extract<Moment, { turn: number }>,
): Promise<number> {
  const { store, session, last } = archive;
  const reaches = (turn: number) => async (seq: number) =>
    (await recordAt(store, session, seq)).turn >= turn;
  const first = await firstRecord(last, reaches(moment.turn));
  if (first === null) throw noMoment(session, moment);
  const end = ((await firstRecord(last, reaches(moment.turn + 1))) ?? last + 1) - 1;
  const calls: number[] = [];
  for await (const { seq, facts } of recordsBetween(store, session, { after: first, to: end }))
    if (facts.some((fact) => fact.type === 'entry.appended' && fact.role === 'assistant'))
      calls.push(seq - 1);
  if (moment.call === undefined) return calls.at(-1) ?? end;
  const found = calls[moment.call - 1];
  if (found === undefined || end < first) throw noMoment(session, moment);
  return found;
}

/** How many records after a moment are searched for the one that says its assembly was sent. */
const searched = 64;

/** Whether a host named the assembly of this state as sent. */
async function wasSent({ store, session, last }: Archive, state: State): Promise<boolean> {
  const id = assemblyId(state);
  const to = Math.min(last, state.seq + searched);
  for await (const { facts } of recordsBetween(store, session, { after: state.seq, to }))
    if (facts.some((fact) => fact.type === 'assembly.sent' && fact.assembly === id)) return true;
  return false;
}
