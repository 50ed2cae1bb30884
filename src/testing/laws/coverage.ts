import { isClosed } from '../../core/frames/frame.ts';
import type { OutMessage } from '../../core/assembly/assembly.ts';
import { argumentsOf, textOf } from '../../core/messages/message.ts';
import type { Place } from '../../core/assembly/locate.ts';
import { isWithin, type PositionSpan } from '../../core/values/span.ts';
import type { LawContext } from './law.ts';
import { treeOf } from './tree.ts';
import { nextRandom } from './witness.ts';

// The session says of each entry where it is; each claim is held against what
// is really in the assembly. All entries are asked for when everything is
// looked at; else the newest, and some others by lot.

/** Entries asked for at each step: the newest, and of the others so many by lot. */
const asked = { newest: 60, others: 20 } as const;

/** How an assembly shows an entry: in a message of its own, or among what was said earlier. */
interface ShownEntry {
  readonly kind: 'entry' | 'shortened';
  readonly texts: readonly string[];
}

/** What an assembly shows, so that it can be asked often. */
interface ShownEntries {
  readonly entries: ReadonlyMap<string, ShownEntry>;
  readonly text: (section: OutMessage['section']) => string;
  /** Frames from the root to the active one. */
  readonly path: ReadonlySet<string>;
  /** Frames that the tree names as children. */
  readonly children: ReadonlySet<string>;
  /** Partial results, by their frame. */
  readonly partials: readonly PositionSpan[];
  /** Ranges of what is only counted: frames left out, children beyond the cap. */
  readonly counted: readonly PositionSpan[];
  /** Breadcrumbs of branches that were left. */
  readonly left: readonly PositionSpan[];
}

/**
 * **Coverage**: each entry has a place, and is there. Verbatim: it is in the
 * assembly as itself; shortened: with a marker that has its id; behind a
 * checkpoint: the frame has it, its range holds the entry, and it is shown if
 * the frame is active; behind a partial result: the tree shows it, or counts
 * its frame among those between, with the range; offloaded: it is human, and a
 * breadcrumb over its range is shown; left: the breadcrumb of its branch is
 * shown; behind results: the frame is closed or
 * blocked, and if its parent is on the path, the tree names or counts it. What
 * came since the epoch began may be behind a range that will hold it at the next.
 */
export function* coverageFaults(seen: LawContext): Iterable<string> {
  const { session, witness } = seen;
  const shown = shownEntries(seen);
  for (const [id, message] of shown.entries) {
    const { place } = session.where(id);
    if (place !== (message.kind === 'entry' ? 'verbatim' : 'shortened'))
      yield `${id} is ${message.kind} in the assembly and said to be ${place}`;
  }
  for (const n of positions(seen)) {
    const fault = placeFault(session.where(`e${n}`), { n, shown, seen });
    if (fault !== null)
      yield `e${n}, said to be ${session.where(`e${n}`).place}, ${fault} (${witness.said.length} entries)`;
  }
}

function shownEntries(seen: LawContext): ShownEntries {
  const { messages } = seen.assembly;
  const text = (section: OutMessage['section']): string =>
    messages
      .filter((message) => message.section === section && message.kind === 'made')
      .map(({ content }) => textOf(content))
      .join('\n');
  const frames = text('frames');
  const lists = [...frames.matchAll(/<titles>(.*?)<\/titles>/gs)].map(([list]) => list);
  const titled = lists.flatMap((list) => [...list.matchAll(/^ *(f\d+) /gm)]);
  const tree = treeOf(seen);
  const path = new Set<string>();
  for (let id: string | null = seen.state.active; id !== null; id = tree.get(id)?.parent ?? null)
    path.add(id);
  const ranges = (pattern: RegExp): PositionSpan[] =>
    [...frames.matchAll(pattern)].map(([, first, last]) => [Number(first), Number(last)]);
  return {
    entries: new Map(messages.flatMap(shownIn)),
    text,
    path,
    children: new Set([...frames.matchAll(/<child id="(f\d+)"/g), ...titled].map(([, id]) => id!)),
    partials: ranges(/<partial-results entries="e(\d+)–e(\d+)"/g),
    left: ranges(/<left [^>]*entries="e(\d+)–e(\d+)"\/>/g),
    counted: [
      ...ranges(/<more children="\d+" entries="e(\d+)–e(\d+)"\/>/g),
      ...ranges(/<!-- \d+ frames between, e(\d+)–e(\d+) -->/g),
    ],
  };
}

/** The entries that a message shows. */
function shownIn(message: OutMessage): readonly (readonly [id: string, shown: ShownEntry])[] {
  const texts = [textOf(message.content)];
  if (message.kind === 'made') {
    const shortened = new Set(
      [...texts[0]!.matchAll(/^\[(e\d+), shortened\] /gm)].map(([, id]) => id),
    );
    return (message.entries ?? []).map((id) => {
      const kind = shortened.has(id) ? 'shortened' : 'entry';
      return [id, { kind, texts }];
    });
  }
  if (message.role === 'assistant') texts.push(...(message.toolCalls ?? []).map(argumentsOf));
  return [[message.entry!, { kind: message.kind, texts }]];
}

