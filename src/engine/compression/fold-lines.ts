import { chronicleLines } from '../../core/sections/chronicle-section.ts';
import { keptLines, readLines, type KeptLine } from '../../core/chronicle/chronicle.ts';
import { foldsOf, settledLines, type Fold } from '../../core/chronicle/fold.ts';
import { lineMaker } from '../../core/lines/line.ts';
import { withOvertaken } from '../../core/lines/overtaken.ts';
import { entitiesIn } from '../../core/entities/entities.ts';
import type { Draft } from '../step/draft.ts';

/**
 * Tells what the chronicle tells of a file, or of a failure, at several times as one, and of an issue
 * that it is closed in place of what it says, and of what was left to do how it stood last; or only what is `settled`: issues, and failures whose cure is told
 * below them. What a later line overtook names that. Says whether there was any of it.
 */
export function foldLines(draft: Draft, which: 'all' | 'settled'): boolean {
  const { chronicle, active: frame } = draft.state;
  const { root } = chronicle;
  const folds = foldsIn(draft, which);
  if (folds.length === 0) return false;
  const lines = folds.flatMap((fold) => fold.lines);
  const source = draft.write(lines.map(({ text }) => text).join('\n'));
  const names = folds.flatMap(({ gone, lines: folded }) =>
    folded.map(({ text }) => namesTaken(draft, gone, text)),
  );
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
  const { chronicle, active } = state;
  const isFolded = ({ kind, file }: KeptLine): boolean =>
    kind === 'failed' ||
    (which === 'all' && (kind === 'said' || kind === 'read')) ||
    (file !== '' && (which === 'all' || kind !== 'changed'));
  const shown = new Set(part(() => chronicleLines(state).map(({ id }) => id)));
  const own = part(() =>
    chronicle.lines.filter(
      (line) =>
        line.frame === active && (line.kind === 'said' || (shown.has(line.id) && isFolded(line))),
    ),
  );
  const read = part(() => readLines(own, (source) => draft.bodies.text(source)));
  const lines = part(() => read.map(({ text }, index) => ({ ...own[index]!, text })));
  const foldable = lines.filter((line) => shown.has(line.id) && isFolded(line));
  const settled = which === 'all' ? foldable : part(() => settledLines(foldable));
  const folds = foldsOf(settled, { root: chronicle.root, count, part });
  const gone = new Set(folds.flatMap((fold) => fold.gone.map(({ id }) => id)));
  const said = lines.filter(({ kind, id }) => kind === 'said' && !gone.has(id));
  const overtaken = withOvertaken(said, part).flatMap((line, at) =>
    line === said[at] || !shown.has(line.id)
      ? []
      : [{ gone: [said[at]!], lines: [lineMaker(count)(line)] }],
  );
  return [...folds, ...overtaken];
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
