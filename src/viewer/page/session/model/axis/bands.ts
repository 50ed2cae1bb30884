import type { parts, Step } from '../wire.ts';

// The prompt over time as areas, one upon the other: data to paths, without a page.

/** A drawing of `width` by `height` units. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Tokens that it reaches to at least. */
  readonly least?: number;
}

/** The areas of a history. */
export interface Bands {
  /** A path for each part, the lowest first. */
  readonly areas: readonly string[];
  /** The size of the whole prompt. */
  readonly top: string;
  /** The size at which a compression is due, and the limit: each holds until it changes. */
  readonly due: string;
  readonly limit: string;
  /** The size that is as high as the drawing, in tokens. */
  readonly most: number;
}

/** Draws steps that stand at `places`, from 0 to 1; of those in one column the highest, the lowest and the outer ones. */
export function bandsOf(steps: readonly Step[], places: Float64Array, canvas: Canvas): Bands {
  const { width, height, least = 1 } = canvas;
  const sums = steps.map(({ sizes }) => {
    let sum = 0;
    return sizes.map((size) => (sum += size));
  });
  const totals = sums.map((one) => one.at(-1) ?? 0);
  const corners = pointsOf(columns(places, totals, width), steps);
  const most = corners.reduce((top, { at }) => Math.max(top, totals[at]!, steps[at]!.limit), least);
  const y = (tokens: number): string => (height - (tokens / most) * height).toFixed(1);
  const line = (value: (at: number) => number): string =>
    corners.map(({ x, at }) => `${(places[x]! * width).toFixed(1)},${y(value(at))}`).join('L');
  const parts = steps[0]?.sizes.length ?? 0;
  const areas = Array.from({ length: parts }, (_, part) => {
    const below = line((at) => (part === 0 ? 0 : sums[at]![part - 1]!))
      .split('L')
      .toReversed()
      .join('L');
    return corners.length === 0 ? '' : `M${line((at) => sums[at]![part]!)}L${below}Z`;
  });
  const stairs = (value: (step: Step) => number): string => {
    const [first, ...rest] = corners.map(({ x, at }) => ({
      x: places[x]! * width,
      y: y(value(steps[at]!)),
    }));
    if (first === undefined) return '';
    return `M${first.x.toFixed(1)},${first.y}${rest.map((one) => `H${one.x.toFixed(1)}V${one.y}`).join('')}`;
  };
  return {
    areas,
    top: corners.length === 0 ? '' : `M${line((at) => totals[at]!)}`,
    due: stairs(({ due }) => Math.min(due, most)),
    limit: stairs(({ limit }) => limit),
    most,
  };
}

/** What a server counted, where it stands on the axis. */
export interface CountPlace {
  readonly place: number;
  readonly sent: number;
  /** In our tokens. */
  readonly ours: number;
  readonly isCut?: boolean;
}

/** Dots at what was counted, and lines down to them from what was sent where much is missing; in one column the worst. */
export function countsOf(
  counts: readonly CountPlace[],
  { width, height, most }: Canvas & { readonly most: number },
): { readonly dots: string; readonly gaps: string } {
  const worst = new Map<number, CountPlace>();
  for (const one of counts) {
    const column = Math.round(one.place * width);
    const worstSoFar = worst.get(column);
    if (
      worstSoFar === undefined ||
      one.isCut ||
      one.ours * worstSoFar.sent < worstSoFar.ours * one.sent
    )
      worst.set(column, one);
  }
  const y = (tokens: number): string => (height - (tokens / most) * height).toFixed(1);
  const drawn = [...worst];
  return {
    dots: drawn.map(([x, { ours }]) => `M${x},${y(ours)}h0`).join(''),
    gaps: drawn
      .filter(([, one]) => one.isCut === true || isShort(one))
      .map(([x, { sent, ours }]) => `M${x},${y(sent)}V${y(ours)}`)
      .join(''),
  };
}

