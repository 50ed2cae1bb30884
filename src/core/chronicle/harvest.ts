import { isChoice, isRuling } from '../text/decisions.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { entryId } from '../values/id.ts';
import { markersIn } from '../frames/goal-markers.ts';
import { broughtIn, changedIn } from '../file-events/edits.ts';
import type { Harvested, Results } from '../frames/frame.ts';
import { idsOf, type Line } from '../lines/line.ts';
import { isReplyLine } from '../lines/replies.ts';
import { failureIn } from '../outcomes/failure-text.ts';

// A frame that is left without a word about its files or its decisions has them
// from what happened in it: files that calls changed, with what they brought, and
// decisions that its people or its model stated, with the checks that failed last. Each names its entry. Nothing is
// concluded from anything; where nothing was stated, there is none.

/** Most files, decisions and failing checks that are taken; the newest stay. */
const most = { artifacts: 24, decisions: 8, failing: 2 } as const;

/** Longest text of one of them, in UTF-16 units. */
const longest = 200;

/** A sentence of a person, and the position of its entry. */
interface Quoted {
  readonly n: number;
  readonly text: string;
}

/**
 * The lists that are not given, from the lines of a frame and what people said in it, and the checks
 * that failed last of those since position `inView`: all that came after them is known.
 */
export function harvest(
  supplied: Readonly<Record<Harvested, readonly string[] | null>>,
  linesOf: () => readonly Line[],
  { quotes, inView }: { readonly quotes: readonly Quoted[]; readonly inView: number },
): Pick<Results, Harvested | 'harvested' | 'failing'> {
  const isGiven = supplied.artifacts !== null && supplied.decisions !== null;
  const lines = isGiven ? [] : linesOf();
  const artifacts = supplied.artifacts ?? changedFiles(lines);
  const decisions = supplied.decisions ?? statedDecisions(lines, quotes);
  const harvested = (['artifacts', 'decisions'] as const).filter(
    (list) => supplied[list] === null && { artifacts, decisions }[list].length > 0,
  );
  const failing = failingChecks(lines.filter(({ n }) => n >= inView));
  return {
    artifacts,
    decisions,
    ...(harvested.length > 0 && { harvested }),
    ...(failing.length > 0 && { failing }),
  };
}

/** The file of a harvested artifact, without what was changed. */
export const artifactPath = (artifact: string): string =>
  artifact.replace(/ \(e\d+(?:–e\d+)?(?:: .*)?\)$/, '');

/** The files that lines say were changed, each with the entries and with what was brought. */
function changedFiles(lines: readonly Line[]): readonly string[] {
  const files = new Map<string, { n: number; to: number; brought: string[] }>();
  for (const { kind, n, to, text } of lines) {
    const path = kind === 'changed' ? changedIn(text) : '';
    if (path === '') continue;
    const brought = broughtIn(text);
    const change = files.get(path) ?? { n, to, brought: [] };
    files.delete(path);
    files.set(path, {
      n: Math.min(change.n, n),
      to: Math.max(change.to, to),
      brought: [...change.brought, ...(brought === '' ? [] : [brought])],
    });
  }
  return [...files].slice(-most.artifacts).map(([path, { n, to, brought }]) => {
    const what = brought.length === 0 ? '' : `: ${clip(brought.join('; '), longest)}`;
    return `${path} (${idsOf({ n, to })}${what})`;
  });
}

/** Commands that check the work, and were not seen to pass after they failed; the newest. */
function failingChecks(lines: readonly Line[]): readonly string[] {
  return lines
    .filter(({ kind, text }) => kind === 'failed' && isFailingCheck(text))
    .slice(-most.failing)
    .map(({ to, text }) => `${clip(text, longest)} (${entryId(to)})`);
}

function isFailingCheck(text: string): boolean {
  const failure = failureIn(text);
  return failure !== null && failure.cured === '' && checking.test(failure.what);
}

/** A command that builds, tests or checks. */
const checking =
  /\b(?:tests?|build|check|lint|compile|tsc|mypy|pytest|jest|vitest|eslint|ruff|clippy|dialyzer|credo|rspec|verify|validate)\b|\b(?:go|cargo) vet\b/i;

/** What people laid down and the model chose, in the words of the log, in order. */
function statedDecisions(lines: readonly Line[], quotes: readonly Quoted[]): readonly string[] {
  const said = lines.flatMap(({ kind, n, text }) =>
    kind === 'said' && !isReplyLine(text) ? decisionsOf(text).map((one) => ({ n, text: one })) : [],
  );
  const laidDown = quotes
    .filter(({ text }) => text.length <= longest && isRuling(text))
    .map(({ n, text }) => ({ n, text: `“${oneLine(text)}”` }));
  const all = [...said, ...laidDown].sort((a, b) => a.n - b.n);
  return [...new Set(all.map(({ n, text }) => `${text} (${entryId(n)})`))].slice(-most.decisions);
}

/** What a statement of the model decides: by marker, or in words. */
function decisionsOf(text: string): readonly string[] {
  const marked = markersIn(text).flatMap((one) => (one.type === 'decision' ? [one.text] : []));
  if (marked.length > 0) return marked;
  return isChoice(text) ? [clip(text, longest)] : [];
}
