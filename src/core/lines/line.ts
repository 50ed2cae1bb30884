import { sanitizeLine } from '../text/sanitize.ts';
import type { Count } from '../messages/token-count.ts';
import { entryId } from '../values/id.ts';
import { atOnce, growInParts, type Part } from '../values/parts.ts';
import { restMark, startMark } from './list-parts.ts';
import { sourceHead } from './sources.ts';

// The chronicle tells what happened in lines, each in the words of the log with
// the id of the entry that it stands for. Lines are made once, when their entries
// leave the window, with a worth that fixes the order in which they are dropped;
// nothing is read again to shorten what they make up.
//
//   After e17 "use argon2id, not bcrypt":
//   - e18 bcrypt truncates at 72 bytes, so long passphrases collide.
//   - e19–e31 changed src/auth/hash.ts (+ function hashPassword(plain, cost))
//   - e33 `npm test` failed: 2 tests time out; worked in e41

/** What a line tells: what was asked, said, read, done, changed, or failed; or a list of the host's. */
export type LineKind = 'asked' | 'list' | 'said' | 'read' | 'done' | 'changed' | 'failed';

/** One line of the chronicle or of a checkpoint. */
export interface Line {
  /** Position of the entry that it stands for, of a stretch the first. */
  readonly n: number;
  /** Position of the last entry of a stretch; `n` for one entry. */
  readonly to: number;
  /** Position of the person's entry that its turn began with; 0 before the first. */
  readonly turn: number;
  readonly kind: LineKind;
  readonly text: string;
  /** Tokens of the text. */
  readonly tokens: number;
  /** Its value for its length; the least goes first. */
  readonly worth: number;
  /** The file that it tells of, as the call gave it, or the issue, where it was read or done; '' for none. */
  readonly file: string;
}

/** A line with its number among those that were made with it. */
export type NumberedLine = Line & { readonly id: number };

/** Lines with their numbers, the first of which is `from`. */
export const numbered = (lines: readonly Line[], from = 1): readonly NumberedLine[] =>
  lines.map((line, row) => ({ ...line, id: from + row }));

/** A line without its text, as far as its place and its cost go. */
export type LinePlace = Pick<Line, 'n' | 'to' | 'turn' | 'kind' | 'tokens'>;

/** Tokens of the line break, the bullet and the ids before the first line of an item, at most. */
const itemTokens = 10;

/** Tokens of the line that opens a turn, without what was asked, at most. */
const turnTokens = 10;

/** Tokens of what parts an item from the one before it, at most, and a line from the one before it in its item. */
const gapTokens = { items: 1, lines: 2 } as const;

/**
 * The lines of the most worth that fit `room` tokens together, in their order; `worth` in place of
 * their own where given. Those of one turn and of one item stand together.
 */
export function fitLines<L extends LinePlace & { readonly worth: number }>(
  lines: readonly L[],
  room: number,
): readonly L[] {
  const best = [...lines.keys()].sort((a, b) => lines[b]!.worth - lines[a]!.worth);
  const turns = new Set<number>();
  const items = new Set<string>();
  const kept = new Set<number>();
  let remaining = room;
  for (const index of best) {
    const line = lines[index]!;
    if (line.tokens + gapTokens.items > remaining) continue;
    const item = `${line.kind} ${line.n} ${line.to}`;
    const tokens = costOf(line, { opensTurn: !turns.has(line.turn), opensItem: !items.has(item) });
    if (tokens > remaining) continue;
    remaining -= tokens;
    turns.add(line.turn);
    items.add(item);
    kept.add(index);
  }
  return lines.filter((_, index) => kept.has(index));
}

/** Tokens that lines cost together as text, at most; of all of them, or of those that are told. */
export function linesTokens(
  lines: readonly LinePlace[],
  isTold: (index: number) => boolean = () => true,
): number {
  let last: LinePlace | undefined;
  let sum = 0;
  for (let index = 0; index < lines.length; index += 1) {
    if (!isTold(index)) continue;
    const line = lines[index]!;
    const opensItem = !isSameItem(line, last);
    sum += costOf(line, { opensTurn: line.turn !== last?.turn, opensItem });
    last = line;
  }
  return sum;
}

/** What one more line costs: its text, and its head where it is the first of its turn or item. */
const costOf = (
  { kind, tokens }: LinePlace,
  { opensTurn, opensItem }: { readonly opensTurn: boolean; readonly opensItem: boolean },
): number =>
  tokens +
  (opensItem ? gapTokens.items : gapTokens.lines) +
  (opensTurn ? turnTokens : 0) +
  (opensItem && kind !== 'asked' ? itemTokens : 0);

/** Whether two lines are told as one item. */
const isSameItem = (line: LinePlace, other: LinePlace | null | undefined): boolean =>
  line.kind === other?.kind && line.n === other.n && line.to === other.to;

/** Lines as text: turn by turn, the lines of one entry as one item, `…` where any are left out between them. */
export const printLines = (lines: readonly NumberedLine[], part: Part = atOnce): string =>
  printed(lines, { isSame: isSameItem, nameOf: idsOf, part });

/** Lines as text in which each can be named: by its number. */
export const printNumbered = (lines: readonly NumberedLine[]): string =>
  printed(lines, {
    isSame: () => false,
    nameOf: (line) => `#${line.id} ${idsOf(line)}`,
    part: atOnce,
  });

