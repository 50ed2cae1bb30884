import type { Budget } from '../../index.ts';
import type { Format } from '../paper/format.ts';
import type { Paper } from '../paper/paper.ts';
import { many, number } from '../paper/size.ts';
import { widthOf } from '../paper/width.ts';

/** What the bar, its legend and its meter tell of. */
export type Spent = Omit<Budget, 'window' | 'reserve' | 'available' | 'counted' | 'count'>;

/** A group of sections in the bar. */
interface Group {
  readonly name: 'pinned' | 'chronicle' | 'frames' | 'checkpoints' | 'working';
  readonly tokens: number;
  readonly format: Format;
}

/** The groups that the limit is spent on, roughly in the order of an assembly. */
function groupsOf(budget: Spent): readonly Group[] {
  const { system, tools, goal, human, frames, checkpoints, chronicle, working } = budget;
  return [
    { name: 'pinned', tokens: system + tools + goal + human, format: 'green' },
    { name: 'chronicle', tokens: chronicle, format: 'magenta' },
    { name: 'frames', tokens: frames, format: 'cyan' },
    { name: 'checkpoints', tokens: checkpoints, format: 'yellow' },
    { name: 'working', tokens: working, format: 'blue' },
  ];
}

/** Tokens of the whole at which compression is due. */
export function triggerOf(budget: Spent): number {
  return budget.total - budget.human - budget.working + budget.threshold;
}

/** The limit as one line over the whole width, with a mark where compression starts. */
export function bar(budget: Spent, paper: Paper): string {
  const { width, glyphs, paint } = paper;
  const cells: [sign: string, format: Format][] = [];
  let sum = 0;
  for (const { name, tokens, format } of groupsOf(budget)) {
    sum += tokens;
    const end = Math.min(width, Math.round((sum / budget.limit) * width));
    while (cells.length < end) cells.push([glyphs[name], format]);
  }
  while (cells.length < width) cells.push([glyphs.free, 'gray']);
  const mark = Math.round((triggerOf(budget) / budget.limit) * width);
  cells[Math.min(width - 1, Math.max(0, mark))] = [glyphs.mark, 'red'];
  return joinRuns(cells)
    .map(([signs, format]) => paint(signs, format))
    .join('');
}

/** Neighbors of one format joined, so that a line holds few escape codes. */
function joinRuns(cells: readonly (readonly [string, Format])[]): [string, Format][] {
  const joined: [string, Format][] = [];
  for (const [sign, format] of cells) {
    const last = joined.at(-1);
    if (last?.[1] === format) last[0] += sign;
    else joined.push([sign, format]);
  }
  return joined;
}

/** The legend of the bar, without what is empty: with the tokens of each group where the width is enough, else the names alone. */
export function legend(budget: Spent, paper: Paper): string {
  const { glyphs, paint, width } = paper;
  const groups = groupsOf(budget).filter(({ tokens }) => tokens > 0);
  for (const { isCounted, gap } of legends) {
    const rest = groups.map(
      ({ name, tokens }) => ` ${name}${isCounted ? ` ${number(tokens)}` : ''}`,
    );
    const plain = groups.map(({ name }, index) => glyphs[name] + rest[index]).join(gap);
    if (widthOf(plain) > width) continue;
    return groups
      .map(({ name, format }, index) => paint(glyphs[name], format) + rest[index])
      .join(gap);
  }
  return '';
}

/** Whether each name has its tokens, and what stands between; from roomy to tight. */
const legends: readonly { readonly isCounted: boolean; readonly gap: string }[] = [
  { isCounted: true, gap: '   ' },
  { isCounted: true, gap: '  ' },
  { isCounted: true, gap: ' ' },
  { isCounted: false, gap: '  ' },
  { isCounted: false, gap: ' ' },
];

/** Total and limit, and how far compression is, as far as the width goes. Where all of it would not fit, the unit stands once. */
export function meter(budget: Spent, paper: Paper, extra: readonly string[] = []): string {
  const remaining = triggerOf(budget) - budget.total;
  const head = `Context ${number(budget.total)} of ${number(budget.limit)}`;
  const due = remaining > 0 ? `compresses in ${many(remaining, 'token')}` : 'compression is due';
  const fullParts = fitting([`${head} tokens`, due, ...extra], paper.width);
  const tight = remaining > 0 ? fitting([head, due, ...extra], paper.width) : fullParts;
  const parts = tight.length > fullParts.length ? tight : fullParts;
  return parts.join(gap).replace(/\d[\d,]*/, (total) => paper.paint(total, 'bold'));
}

/** As many of these parts as the width takes, but always the first. */
function fitting(parts: readonly string[], width: number): readonly string[] {
  const fits = parts.findLastIndex(
    (_, index) => widthOf(parts.slice(0, index + 1).join(gap)) <= width,
  );
  return parts.slice(0, Math.max(1, fits + 1));
}

/** What stands between two parts of a meter. */
const gap = '   ';
