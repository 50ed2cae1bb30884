import type { Entry } from './history.ts';
import type { Said, Shown } from './said.ts';

/** What is wrong with a context, each by how often. */
export interface Faults {
  /** Contexts of more tokens than the budget. */
  readonly over: number;
  /** Contexts that were refused. */
  readonly refused: number;
  /** Contexts with a result before whose call stands nowhere. */
  readonly orphans: number;
  /** Contexts with a call that has no result, and is not at the very end. */
  readonly open: number;
  /** Messages that claim to be verbatim and are not. */
  readonly altered: number;
  /** Contexts in which entries of one frame are out of order; of all, where no frames are played. */
  readonly disordered: number;
  /** Contexts in which an entry stands twice. */
  readonly repeated: number;
  /** Contexts with nothing but the system prompt. */
  readonly empty: number;
  /** Contexts without a message in the user role, though there was one. */
  readonly userless: number;
}

/** No fault. */
export const sound: Faults = {
  over: 0,
  refused: 0,
  orphans: 0,
  open: 0,
  altered: 0,
  disordered: 0,
  repeated: 0,
  empty: 0,
  userless: 0,
};

/** The faults of one context, its size aside. */
export function faultsOf(
  context: readonly Shown[],
  entries: readonly Entry[],
  { hadUser, frames }: { readonly hadUser: boolean; readonly frames: boolean },
): Omit<Faults, 'over' | 'refused'> {
  const places = context.flatMap(({ place }) => (place === null ? [] : [place]));
  return {
    ...unpaired(context),
    altered: context.filter((shown) => isAltered(shown, entries)).length,
    disordered: Number(isDisordered(places, (place) => (frames ? entries[place]?.frame : ''))),
    repeated: Number(new Set(places).size < places.length),
    empty: Number(context.every(({ role }) => role === 'system')),
    userless: Number(hadUser && !context.some(({ role }) => role === 'user')),
  };
}

/** Whether an entry stands before an earlier one of its frame: what people said last in another frame may come first. */
function isDisordered(
  places: readonly number[],
  frameOf: (place: number) => string | undefined,
): boolean {
  const last = new Map<string | undefined, number>();
  return places.some((place) => {
    const frame = frameOf(place);
    const isLate = place < (last.get(frame) ?? 0);
    last.set(frame, place);
    return isLate;
  });
}

/** Whether a message claims to be an entry and is not, byte for byte. */
function isAltered(shown: Shown, entries: readonly Entry[]): boolean {
  if (shown.kind !== 'entry') return false;
  const entry = shown.place === null ? undefined : entries[shown.place];
  return entry !== shown && (entry?.role !== shown.role || entry.text !== shown.text);
}

/** Whether results stand without their calls, or calls without their results before the end. */
function unpaired(context: readonly Said[]): Pick<Faults, 'orphans' | 'open'> {
  const waiting = new Map<string, number>();
  let orphans = 0;
  let lastOther = -1;
  for (const [index, { role, calls, answers, tool }] of context.entries()) {
    if (role !== 'tool') lastOther = index;
    else if (!waiting.delete(answers ?? `name ${tool}`)) orphans += 1;
    for (const { id, name } of calls) waiting.set(id ?? `name ${name}`, index);
  }
  const open = [...waiting.values()].filter((index) => index < lastOther).length;
  return { orphans: Number(orphans > 0), open: Number(open > 0) };
}