function positions({ witness, thorough }: LawContext): readonly number[] {
  const last = witness.said.length;
  if (thorough) return witness.said.map(({ n }) => n);
  const newest = Math.min(last, asked.newest);
  const chosen = new Set(Array.from({ length: newest }, (_, index) => last - index));
  if (last > newest)
    for (let lot = 0; lot < asked.others; lot += 1)
      chosen.add(1 + nextRandom(witness, last - newest));
  return [...chosen];
}

interface PlaceQuestion {
  readonly n: number;
  readonly shown: ShownEntries;
  readonly seen: LawContext;
}

/** What is wrong with the place of an entry; null for nothing. */
function placeFault(place: Place, asked: PlaceQuestion): string | null {
  const { n, shown, seen } = asked;
  if (place.place === 'tree') return 'is no frame';
  const message = shown.entries.get(place.entry);
  switch (place.place) {
    case 'verbatim':
      return message?.kind === 'entry' ? null : 'is not in the assembly as itself';
    case 'shortened':
      if (message?.kind !== 'shortened') return 'is not in the assembly';
      return names(message, place.entry) ? null : 'has no marker with its id';
    case 'checkpoint':
      return checkpointFault(place, asked);
    case 'partial':
      return partialFault(place.frame, asked);
    case 'offloaded':
      if (!seen.witness.said[n - 1]!.human) return 'is not human';
      return offloadFault(place, asked);
    case 'results':
      return resultsFault(place.frame, asked);
    case 'left':
      return leftFault(place, asked);
    case 'invalidated':
      return statusOf(place.frame, seen) === 'invalidated'
        ? resultsFault(place.frame, asked)
        : 'is in a frame that is not invalidated';
  }
}

const names = ({ texts }: ShownEntry, id: string): boolean =>
  texts.some((text) => new RegExp(`\\b${id}\\b`).test(text));

function checkpointFault(
  place: Extract<Place, { place: 'checkpoint' }>,
  { n, shown, seen }: PlaceQuestion,
): string | null {
  const { checkpoint: id, frame } = place;
  const found = seen.state.checkpoints.find((checkpoint) => checkpoint.id === id);
  if (found === undefined || found.frame !== frame) return `is behind ${id}, which is not there`;
  if (!isWithin([position(found.from), position(found.to)], n))
    return `is not in the range of ${id}, ${found.from}–${found.to}`;
  if (frame !== seen.state.active)
    return shown.path.has(frame)
      ? partialFault(frame, { n, shown, seen })
      : resultsFault(frame, { n, shown, seen });
  return shown.text('checkpoints').includes(`<checkpoint id="${id}"`) ? null : `${id} is not shown`;
}

function partialFault(frame: string, { n, shown, seen }: PlaceQuestion): string | null {
  if (!shown.path.has(frame) || frame === seen.state.active)
    return `is in ${frame}, which is not set aside`;
  const { upTo } = seen.witness.epoch;
  const pointing = [...shown.partials, ...shown.counted];
  const held = pointing.some((range) => isWithin(range, n) || (n > upTo && range[0] < n));
  return held || n > upTo ? null : `is in no partial result that the tree shows`;
}

function offloadFault(
  place: Extract<Place, { place: 'offloaded' }>,
  { shown, n }: PlaceQuestion,
): string | null {
  if (!shown.path.has(place.frame)) return `is in ${place.frame}, which is off the path`;
  if (!isWithin([position(place.from), position(place.to)], n)) return 'is not in its own range';
  const human = shown.text('human');
  // A quote may be all of it.
  if (human.includes(`\n[e${n}] `)) return null;
  const crumbs = [...human.matchAll(/^\[(?:\d+ of )?e(\d+)(?:–e(\d+))? (?:is|are) out of view/gm)];
  return crumbs.some(([, first, last = first]) => isWithin([Number(first), Number(last)], n))
    ? null
    : `has no breadcrumb over it`;
}

function resultsFault(frame: string, { n, shown, seen }: PlaceQuestion): string | null {
  const status = statusOf(frame, seen);
  if (status === undefined || !(isClosed({ status } as never) || status === 'blocked'))
    return `is in ${frame}, which is ${status}`;
  const parent = treeOf(seen).get(frame)?.parent ?? null;
  if (parent === null || !shown.path.has(parent) || shown.children.has(frame)) return null;
  if (n > seen.witness.epoch.upTo || shown.counted.some((range) => isWithin(range, n))) return null;
  return `is in ${frame}, which the tree neither names nor counts`;
}

function leftFault(
  place: Extract<Place, { place: 'left' }>,
  { n, shown }: PlaceQuestion,
): string | null {
  if (!isWithin([position(place.from), position(place.to)], n)) return 'is not in its own range';
  return shown.left.some((range) => isWithin(range, n)) ? null : 'has no breadcrumb of its branch';
}

const statusOf = (frame: string, seen: LawContext): string | undefined =>
  treeOf(seen).get(frame)?.node.status;
const position = (id: string): number => Number(id.slice(1));
