import { interruption } from '../messages/machine-text.ts';
import { isHuman, textOf, type LeavingEntry } from '../messages/message.ts';
import { worthOf, type Told } from './worth.ts';

// What a person broke off. That it was asked for stands among the words of people; that
// nothing came of it is said by the host alone.

/** What a host says in place of an answer that a person broke off; that a call was, is told as a refusal. */
const brokenOff = `${interruption}]`;

/** A line for each time that a person broke the model off. */
export const interruptionsIn = (
  entries: readonly LeavingEntry[],
): readonly (Told & { readonly n: number })[] =>
  entries.flatMap(({ n, message }, index) => {
    if (message.role !== 'user' || isHuman(message)) return [];
    if (textOf(message.content).trim() !== brokenOff) return [];
    const before = entries[index - 1]?.message;
    const isAtOnce = before !== undefined && isHuman(before);
    const text = `the person broke off ${isAtOnce ? 'this before anything was done for it' : 'what was being done'}`;
    return [{ n, kind: 'said', text, worth: worthOf(1, text) }];
  });
