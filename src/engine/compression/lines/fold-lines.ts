import { chronicleLines } from '../../../core/sections/chronicle-section.ts';
import { keptLines, readLines, type KeptLine } from '../../../core/chronicle/chronicle.ts';
import { foldsOf, settledLines, type Fold } from '../../../core/chronicle/fold.ts';
import { lineMaker } from '../../../core/lines/line.ts';
import { mayOvertake, withOvertaken } from '../../../core/chronicle/overtaken.ts';
import { entitiesIn } from '../../../core/entities/entities.ts';
import { mapInParts } from '../../../core/values/parts.ts';
import type { Draft } from '../../step/draft.ts';

/**
 * Tells what the chronicle tells of a file, or of a failure, at several times as one, and of an issue
 * that it is closed in place of what it says, and of what was left to do how it stood last; or only what is `settled`: issues, and failures whose cure is told
 * below them. What a later line overtook names that. Says whether there was any of it.
 */
export function foldLines(draft: Draft, which: 'all' | 'settled'): boolean {
  const { chronicle, active: frame } = draft.state;
  const { root } = chronicle;
  const folds = draft.part(() => foldsIn(draft, which));
  if (folds.length === 0) return false;
  const lines = folds.flatMap((fold) => fold.lines);
  const source = draft.write(lines.map(({ text }) => text).join('\n'));
  const names = mapInParts(folds, draft.part, ({ gone, lines: folded }) =>
    folded.map(({ text }) => namesTaken(draft, gone, text)),
  ).flat();
  const newest = folds.flatMap(({ gone, lines: folded }) =>
    folded.map(() => Math.max(...gone.map((line) => line.made))),
  );
  const kept = keptLines(lines, { frame, source, after: chronicle.made, compressions: 0, names });
  draft.record({
    type: 'chronicle.written',
    frame,
    root,
    source,
    lines: kept.map((line, index) => ({ ...line, made: newest[index]! })),
    events: [],
    gone: folds.flatMap(({ gone }) => gone.map(({ id }) => id)),
  });
  return true;
}

/** A line of the chronicle with its text. */
type ReadLine = KeptLine & { readonly text: string };

/** What of the lines of the active frame is told otherwise, or as one; see {@link foldLines}. */
function foldsIn(draft: Draft, which: 'all' | 'settled'): readonly Fold<ReadLine>[] {
  const { count, part, state } = draft;
  const { root } = state.chronicle;
  const isFolded = ({ kind, file }: KeptLine): boolean =>
    kind === 'failed' ||
    (which === 'all' && (kind === 'said' || kind === 'read')) ||
    (file !== '' && (which === 'all' || kind !== 'changed'));
  const shown = part(() => chronicleLines(state).filter(({ frame }) => frame === state.active));
  const foldable = readTexts(
    draft,
    part(() => shown.filter(isFolded)),
  );
  const settled = which === 'all' ? foldable : part(() => settledLines(foldable));
  const folds = foldsOf(settled, { root, count, part });
  const gone = part(() => new Set(folds.flatMap((fold) => fold.gone.map(({ id }) => id))));
  const shownIds = part(() => new Set(shown.map(({ id }) => id)));
  return [...folds, ...overtakenIn(draft, shownIds, gone)];
}

/** What was stated among the lines `shown`, but for those that are `gone`, and a line of this compression, or one beside it, overtook. */
function overtakenIn(
  draft: Draft,
  shown: ReadonlySet<number>,
  gone: ReadonlySet<number>,
): readonly Fold<ReadLine>[] {
  const { count, part, state } = draft;
  const said = part(() =>
    state.chronicle.lines.filter(
      ({ frame, kind, id }) => frame === state.active && kind === 'said' && !gone.has(id),
    ),
  );
  const newest = part(() => said.filter(({ made }) => made === state.compressions));
  const newestLines = readTexts(draft, newest);
  if (!part(() => newestLines.some(({ text }) => mayOvertake(text)))) return [];
  const lines = readTexts(draft, said);
  return withOvertaken(lines, part).flatMap((line, at) =>
    line === lines[at] || !shown.has(line.id)
      ? []
      : [{ gone: [lines[at]!], lines: [lineMaker(count)(line)] }],
  );
}

/** Lines with their texts. */
function readTexts({ bodies, part }: Draft, lines: readonly KeptLine[]): readonly ReadLine[] {
  const read = readLines(lines, (source) => bodies.text(source), part);
  return mapInParts([...lines.keys()], part, (at) => ({ ...lines[at]!, text: read[at]!.text }));
}

/** How many of the names that lines were the first to tell a text tells again, at most. */
function namesTaken(draft: Draft, gone: readonly KeptLine[], text: string): number {
  const goneLines = readLines(gone, (source) => draft.bodies.text(source));
  const names = entitiesIn(goneLines.map((line) => line.text).join('\n'));
  const again = [...entitiesIn(text).keys()].filter((name) => names.has(name));
  return Math.min(
    again.length,
    gone.reduce((sum, line) => sum + line.names, 0),
  );
}
