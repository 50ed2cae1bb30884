import { entitiesIn } from '../entities/entities.ts';
import { failingKinds, passingKinds } from './check-claims.ts';
import { mostTurnsBack, wordsShared } from '../people/rejections.ts';
import { entryId } from '../values/id.ts';
import { readOften } from '../values/read-once.ts';
import { isReplyLine } from './replies.ts';
import type { LineFields } from './line.ts';

// What was supposed of a cause stands beside what was found in the end, as if both were so, and so does
// what was taken back, and a check that failed beside its success. Where a later line plainly answers
// the same, the earlier one says where.
//
//   - e12 The issue might be the retry in `Pool.acquire`. (but see e31)
//   - e31 The actual cause is a lock that `Pool.acquire` never gives back.

/** A cause that was named. */
const supposed =
  /\b(?:(?:issue|problem|bug|cause|reason|error|culprit)(?: here)? (?:is|was|might|may|could|must|seems)\b|smoking gun\b|i (?:think|suspect|guess|bet)\b|(?:probably|perhaps|maybe|might be|may be|seems to be)\b)/i;

/** A line that takes back, or puts right, what was supposed. */
const concluding =
  /^(?:(?:so|but|no|wait|ok|hmm)[,:]? )?(?:actually,? |(?:it |this )?turns out\b|i was wrong\b|my mistake\b)|\bthat(?:['’]s| is| was) the (?:bug|cause|culprit|problem|issue|reason)\b|\b(?:real|actual|root|true) (?:cause|issue|problem|reason|bug|culprit) (?:is|was)\b/i;

/** What is no more than supposed: it is open until something is found. */
const hedged =
  /\b(?:might|may be|maybe|perhaps|possibly|probably|could be|(?:most )?likely|presumably|should already|i (?:think|guess|suspect|bet))\b/i;

/** What takes back what the model said before, in its own words. */
const withdrawing =
  /\bi (?:had )?(?:wrongly |incorrectly )?(?:assumed|thought|claimed|said|blamed)\b[^;]{2,100}(?:, but\b|\bwrong\b)|\bi (?:conflated|misread|misunderstood|misdiagnosed|mixed up)\b|\bi was (?:mistaken|wrong (?:about|that|in|to (?:say|claim|blame|call|assume)))\b|\bmy (?:earlier|previous|first|initial|original) (?:claim|guess|diagnosis|assumption|theory|hypothesis|analysis|conclusion|reading|answer|explanation) (?:was|is|did|does)\b|\bi (?:stand corrected|take (?:that|it) back)\b/i;

/** What says of something that it is not the cause. */
const acquitting =
  /^(?:no[,.] )?[^,;:.]{1,60} (?:was|is)(?:n['’]t| not) (?:actually |really )?the (?:cause|culprit|problem|reason)\b|\b(?:red herring|false alarm)\b/i;

/** What is left of the worth of a line that was overtaken. */
const share = 0.5;

/** Words that a line has in common with what takes it back, at least, a name counting for two: of what was said of a cause, and of anything. */
const least = { acquitted: 2, withdrawn: 3 } as const;

/** Lines in order; what a later line overtook names that. */
export function withOvertaken<L extends LineFields>(lines: readonly L[]): readonly L[] {
  const answers = lines.filter(({ kind }) => kind === 'said').flatMap(answerIn);
  if (answers.length === 0) return lines;
  const turns = [...new Set(lines.map(({ turn }) => turn))];
  const isNear = (from: number, to: number): boolean =>
    turns.indexOf(to) - turns.indexOf(from) <= mostTurnsBack;
  return lines.map((line) => {
    const { n, turn, kind, text } = line;
    if (kind !== 'said' || isReplyLine(text) || seen.test(text)) return line;
    const { failing } = claimIn(text);
    const answer = answers.find(
      (one) =>
        one.n > n &&
        (failing.some((kind) => one.passing.includes(kind)) ||
          (isNear(turn, one.turn) && answersTo(line, one))),
    );
    return answer === undefined ? line : overtakenBy(answer.n, line);
  });
}

/** A line that names the entry which overtook it. */
const overtakenBy = <L extends LineFields>(n: number, line: L): L => ({
  ...line,
  text: `${line.text} (but see ${entryId(n)})`,
  // What is told beside it in a list may hold.
  worth: line.text.includes('; ') ? line.worth : line.worth * share,
});

const seen = / \(but see e\d+\)$/;

/** What a line says of causes, of what was said before, and of checks; lines are asked anew at each compression. */
const claimIn = readOften(
  (text) => {
    const isOpen = hedged.test(text);
    const concludes = concluding.test(text);
    return {
      isOpen,
      /** Whether it says what the cause may be, and what it is. */
      isCause: (isOpen || supposed.test(text)) && !concludes,
      concludes: concludes && !isOpen,
      /** Whether it takes back what was said, and what was said to be a cause. */
      withdraws: withdrawing.test(text),
      acquits: acquitting.test(text),
      /** The kinds of checks of which one fails, and of which all pass. */
      failing: failingKinds(text),
      passing: passingKinds(text),
    };
  },
  { longest: 1_000, most: 4_000 },
);

/** A line that may overtake another. */
type Answer = Pick<LineFields, 'n' | 'turn' | 'text'> &
  ReturnType<typeof claimIn> & { readonly names: ReadonlySet<string> };

function answerIn({ n, turn, text }: LineFields): readonly Answer[] {
  const claim = claimIn(text);
  const { concludes, withdraws, acquits, passing } = claim;
  const answers = concludes || withdraws || acquits || passing.length > 0;
  return answers ? [{ ...claim, n, turn, text, names: namesIn(text) }] : [];
}

/** Whether a line takes back, or puts right, what an earlier one says. */
function answersTo({ turn, text }: LineFields, answer: Answer): boolean {
  const { isOpen, isCause } = claimIn(text);
  if (!answer.withdraws && !isCause) return false;
  const named = [...namesIn(text)].filter((name) => answer.names.has(name));
  if (answer.concludes && isCause && named.length > 0 && (isOpen || turn === answer.turn))
    return true;
  const rest = named.reduce((said, name) => said.replaceAll(name, ' '), text);
  const common = 2 * named.length + wordsShared(rest, answer.text);
  return (
    (answer.withdraws && common >= least.withdrawn) ||
    (answer.acquits && isCause && common >= least.acquitted)
  );
}

/** The names in a text, those of members by their last part. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...entitiesIn(text)].flatMap(([name, kind]) => {
      if (kind === 'decision') return [];
      return [kind === 'path' ? name : name.replace(/^(?:\w{1,80}(?:\.|::|#)){1,8}(?=\w)/, '')];
    }),
  );