/** Whether a server counted so much less than was sent that part of it is missing. */
export const isShort = (one: { readonly sent: number; readonly ours: number }): boolean =>
  one.ours < 0.7 * one.sent;

/** Whether what a server counted is another size than what was sent: then both are told. */
export const isApart = ({ sent, ours, isCut = false }: Omit<CountPlace, 'place'>): boolean =>
  isCut || Math.abs(ours - sent) > 0.1 * sent;

/** A corner of a line: as high as the step `at`, above the step `x`. */
interface Corner {
  readonly x: number;
  readonly at: number;
}

/** The corners of steps in a row: parts rise little by little, and fall all at once. */
const pointsOf = (indexes: readonly number[], steps: readonly Step[]): readonly Corner[] =>
  indexes.flatMap((at, index) => {
    const before = indexes[index - 1];
    const { sizes } = steps[at]!;
    const falls =
      before !== undefined && steps[before]!.sizes.some((size, part) => sizes[part]! < size);
    return [...(falls ? [{ x: at, at: before }] : []), { x: at, at }];
  });

/** Most steps that are drawn of a column. */
export const mostDrawn = 4;

/** At most {@link mostDrawn} steps for each column: the first, the last, the highest and the lowest. */
function columns(
  places: Float64Array,
  totals: readonly number[],
  width: number,
): readonly number[] {
  const indexes: number[] = [];
  for (let first = 0; first < places.length;) {
    const column = Math.floor(places[first]! * width);
    let [end, high, low] = [first + 1, first, first];
    while (end < places.length && Math.floor(places[end]! * width) === column) {
      if (totals[end]! > totals[high]!) high = end;
      if (totals[end]! < totals[low]!) low = end;
      end += 1;
    }
    indexes.push(...[...new Set([first, high, low, end - 1])].sort((one, other) => one - other));
    first = end;
  }
  return indexes;
}

/** Those of some marks that are at least a share of the axis apart. */
export function thin<T extends { readonly at: number }>(
  marks: readonly T[],
  places: Float64Array,
  most: number,
): readonly T[] {
  let last = -1;
  return marks.filter(({ at }) => {
    const isFar = places[at]! - last >= 1 / most;
    if (isFar) last = places[at]!;
    return isFar;
  });
}

/** Those of some marks, the most important first, that are at least a share of the axis apart. */
export function apart<T extends { readonly at: number }>(
  marks: readonly T[],
  places: Float64Array,
  most: number,
): readonly T[] {
  const kept: T[] = [];
  for (const one of marks)
    if (kept.every(({ at }) => Math.abs(places[at]! - places[one.at]!) >= 1 / most)) kept.push(one);
  return kept;
}

/** Numbers in a row that have one mark, which stands in the middle of them, from 0 to 1. */
export interface MarkGroup {
  readonly first: number;
  readonly last: number;
  readonly place: number;
}

/** Marks in a row of which none overlaps the next: those that would are one. `room` tells how wide one is. */
export function merged(
  marks: readonly MarkGroup[],
  room: (group: MarkGroup) => number,
): readonly MarkGroup[] {
  const groups: MarkGroup[] = [];
  for (const mark of marks) {
    let group = mark;
    for (let before = groups.at(-1); before !== undefined; before = groups.at(-1)) {
      if (group.place - before.place >= (room(before) + room(group)) / 2) break;
      groups.pop();
      const { first } = before;
      group = { first, last: mark.last, place: (marks[first]!.place + mark.place) / 2 };
    }
    groups.push(group);
  }
  return groups;
}

/** The parts in words for a person. */
export const words: Readonly<Record<(typeof parts)[number], string>> = {
  system: 'System prompt',
  tools: 'Tools',
  goal: 'Goal',
  frames: 'Frames',
  checkpoints: 'Checkpoints',
  chronicle: 'Chronicle',
  human: 'Older words of people',
  working: 'Entries',
};
