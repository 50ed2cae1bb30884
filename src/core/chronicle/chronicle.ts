import { fading } from '../values/fading.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';
import { readLately } from '../values/read-once.ts';
import type { FrameId, TextId } from '../values/id.ts';
import type { FileEvent } from '../file-events/file-events.ts';
import { emptyIndex, withEvents, type FileIndex } from '../file-index/file-index.ts';
import { linesTokens, type Line, type NumberedLine } from '../lines/line.ts';
import { partitionPoint } from '../values/partition-point.ts';

// The chronicle of a session: the lines of all that left the window. A line
// stands in the checkpoint of its range as long as that has room for it; after
// that it stands in the chronicle, while it is worth more than a floor. The floor
// is raised only where the chronicle would be above its cap, and then a good step,
// so that it stays byte for byte through several compressions and only grows.

/** A line as it is kept: its text lies in a stored text, a row for each line. */
export interface KeptLine extends Omit<Line, 'text'> {
  /** Number of the line, from 1, over all frames. */
  readonly id: number;
  readonly frame: FrameId;
  readonly source: TextId;
  /** Its row there, from 0. */
  readonly row: number;
  /** Compressions before it was made. */
  readonly made: number;
  /** Names that it is the first to tell, of those of its entries. */
  readonly names: number;
}

/** The lines of everything that left the window, in the order of their entries. */
export interface Chronicle {
  /** Lines made so far. */
  readonly made: number;
  /** The folder that files are told from; '' for none. */
  readonly root: string;
  readonly lines: readonly KeptLine[];
  /** The files that the work was about. */
  readonly index: FileIndex;
}

/** A chronicle before the first line. */
export const emptyChronicle: Chronicle = { made: 0, root: '', lines: [], index: emptyIndex };

/** What entries that leave the window bring. */
export interface ChronicleEntry {
  readonly frame: FrameId;
  /** The folder that files are told from; '' for none. */
  readonly root: string;
  readonly lines: readonly KeptLine[];
  /** What happened to files in the entries. */
  readonly events: readonly FileEvent[];
  /** Numbers of the lines that these correct and take the place of. */
  readonly gone?: readonly number[];
}

/** What the chronicle shows in an epoch: the lines above a floor, their worth as of some compression. */
export interface ChronicleFloor {
  readonly floor: number;
  /** Compressions when the floor was set; each since a line was made takes off a little of its worth. */
  readonly asOf: number;
}

/** What is shown before the first compression. */
export const noFloor: ChronicleFloor = { floor: 0, asOf: 0 };

/** The share of its worth that a line keeps from one compression to the next. */
const shareLeft = fading(0.98);

/** Share of the cap that the chronicle takes after its floor was raised, so that it can grow for a while. */
const roomy = 0.75;

/** Share of the cap below which the floor falls again, where it hides lines. */
const sparse = 0.6;

/** Lines that are kept for each that is shown, and at least: a floor may fall; what is forgotten is found by recall. */
const spare = { times: 2, least: 400 } as const;

/** The worth of a line as of some compression. */
export const worthAt = ({ worth, made }: Pick<KeptLine, 'worth' | 'made'>, asOf: number): number =>
  asOf <= made ? worth : worth * shareLeft(asOf - made);

/**
 * The chronicle with the lines of a frame's entries that leave the window, in place of any it had of
 * them; a list, in place of the one before. Corrections stand in place of the lines that are `gone`;
 * `compressions` is how many there were before.
 */
export function withLines(
  chronicle: Chronicle,
  added: ChronicleEntry,
  compressions: number,
): Chronicle {
  const { frame, root, lines, gone } = added;
  const index = withEvents(chronicle.index, added.events, { frame, root, at: compressions });
  if (lines.length === 0 && gone === undefined) return { ...chronicle, root, index };
  const [first, last] = [lines[0]?.n ?? 0, lines.at(-1)?.to ?? 0];
  const isListed = lines.some(({ kind }) => kind === 'list');
  const isReplaced = (line: KeptLine): boolean =>
    line.frame === frame &&
    ((line.to >= first && line.n <= last) || (isListed && line.kind === 'list'));
  const corrected = new Set(gone);
  const kept = chronicle.lines.filter((line) =>
    gone === undefined ? !isReplaced(line) : !corrected.has(line.id),
  );
  return {
    root,
    index,
    made: Math.max(chronicle.made, ...lines.map(({ id }) => id)),
    lines: [...kept, ...lines].sort((a, b) => a.n - b.n || a.id - b.id),
  };
}

