import { clip } from '../text/sentences.ts';
import type { PlainLine } from './sides.ts';

// The items of a list as statements: neighbors together up to a length, each under what leads to the
// list and under the item that it belongs to.

/** Longest run of list items that are told as one statement, in UTF-16 units. */
const longestRun = 260;

/** A rest of a list that goes with what stands before it, and the longest head that both may have. */
const shortRest = { rest: 80, head: 80 } as const;

/** What stands before the next items of a list, and behind those that others follow. */
export const startMark = '…; ';
export const restMark = '; …';

/** An item of a list. */
export type Item = Pick<PlainLine, 'indent' | 'isNumbered'> & { readonly text: string };

/** The longest head that is told again where a list takes several statements, in UTF-16 units. */
const longestHead = 80;

/** The items of a list as statements of some length, each under the head of the list and the item that it belongs to. */
export function listParts(run: readonly Item[], head: string): readonly string[] {
  const parts: { text: string; readonly goesOn: boolean }[] = [];
  let [part, isNested, goesOn] = ['', false, false];
  let above: readonly Item[] = [];
  for (const [at, item] of run.entries()) {
    const isHead = item.text.endsWith(':');
    above = above.filter(
      ({ text, indent, isNumbered = false }, depth) =>
        indent < item.indent ||
        // Points with numbers are steps beside each other, whatever they end with.
        (text.endsWith(':') &&
          !isHead &&
          !(isNumbered && item.isNumbered === true) &&
          above.slice(depth + 1).every((one) => one.indent <= indent)),
    );
    const owner = above.at(-1);
    const parent = owner?.text.replace(/:$/, '') ?? '';
    const isFull = part.length + item.text.length > longestRun && !isShort(run.slice(at), head);
    const isApart = isHead || isNested || (part.includes(': ') && part.length > longestRun / 2);
    isNested = parent !== '';
    if (part !== '' && (isFull || (parent === '' && isApart))) {
      parts.push({ text: part, goesOn });
      part = parent === '' ? '' : clip(parent, longestHead);
      // The first items below the parent stand in the part before.
      goesOn = parent !== '' && run[at - 1] !== owner;
      if (goesOn) part += `: ${restMark.slice(2)}`;
    }
    const isUnder = parent !== '' && part.endsWith(parent);
    part += (part === '' ? '' : isUnder ? ': ' : '; ') + item.text.replace(/:$/, '');
    above = [...above, item];
  }
  if (part !== '') parts.push({ text: part, goesOn });
  return parts.map(({ text, ...one }, index) => {
    const begun = `${index === 0 || one.goesOn ? '' : startMark}${text}`;
    const end = index < parts.length - 1 ? restMark : '';
    const short = index === 0 || head.length <= longestHead ? head : `${clip(head, longestHead)}:`;
    return `${short === '' ? '' : `${short} `}${begun}${end}`;
  });
}

/** Whether the last items of a list are so short that they go with what stands before them. */
const isShort = (rest: readonly Item[], head: string): boolean =>
  head.length <= shortRest.head &&
  rest.reduce((sum, { text }) => sum + text.length + 2, 0) <= shortRest.rest;
