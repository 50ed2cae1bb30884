import { entitiesIn } from '../entities/entities.ts';
import { failingKinds, passingKinds } from './check-claims.ts';
import { mostTurnsBack, wordsShared } from '../people/rejections.ts';
import { entryId } from '../values/id.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';
import { readOften } from '../values/read-once.ts';
import { isReplyLine } from '../lines/replies.ts';
import type { LineFields } from '../lines/line.ts';

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

/** What takes back what the model said before, in its own words, up to what holds in its place; of a claim of before all that stands behind it tells which. */
const withdrawing =
  /(?<!\bas )\bi (?:had )?(?:wrongly |incorrectly )?(?:assumed|thought(?! (?:about|of)\b)|claimed|said|blamed)\b[^;]{2,100}?(?:, but\b|, (?:and |which |but )?(?:that |this |it )?(?:was|is|were) wrong\b)|\bi (?:conflated|misread|misunderstood|misdiagnosed|mixed up|was (?:mistaken|wrong (?:about|that|in|to (?:say|claim|blame|call|assume))))\b[^:;,—–]{0,200}|\bmy (?:earlier|previous|first|initial|original) (?:claim|guess|diagnosis|assumption|theory|hypothesis|analysis|conclusion|reading|answer|explanation) (?:(?:did|does)(?:n['’]t| not)|(?:was|is)(?! (?:\w+ )?(?:right|correct|confirmed|true|accurate|not (?:wrong|mistaken)|n['’]t wrong)\b))\b[^]*|\bi (?:stand corrected|take (?:that|it) back)\b[^]*/i;

/** What says of something that it is not the cause, without what is. */
const acquitting =
  /^(?:no[,.] )?[^,;:.]{1,60} (?:was|is)(?:n['’]t| not) (?:actually |really )?the (?:cause|culprit|problem|reason)\b|[^,;:.]{0,100}(?<!\b(?:no|not|never) (?:an? )?)\b(?:red herring|false alarm)\b/i;

/** What confirms what was said. */
const confirming =
  /\bas (?:i (?:had )?)?(?:supposed|thought|suspected|guessed|expected|said)\b|\bindeed\b|\bconfirm(?:s|ed)\b/i;

/** What is to be done, and no cause. */
const proposing = /\bshould\b(?! already)/i;

/** What is left of the worth of a line that was overtaken. */
const share = 0.5;

/** Words that a line has in common with what takes it back, at least, a name counting for two: of what was said of a cause, and of anything. */
const least = { acquitted: 2, withdrawn: 3 } as const;

/** Most lines of one turn that are asked whether they take back what stands before them, the nearest. */
const mostAsked = 60;

/** Lines in order; what a later line overtook names that. */
export function withOvertaken<L extends LineFields>(
  lines: readonly L[],
  part: Part = atOnce,
): readonly L[] {
  const answers = mapInParts(lines, part, (line) =>
    line.kind === 'said' ? answerIn(line) : [],
  ).flat();
  if (answers.length === 0) return lines;
  const turns = new Map([...new Set(lines.map(({ turn }) => turn))].map((turn, at) => [turn, at]));
  const answersOf = new Map<number, Answer[]>();
  for (const answer of answers) {
    const at = turns.get(answer.turn)!;
    const inTurn = answersOf.get(at);
    if (inTurn === undefined) answersOf.set(at, [answer]);
    else inTurn.push(answer);
  }
  const nearest = ({ n, turn, text }: L): number => {
    const at = turns.get(turn)!;
    for (let turnsOn = 0; turnsOn <= mostTurnsBack; turnsOn += 1) {
      const inTurn = answersOf.get(at + turnsOn) ?? [];
      const from = inTurn.findIndex((one) => one.n > n);
      const near = from < 0 ? [] : inTurn.slice(from, from + mostAsked);
      const answer = near.find((one) => answersTo({ turn, text }, one));
      if (answer !== undefined) return answer.n;
    }
    return Infinity;
  };
  const checks = answers.filter(({ passing }) => passing.length > 0);
  return mapInParts(lines, part, (line) => {
    const { n, kind, text } = line;
    if (kind !== 'said' || isReplyLine(text) || seen.test(text)) return line;
    const { failing } = claimIn(text);
    const passed = (one: Answer): boolean =>
      one.n > n && failing.some((check) => one.passing.includes(check));
    const checked = failing.length === 0 ? undefined : checks.find(passed);
    const answer = Math.min(checked?.n ?? Infinity, nearest(line));
    return answer === Infinity ? line : overtakenBy(answer, line);
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

/** Lines that are remembered with what they say: each compression asks for all of them. */
const mostRead = { longest: 1_000, most: 20_000 } as const;

/** What a line says of causes, of what was said before, and of checks. */
const claimIn = readOften((text) => {
  const isOpen = hedged.test(text);
  const isKept = confirming.test(text);
  const concludes = concluding.test(text) && !isKept;
  const partOf = (claim: RegExp): string => (isKept ? '' : (claim.exec(text)?.[0] ?? ''));
  return {
    isOpen,
    /** Whether it says what the cause may be, and what it is. */
    isCause: (isOpen || supposed.test(text)) && !concludes && !proposing.test(text),
    concludes: concludes && !isOpen,
    /** The part that takes back what was said, and what was said to be a cause; '' for none. */
    withdrawn: partOf(withdrawing),
    acquitted: partOf(acquitting),
    /** The kinds of checks of which one fails, and of which all pass. */
    failing: failingKinds(text),
    passing: passingKinds(text),
  };
}, mostRead);

/** A line that may overtake another. */
type Answer = Pick<LineFields, 'n' | 'turn' | 'text'> &
  ReturnType<typeof claimIn> & { readonly names: ReadonlySet<string> };

/** Whether what a line says may overtake what an earlier one does. */
export function mayOvertake(text: string): boolean {
  const { concludes, withdrawn, acquitted, passing } = claimIn(text);
  return concludes || withdrawn !== '' || acquitted !== '' || passing.length > 0;
}

const answerIn = ({ n, turn, text }: LineFields): readonly Answer[] =>
  mayOvertake(text) ? [{ ...claimIn(text), n, turn, text, names: namesIn(text) }] : [];

/** Whether a line takes back, or puts right, what an earlier one says. */
function answersTo({ turn, text }: Pick<LineFields, 'turn' | 'text'>, answer: Answer): boolean {
  const { isOpen, isCause } = claimIn(text);
  const { withdrawn, acquitted, concludes, names } = answer;
  if (withdrawn === '' && !isCause) return false;
  if (concludes && isCause && (isOpen || turn === answer.turn))
    if ([...namesIn(text)].some((name) => names.has(name))) return true;
  return (
    (withdrawn !== '' && common(text, withdrawn) >= least.withdrawn) ||
    (acquitted !== '' && isCause && common(text, acquitted) >= least.acquitted)
  );
}

/** How many words two texts have in common, a name counting for two. */
function common(text: string, other: string): number {
  const names = namesIn(other);
  const named = [...namesIn(text)].filter((name) => names.has(name));
  const rest = named.reduce((said, name) => said.replaceAll(name, ' '), text);
  return 2 * named.length + wordsShared(rest, other);
}

/** The names in a text, those of members by their last part. */
const namesIn = readOften(
  (text): ReadonlySet<string> =>
    new Set(
      [...entitiesIn(text)].flatMap(([name, kind]) => {
        if (kind === 'decision') return [];
        return [kind === 'path' ? name : name.replace(/^(?:\w{1,80}(?:\.|::|#)){1,8}(?=\w)/, '')];
      }),
    ),
  mostRead,
);