/** The chronicle without the lines of closed frames, and without those of the least worth where there are many that stand nowhere. */
export function withoutFaded(
  chronicle: Chronicle,
  context: {
    readonly isOpen: (frame: FrameId) => boolean;
    readonly standing: ReadonlySet<number>;
    readonly floor: ChronicleFloor;
  },
): Chronicle {
  const { isOpen, standing, floor } = context;
  let lastOpen: FrameId | null = null;
  const isHere = ({ frame }: { readonly frame: FrameId }): boolean => {
    if (frame === lastOpen) return true;
    if (!isOpen(frame)) return false;
    lastOpen = frame;
    return true;
  };
  const { lines, index } = chronicle;
  const areHere = [lines, index.files, index.commands].every((all) => all.every(isHere));
  const here = areHere
    ? chronicle
    : {
        ...chronicle,
        lines: lines.filter(isHere),
        index: { files: index.files.filter(isHere), commands: index.commands.filter(isHere) },
      };
  const open = here.lines;
  if (open.length <= spare.least) return here;
  const worths = worthsAt(open, floor.asOf);
  const isIdle = (index: number): boolean =>
    worths[index]! < floor.floor && !standing.has(open[index]!.id);
  const idle = worths.filter((_, index) => isIdle(index)).sort();
  const most = Math.max(spare.least, spare.times * (open.length - idle.length));
  const over = open.length - most;
  if (over <= 0) return here;
  // Of those that are worth as much as the last that goes, the oldest go.
  const last = idle[over - 1]!;
  let even = over - idle.indexOf(last);
  const isGone = (index: number): boolean =>
    isIdle(index) && (worths[index]! < last || (worths[index] === last && even-- > 0));
  return { ...here, lines: open.filter((_, index) => !isGone(index)) };
}

/** The worth of each line as of some compression. */
const worthsAt = (lines: readonly KeptLine[], asOf: number): Float64Array =>
  new Float64Array(lines.map((line) => worthAt(line, asOf)));

/** The lines that an epoch shows under a floor. */
export function linesAbove(
  lines: readonly KeptLine[],
  { floor, asOf }: ChronicleFloor,
): readonly KeptLine[] {
  return floor === 0 ? lines : lines.filter((line) => worthAt(line, asOf) >= floor);
}

/** The floor that keeps lines within a cap in tokens: the present one while it does, else one that leaves room to grow. */
export function floorWithin(
  lines: readonly KeptLine[],
  cap: number,
  context: { readonly present: ChronicleFloor; readonly now: number; readonly part?: Part },
): ChronicleFloor {
  const { present, now, part = atOnce } = context;
  if (lines.length === 0) return present;
  const above = part(() => linesAbove(lines, present));
  const tokens = part(() => linesTokens(above));
  if (tokens <= cap && (above.length === lines.length || tokens >= cap * sparse)) return present;
  const worths = part(() => worthsAt(lines, now));
  const rising = part(() => worths.toSorted());
  const tokensFrom = (floor: number): number =>
    part(() => linesTokens(lines, (index) => floor === 0 || worths[index]! >= floor));
  const isOver = (index: number): boolean => tokensFrom(rising[index]!) > cap * roomy;
  const least = rising[partitionPoint(rising.length, isOver)];
  return { floor: least ?? Number.MAX_VALUE, asOf: now };
}

/** The chronicle with the texts of all lines in one source, in their order. */
export const gathered = (chronicle: Chronicle, source: TextId): Chronicle => ({
  ...chronicle,
  lines: chronicle.lines.map((line, row) => ({ ...line, source, row })),
});

/** The rows of a source. */
const rowsOf = readLately((source): readonly string[] => source.split('\n'), 32);

/** The lines with their texts. */
export function readLines(
  lines: readonly KeptLine[],
  read: (source: TextId) => string,
  part: Part = atOnce,
): readonly NumberedLine[] {
  const rows = new Map<TextId, readonly string[]>();
  return mapInParts(lines, part, (line) => {
    let texts = rows.get(line.source);
    if (texts === undefined) rows.set(line.source, (texts = rowsOf(read(line.source))));
    const { n, to, turn, kind, tokens, worth, file, id } = line;
    return { id, n, to, turn, kind, text: texts[line.row] ?? '', tokens, worth, file };
  });
}

/** Lines as they are kept; `source` has a row for each. */
export function keptLines(
  lines: readonly Line[],
  context: {
    readonly frame: FrameId;
    readonly source: TextId;
    /** Lines made before. */
    readonly after: number;
    /** Compressions before. */
    readonly compressions: number;
    readonly names: readonly number[];
  },
): readonly KeptLine[] {
  const { frame, source, after, compressions, names } = context;
  return lines.map(({ n, to, turn, kind, tokens, worth, file }, row) => ({
    n,
    to,
    turn,
    kind,
    tokens,
    worth,
    file,
    id: after + row + 1,
    frame,
    source,
    row,
    made: compressions,
    names: names[row] ?? 0,
  }));
}
