import { chronicleLines } from '../../core/sections/chronicle-section.ts';
import { keptLines, readLines } from '../../core/chronicle/chronicle.ts';
import { foldsOf } from '../../core/chronicle/fold.ts';
import type { Draft } from '../step/draft.ts';
import { namesTaken } from './take-corrections.ts';

/** Tells what the chronicle tells of a file, or of a failure, at several times as one; says whether there was any of it. */
export function foldLines(draft: Draft): boolean {
  const { chronicle, active: frame } = draft.state;
  const { root } = chronicle;
  const folds = draft.part(() => {
    const own = chronicleLines(draft.state).filter(
      (line) => line.frame === frame && (line.kind === 'failed' || line.file !== ''),
    );
    const told = readLines(own, (source) => draft.bodies.text(source)).map((line, index) => ({
      ...own[index]!,
      ...line,
    }));
    return foldsOf(told, { root, count: draft.count });
  });
  if (folds.length === 0) return false;
  const lines = folds.flatMap((fold) => fold.lines);
  const source = draft.write(lines.map(({ text }) => text).join('\n'));
  const names = folds.flatMap(({ gone, lines: folded }) =>
    folded.map(({ text }) => namesTaken(draft, gone, text)),
  );
  const made = folds.flatMap(({ gone, lines: folded }) =>
    folded.map(() => Math.max(...gone.map((line) => line.made))),
  );
  const kept = keptLines(lines, { frame, source, after: chronicle.made, made: 0, names });
  draft.record({
    type: 'chronicle.written',
    frame,
    root,
    source,
    lines: kept.map((line, index) => ({ ...line, made: made[index]! })),
    events: [],
    gone: folds.flatMap(({ gone }) => gone.map(({ id }) => id)),
  });
  return true;
}
