import { isAsking } from './said-shortly.ts';

// What is handed back, in pieces: whole lines that stand and leave together. A head stands only above lines of its
// own, and where pieces were left out a mark names their entries, or how many they are and where they are found.

const shares = [
  'people',
  'goal',
  'tasks',
  'changes',
  'chronicle',
  'files',
  'frames',
  'checkpoints',
  'entries',
] as const;

/** What has a room of its own beside the others. */
export type Share = (typeof shares)[number];

/** Lines that stand and leave together. */
export interface Piece {
  readonly lines: readonly string[];
  /** An `item` may leave; a `head` leaves with the last item below it, an `end` with its head; the rest `stays`. */
  readonly kind: 'stays' | 'head' | 'end' | 'item';
  readonly share: Share;
  /** How deep a head or an end stands; a head ends where one begins that is no deeper. */
  readonly depth: number;
  /** The first and the last of its entries; none where it names none. */
  readonly ids: readonly number[];
}

/** The pieces of a part that the engine made. */
export function toldPieces(lines: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let share = shareOf(lines[0] ?? '');
  let isDescribed = share !== 'goal';
  for (const [at, line] of lines.entries()) {
    const last = pieces.at(-1);
    if (last?.kind === 'item' && goesOn(last.lines, line)) {
      pieces[pieces.length - 1] = { ...last, lines: [...last.lines, line] };
      continue;
    }
    if (filesHead.test(line)) share = 'files';
    if (share === 'goal' && goalHead.test(line)) isDescribed = true;
    const [kind, depth] = standing(line, { share, isStart: at === 0 || !isDescribed });
    const own = share === 'chronicle' && changing.test(line) ? 'changes' : share;
    pieces.push({ lines: [line], kind, share: own, depth, ids: idsIn(line) });
  }
  return pieces;
}

/** How much of the room each share may take beside the others. */
const weights: Readonly<Record<Share, number>> = {
  people: 6,
  goal: 4,
  tasks: 4,
  changes: 3,
  chronicle: 4,
  files: 2,
  frames: 4,
  checkpoints: 4,
  entries: 4,
};

/**
 * The pieces that may leave, in the order in which they do: each time of the share that takes most for its weight, its
 * oldest. The newest of each share leave when nothing else is left to, and the newest request, where it is an item, never.
 */
export function leavingOf(pieces: readonly Piece[]): readonly Piece[] {
  const sizes = new Map(shares.map((share) => [share, 0]));
  for (const piece of pieces) sizes.set(piece.share, sizes.get(piece.share)! + lengthOf(piece));
  const request = pieces.findLast(({ share, ids }) => share === 'people' && ids.length > 0);
  const queues = shares.map((share) => queueOf(pieces, share).filter((piece) => piece !== request));
  return [
    ...inTurn(
      queues.map((queue) => queue.slice(0, -1)),
      sizes,
    ),
    ...inTurn(
      queues.map((queue) => queue.slice(-1)),
      sizes,
    ),
  ];
}

/** How long the lines of a piece are, in UTF-16 units. */
export const lengthOf = ({ lines }: Piece): number =>
  lines.reduce((sum, line) => sum + line.length + 1, 0);

/**
 * What may leave of a share, what matters least first: of files those that were only read, the least used first, of goal
 * and tasks what is done, and of what people said what neither asks for work nor lays anything down.
 */
function queueOf(pieces: readonly Piece[], share: Share): readonly Piece[] {
  const items = pieces.filter((piece) => piece.share === share && piece.kind === 'item');
  const queue = share === 'files' ? items.toReversed() : items;
  const isLess = lessOf[share];
  if (isLess === undefined) return queue;
  const less = new Set(queue.filter(isLess));
  return [...less, ...queue.filter((piece) => !less.has(piece))];
}

const isDone = ({ lines }: Piece): boolean => lines[0]!.startsWith('- [x]');

