import type { Assembly } from '../../core/assembly/assembly.ts';
import { difference, type Difference } from '../../core/assembly/diff.ts';
import type { State } from '../../core/state/state.ts';
import { toNode, type FrameNode } from '../../core/frames/tree.ts';
import { where, type Place, gapsOf, type Gap } from '../../core/assembly/locate.ts';
import { assemblyId, assemblyOf } from '../step/assembly-cache.ts';
import type { BodyCache } from '../journal/body-cache.ts';
import { hydrate } from '../journal/load.ts';
import { seqOf, type Archive, type Moment } from './moment.ts';
import { recordsBetween, stateAt } from './journal-search.ts';
import { toSessionState, type SessionState } from '../step/session-state.ts';

/** A session as it was. It does not change, and reading it changes nothing. */
export interface View {
  readonly state: SessionState;
  /** Whether a host reported that it sent this very assembly, or it is derived from the state alone. */
  readonly seen: 'sent' | 'derived';
  /** What the model saw, or would have seen; tool schemas count as they did then. */
  assemble(): Promise<Assembly>;
  /** Where an entry was; throws `ENTRY_NOT_FOUND` for one that came later. */
  where(id: string): Place;
  /** The entries that were not verbatim in the assembly, oldest first, and where they were. */
  missing(): readonly Gap[];
  /** The frames as they were. */
  tree(): FrameNode;
}

/** The session at an old moment; rejects with `MOMENT_NOT_FOUND`, `ENTRY_NOT_FOUND`, or `OPTION_INVALID` for what names none. */
export async function viewAt(archive: Archive, moment: Moment): Promise<View> {
  const seq = await seqOf(archive, moment);
  const { store, session } = archive;
  const state = await stateAt(store, session, seq);
  const bodies = await hydrate(store, state);
  const seen = (await wasSent(archive, state)) ? 'sent' : 'derived';
  return Object.assign(
    viewOf(state, async () => bodies),
    { seen } as const,
  );
}

/** What changed from one moment or view to another, or to now; rejects with what {@link viewAt} does. */
export async function differenceOf(
  archive: Archive,
  before: Moment | View,
  after: Moment | View = { seq: archive.last },
): Promise<Difference> {
  const assemblies = [before, after].map(async (one) =>
    (isView(one) ? one : await viewAt(archive, one)).assemble(),
  );
  const [was, is] = await Promise.all(assemblies);
  return difference(was!, is!);
}

const isView = (value: Moment | View | null): value is View =>
  typeof value === 'object' &&
  value !== null &&
  'assemble' in value &&
  typeof value.assemble === 'function';

/** A state as a view; its bodies are read when it is assembled. */
export function viewOf(state: State, bodies: () => Promise<BodyCache>): Omit<View, 'seen'> {
  let cachedState: SessionState | undefined;
  return {
    get state() {
      return (cachedState ??= toSessionState(state));
    },
    assemble: async () => assemblyOf(state, await bodies(), {}),
    where: (id) => where(state, id),
    missing: () => gapsOf(state),
    tree: () => toNode(state.frames, state.active),
  };
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
