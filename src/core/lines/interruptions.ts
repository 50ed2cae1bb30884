import { interruption } from '../messages/machine-text.ts';
import { isHuman, textOf, type LeavingEntry, type Message } from '../messages/message.ts';
import { worthOf, type UnplacedLine } from './worth.ts';

// What was broken off. That it was asked for stands among the words of people; that
// nothing came of it is said by the host alone, or by how an answer ended.

/** What a host says in place of an answer that a person broke off; that a call was, is told as a refusal. */
const brokenOff = `${interruption}]`;

/** A line for each time that the model was broken off, by a person or by what failed; none where it answers at once. */
export function interruptionsIn(
  entries: readonly LeavingEntry[],
): readonly (UnplacedLine & { readonly n: number })[] {
  // The note of the host tells of the part before it; a part without words is as none.
  const ends = entries.filter(({ message }, at) => !isBlank(message) || !goesOn(entries[at + 1]));
  return ends.flatMap(({ n, message }, at) => {
    const wording = isNote(message) ? byPerson : isPart(message) ? byAnything : null;
    if (wording === null || (isPart(message) && goesOn(ends[at + 1]))) return [];
    const before = ends[at - 1]?.message;
    const isAtOnce = before !== undefined && isHuman(before);
    const unsaid = isAtOnce ? wording.atOnce : wording.later;
    const text = isPart(message) && !isBlank(message) ? 'this answer was broken off' : unsaid;
    return [{ n, kind: 'said', text, worth: worthOf(1, text) }];
  });
}

const byPerson = {
  atOnce: 'the person broke off this before anything was done for it',
  later: 'the person broke off what was being done',
};
const byAnything = {
  atOnce: 'broken off before anything was done for it',
  later: 'what was being done was broken off',
};

const isNote = (message: Message): boolean =>
  message.role === 'user' && !isHuman(message) && textOf(message.content).trim() === brokenOff;

/** Whether an answer was broken off before it made a call. */
const isPart = (message: Message): boolean =>
  message.role === 'assistant' &&
  message.finish === 'aborted' &&
  (message.toolCalls?.length ?? 0) === 0;

/** Whether an answer was broken off before it said anything. */
const isBlank = (message: Message): boolean =>
  isPart(message) && textOf(message.content).trim() === '';

/** Whether what stands behind a part tells how it ended: the note of the host, or an answer. */
const goesOn = (entry: LeavingEntry | undefined): boolean =>
  entry !== undefined && (entry.message.role === 'assistant' || isNote(entry.message));
