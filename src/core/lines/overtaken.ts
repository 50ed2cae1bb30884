import { entitiesIn } from '../entities/entities.ts';
import { entryId } from '../values/id.ts';
import type { LineFields } from './line.ts';

// What was supposed of a cause stands beside what was found in the end, as if both were so. Where a later
// line of the turn plainly answers the same question, the earlier one says where.
//
//   - e12 The issue might be the retry in `Pool.acquire`. (but see e31)
//   - e31 The actual cause is a lock that `Pool.acquire` never gives back.

/** A cause that was supposed. */
const supposed =
  /\b(?:(?:issue|problem|bug|cause|reason|error|culprit)(?: here)? (?:is|was|might|may|could|must|seems)\b|i (?:think|suspect|guess|bet)\b|(?:probably|perhaps|maybe|might be|may be|seems to be)\b)/i;

/** A line that takes back, or puts right, what was supposed. */
const concluding =
  /^(?:(?:so|but|no|wait|ok|hmm)[,:]? )?(?:actually,? |(?:it |this )?turns out\b|i was wrong\b|my mistake\b)|\bthat(?:['’]s| is| was) the (?:bug|cause|culprit|problem|issue|reason)\b|\b(?:real|actual|root|true) (?:cause|issue|problem|reason|bug|culprit) (?:is|was)\b/i;

/** What is itself no more than supposed. */
const hedged = /\b(?:might|may be|maybe|perhaps|possibly|probably|i (?:think|guess|suspect))\b/i;

/** What is left of the worth of a line that was overtaken. */
const share = 0.5;

/** Lines in order; what was supposed names the line of its turn that overtook it. */
export function withOvertaken<L extends LineFields>(lines: readonly L[]): readonly L[] {
  const answers = lines
    .filter(({ kind, text }) => kind === 'said' && concluding.test(text) && !hedged.test(text))
    .map(({ n, turn, text }) => ({ n, turn, names: namesIn(text) }));
  if (answers.length === 0) return lines;
  return lines.map((line) => {
    const { n, turn, kind, text } = line;
    if (kind !== 'said' || !supposed.test(text) || concluding.test(text)) return line;
    if (/ \(but see e\d+\)$/.test(text)) return line;
    const names = [...namesIn(text)];
    const answer = answers.find(
      (one) => one.n > n && one.turn === turn && names.some((name) => one.names.has(name)),
    );
    if (answer === undefined) return line;
    return { ...line, text: `${text} (but see ${entryId(answer.n)})`, worth: line.worth * share };
  });
}

const namesIn = (text: string): ReadonlySet<string> =>
  new Set([...entitiesIn(text)].flatMap(([name, kind]) => (kind === 'decision' ? [] : [name])));
