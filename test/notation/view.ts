import type { FrameView, HumanEntry, ItemForm, WorkingItem } from '../../src/core/state/view.ts';
import { emptyView, withItems } from '../../src/core/state/view.ts';
import { entryId, textId } from '../../src/core/values/id.ts';
import { checkpoints, printCheckpoints } from './checkpoints.ts';

// How an open frame is shown, on one line, in the order of its drawing: checkpoints,
// what people said before, items; alone, these are items.
//
//   old 600, recent 1200 | 1u40 4u300~60 | 11u20 12a50 12t400-12
//
// An item is its position, who said it (person, assistant, tool, machine) and its tokens;
// behind a mark of its form stands what it costs as it stands: ~ short, - cleared, ? stray,
// ! closing. A result without a mark belongs to the answer before it.

const marks: Readonly<Record<ItemForm, string>> = {
  whole: '',
  short: '~',
  cleared: '-',
  stray: '?',
  closing: '!',
};
const forms = Object.fromEntries(
  Object.entries(marks).map(([form, mark]) => [mark, form]),
) as Readonly<Record<string, ItemForm>>;

/** The view on a line. */
export function parseView(line: string): FrameView {
  const parts = line.split('|').map((part) => part.trim());
  const [ages, before, items] = parts.length === 1 ? ['', '', line] : parts;
  const human = words(before!).map((word): HumanEntry => {
    const { n, tokens, shown, text } = parseItem(word);
    return { n, tokens, shown, ...(text === undefined ? {} : { text }) };
  });
  const parsed = words(items!).map(parseItem);
  return withItems({ ...emptyView, checkpoints: checkpoints(ages!), human }, joined(parsed));
}

/** A view on one line; quotes and what was offloaded stand in no line. */
export function printView({ checkpoints, human, items }: FrameView): string {
  const said = human.map(({ text, ...one }) =>
    printItem({ ...one, role: 'user', human: true, form: text === undefined ? 'whole' : 'short' }),
  );
  const working = items.map(printItem).join(' ');
  if (checkpoints.length === 0 && human.length === 0) return working;
  return [printCheckpoints(checkpoints), said.join(' '), working].join(' | ').trim();
}

const words = (part: string): readonly string[] => part.split(' ').filter((word) => word !== '');

function parseItem(word: string): WorkingItem {
  const [, n, who, tokens, mark, shown] = /^(\d+)([uatm])(\d+)([~?!-]?)(\d*)$/.exec(word)!;
  const form = forms[mark!]!;
  return {
    n: Number(n),
    unit: Number(n),
    role: who === 'a' ? 'assistant' : who === 't' ? 'tool' : 'user',
    human: who === 'u',
    form,
    tokens: Number(tokens),
    shown: Number(shown === '' ? tokens : shown),
    hash: '',
    ...(form === 'short' ? { text: textId(Number(n)) } : {}),
  };
}

/** Items with each result in the unit of the answer before it. */
function joined(items: readonly WorkingItem[]): readonly WorkingItem[] {
  let unit = 0;
  return items.map((item) => {
    if (item.role !== 'tool') unit = item.n;
    return item.role === 'tool' && item.form !== 'stray' ? { ...item, unit } : item;
  });
}

type Printed = Pick<WorkingItem, 'n' | 'role' | 'human' | 'form' | 'tokens' | 'shown'>;

function printItem({ n, role, human, form, tokens, shown }: Printed): string {
  const who = role === 'user' && !human ? 'm' : role[0];
  return `${n}${who}${tokens}${marks[form]}${shown === tokens ? '' : shown}`;
}

/** Quotes and what was offloaded, on one line: `e1–e3 (2): 1 Never do that`. */
export function printOffloaded({ quotes, offloaded }: FrameView): string {
  const said = quotes.map(({ n, text }) => `${n} ${text}`).join(', ');
  if (offloaded === null) return said;
  return `${offloaded.from}–${offloaded.to} (${offloaded.entries}): ${said}`;
}

/** Ids of the entries at these positions. */
export const entries = (...positions: readonly number[]): ReturnType<typeof entryId>[] =>
  positions.map(entryId);