/** What leaves of a share before the rest does. */
const lessOf: Readonly<Partial<Record<Share, (piece: Piece) => boolean>>> = {
  people: ({ lines }) => !isAsking(lines),
  goal: isDone,
  tasks: isDone,
  files: ({ lines }) => !/\(changed e\d/.test(lines[0]!),
};

/** The pieces of all queues in one, each time of the share that takes most for its weight. */
function inTurn(
  queues: readonly (readonly Piece[])[],
  sizes: Map<Share, number>,
): readonly Piece[] {
  const waiting = queues.map((queue) => queue.toReversed());
  const order: Piece[] = [];
  for (;;) {
    const most = waiting
      .filter((queue) => queue.length > 0)
      .map((queue) => ({ queue, part: sizes.get(queue[0]!.share)! / weights[queue[0]!.share] }))
      .sort((a, b) => b.part - a.part)[0];
    if (most === undefined) return order;
    const piece = most.queue.pop()!;
    sizes.set(piece.share, sizes.get(piece.share)! - lengthOf(piece));
    order.push(piece);
  }
}

/** The text of pieces without those that `left`. */
export function piecesText(pieces: readonly Piece[], left: ReadonlySet<Piece>): string {
  const lines: string[] = [];
  let missing: Piece[] = [];
  const shown = shownOf(pieces, left);
  for (const piece of pieces) {
    if (left.has(piece)) missing.push(piece);
    if (!shown.has(piece)) continue;
    lines.push(...marksOf(missing), ...piece.lines);
    missing = [];
  }
  return [...lines, ...marksOf(missing)].join('\n');
}

/** What did not leave, with the heads that still have something below them, and their ends. */
function shownOf(pieces: readonly Piece[], left: ReadonlySet<Piece>): ReadonlySet<Piece> {
  const shown = new Set<Piece>();
  let heads: readonly Piece[] = [];
  for (const piece of pieces) {
    const { kind, depth } = piece;
    if (kind === 'head') heads = [...heads.filter((head) => head.depth < depth), piece];
    else if (kind === 'end') {
      if (heads.some((head) => head.depth === depth && shown.has(head))) shown.add(piece);
      heads = heads.filter((head) => head.depth < depth);
    } else if (!left.has(piece)) {
      if (kind === 'item') for (const head of heads) shown.add(head);
      else heads = [];
      shown.add(piece);
    }
  }
  return shown;
}

/** The marks for pieces that were left out one after the other. */
function marksOf(missing: readonly Piece[]): readonly string[] {
  const ids = missing.flatMap((piece) => piece.ids);
  const [from, to] = [Math.min(...ids), Math.max(...ids)];
  const range = from === to ? `… [e${from}]` : `… [e${from}–e${to}]`;
  const nameless = missing.filter((piece) => piece.ids.length === 0);
  const counts = shares.flatMap((share) => {
    const { length } = nameless.filter((piece) => piece.share === share);
    return length === 0 ? [] : [`… [${length} more${where[share]}]`];
  });
  return ids.length === 0 ? counts : [range, ...counts];
}

/** Where that is found which was left out and names no entry. */
const where: Readonly<Record<Share, string>> = {
  people: ': recall',
  goal: ' of the goal: `flamestack show --section goal`',
  tasks: ' tasks: recall',
  changes: ': recall',
  chronicle: ': recall',
  files: ' files and commands: recall finds each by its name',
  frames: ': recall opens a frame by its id, as f1',
  checkpoints: ': `flamestack show --section checkpoints`',
  entries: ': recall',
};

/** The numbers of the entries that an item begins with, or that its tag names; none for others. */
function idsIn(line: string): readonly number[] {
  const [, from, to = from] =
    /^(?:- |\[)e(\d{1,9})(?:–e(\d{1,9}))?/.exec(line) ??
    /^\s{0,40}<[a-z-]{1,30} [^>]{0,200}entries="e(\d{1,9})–e(\d{1,9})"/.exec(line) ??
    [];
  return from === undefined ? [] : [Number(from), Number(to)];
}

const filesHead = /^Files and commands\b[^\n]{0,200}:$/;

const goalHead = /^(?:Milestones|Decisions|Artifacts|Next):$/;

/** A line of what was changed or committed. */
const changing = /^- e\d[\de–]{0,20} (?:changed |commit: |pull request: )/;

/** What stands above the items of the list that the agent keeps. */
export const tasksHead = 'The list of the agent as it stands now:';

/** Whose room a part takes, by how it begins. */
function shareOf(first: string): Share {
  if (first.startsWith('Said earlier')) return 'people';
  if (first.startsWith('<goal')) return 'goal';
  if (first === tasksHead) return 'tasks';
  if (first.startsWith('<frame')) return 'frames';
  return first.startsWith('<checkpoint') ? 'checkpoints' : 'chronicle';
}

/** What a line is of a part, and how deep it stands. */
function standing(
  line: string,
  { share, isStart }: { readonly share: Share; readonly isStart: boolean },
): readonly [Piece['kind'], number] {
  if (/^\s{0,40}<(?:checkpoint|partial-results)\b/.test(line)) return ['head', 1];
  if (/^\s{0,40}<\/(?:checkpoint|partial-results)>/.test(line)) return ['end', 1];
  if (/^<\/?(?:goal|frame)\b|^ {2}<title>|^(?:The next message is |\[That was said in )/.test(line))
    return ['stays', 0];
  if (filesHead.test(line) || line === tasksHead) return ['head', 1];
  if (/^After e\d.*:$/.test(line) || (share === 'goal' && goalHead.test(line))) return ['head', 2];
  const isItem = /^(?:- |\[e\d)/.test(line);
  return isStart && (!isItem || share === 'goal') ? ['stays', 0] : ['item', 0];
}

/** Whether a line belongs to the item above it: a line of the same message, or of an element that is not closed. */
function goesOn(above: readonly string[], line: string): boolean {
  const tag = /^\s{0,40}<([a-z-]{1,30})[\s>]/.exec(above[0]!)?.[1];
  if (tag !== undefined) {
    const text = above.join('\n');
    return text.split(`<${tag}`).length > text.split(`</${tag}>`).length;
  }
  return /^(?:\s|$)/.test(line) && !/^\s{0,40}<\/?[a-z-]{1,30}\b/.test(line);
}
