import { isHuman, personText, textOf, type LeavingEntry } from '../messages/message.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { worthOf, type Told } from './worth.ts';

// What a person broke off. That it was asked for stands among the words of people; that
// nothing came of it is said by the host alone.

/** What a host says in place of an answer that a person broke off; that a call was, is told as a refusal. */
const brokenOff = /^\s*\[Request interrupted by user\]\s*$/;

/** Longest request that is quoted, in UTF-16 units. */
const longest = 70;

/** A line for each time that a person broke the model off. */
export const interruptionsIn = (
  entries: readonly LeavingEntry[],
): readonly (Told & { readonly n: number })[] =>
  entries.flatMap(({ n, message }, index) => {
    if (message.role !== 'user' || isHuman(message)) return [];
    if (!brokenOff.test(textOf(message.content))) return [];
    const before = entries[index - 1]?.message;
    const asked = before !== undefined && isHuman(before) ? oneLine(personText(before)) : '';
    const quoted = clip(asked, longest).replace(/[“”]/g, '"');
    const text =
      asked === ''
        ? 'the person broke off what was being done'
        : `the person broke off “${quoted}” before anything was done for it`;
    return [{ n, kind: 'said', text, worth: worthOf(1, text) }];
  });