function printed(
  lines: readonly NumberedLine[],
  {
    isSame,
    nameOf,
    part,
  }: { isSame: typeof isSameItem; nameOf: (line: NumberedLine) => string; part: Part },
): string {
  const kept = part(() => withoutEmptyTurns(lines));
  const from = (): string[] => [];
  const add = (printed: string[], line: NumberedLine, index: number): void => {
    const last = kept[index - 1];
    if (line.turn !== last?.turn) printed.push(turnHead(line));
    if (line.kind === 'asked') return;
    if (isSame(line, last)) printed.push(joined(printed.pop()!, last!, line));
    else printed.push(`- ${nameOf(line)} ${line.text}`);
  };
  return growInParts(kept, part, { from, add }).join('\n');
}

/** What is told of an item up to a line, with the next one of it; the file and the head that both have are said once. */
function joined(printed: string, before: NumberedLine, line: NumberedLine): string {
  const isNext = line.id === before.id + 1;
  const file = sourceHead(line.text);
  const from = before.text.startsWith(file) ? file.length : 0;
  const [was, text] = [before.text.slice(from), line.text.slice(from)];
  const head = sharedHead(text, was);
  const items = text.slice(head);
  const isUnderHead = head > 0 && !isApart(was.slice(head), items);
  const isOfList = items.startsWith(startMark) && printed.endsWith(restMark);
  if (!isUnderHead && !isOfList) {
    const isMarked = printed.endsWith('…') || items.startsWith('…');
    return `${printed}${isNext ? ' · ' : isMarked ? ' ' : ' … '}${items}`;
  }
  const start = printed.endsWith(restMark) ? printed.slice(0, -restMark.length) : printed;
  const rest = withoutOwner(
    items.startsWith(startMark) ? items.slice(startMark.length) : items,
    start,
  );
  return `${start}${isNext ? (isUnderHead ? '; ' : ' · ') : `${restMark}; `}${rest}`;
}

/** What goes on with the items below another, without that where they are the last that stand before. */
function withoutOwner(items: string, printed: string): string {
  const [whole = '', owner = ''] = goingOn.exec(items) ?? [];
  const at = owner === '' ? -1 : printed.lastIndexOf(`; ${owner.replace(/…$/, '')}`);
  const isLast = at >= 0 && printed.slice(at).split(': ').length === 2;
  return isLast ? items.slice(whole.length) : items;
}
const goingOn = /^([^;]{3,90}): …; /;

/** Where the headings end that a line tells of like the one before it, as far as they are no form of a summary; all of the heading of a list which goes on. */
function sharedHead(text: string, before: string): number {
  const goesOn = text.indexOf(`: ${startMark}`);
  const list = text.slice(0, goesOn + 2);
  if (goesOn >= 3 && goesOn <= 120 && before.startsWith(list.replace(/…: $/, '')))
    return list.length;
  const first = /^[^:]{3,90}: (?=\S)/.exec(text)?.[0] ?? '';
  if (first === '' || !before.startsWith(first)) return 0;
  let [end, next] = [0, first];
  while (next !== '' && before.startsWith(next, end)) {
    end += next.length;
    next = label.exec(text.slice(end))?.[0] ?? '';
  }
  if (label.test(before.slice(end))) end = first.length;
  return form.test(text.slice(0, end)) ? 0 : end;
}

/** How the lines begin that a model is asked for: each says what it is. */
export const writtenForms = 'Required|Decided|Found|Changed|Failed|Open';

const form = new RegExp(`^(?:${writtenForms}|Done): $`);

/** Whether what a line says would be taken for a part of what stands below a label of the one before it. */
const isApart = (before: string, items: string): boolean =>
  label.test(before) && !label.test(items) && !items.startsWith(startMark);

/** A heading or a label below the heading that two lines share. */
const label = /^[^:;()]{2,90}: (?=\S)/;

/** Lines without what was asked where nothing is told of it. */
const withoutEmptyTurns = <L extends Line>(lines: readonly L[]): readonly L[] =>
  lines.filter(({ kind, turn }, index) => kind !== 'asked' || lines[index + 1]?.turn === turn);

/** The line that opens a turn; with what was asked, where that is kept. */
function turnHead({ turn, kind, text }: Line): string {
  if (turn === 0) return 'At first:';
  return kind === 'asked' ? `After ${entryId(turn)} “${text}”:` : `After ${entryId(turn)}:`;
}

/** The entries that something stands for: `e12`, or `e12–e17`. */
export const idsOf = ({ n, to }: Pick<Line, 'n' | 'to'>): string =>
  n === to ? entryId(n) : `${entryId(n)}–${entryId(to)}`;

/** What a line is made of. */
export type LineFields = Omit<Line, 'tokens' | 'to' | 'file'> & Partial<Pick<Line, 'to' | 'file'>>;

/** Makes lines of texts that anybody wrote, each counted once. */
export const lineMaker =
  (count: Count) =>
  (line: LineFields): Line => {
    const text = sanitizeLine(line.text);
    return {
      n: line.n,
      to: line.to ?? line.n,
      turn: line.turn,
      kind: line.kind,
      text,
      tokens: count(text),
      worth: Math.round(line.worth * 1_000) / 1_000,
      file: line.file ?? '',
    };
  };
