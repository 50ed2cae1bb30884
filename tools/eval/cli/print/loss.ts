import type { Loss, Result, Total } from '../../index.ts';
import { cleanLine } from '../../../../src/cli/paper/clean.ts';
import type { Paper } from '../../../../src/cli/paper/paper.ts';
import { many, number } from '../../../../src/cli/paper/size.ts';
import { cut, wrap } from '../../../../src/cli/paper/width.ts';

/** Names and directives that are shown. */
const most = { names: 12, directives: 3 } as const;

/** Longest name that is shown whole, in cells. */
const longestName = 40;

/** What one method lost most within one budget. */
export function lossLines(
  results: readonly Result[],
  { method, budget, tally }: Total,
  paper: Paper,
): readonly string[] {
  const lost = together(
    results.filter((result) => result.method === method && result.budget === budget),
  );
  const names = lost.filter(({ type }) => type === 'name');
  const directives = lost.filter(({ type }) => type === 'directive');
  const gone = tally.far.of - tally.far.kept;
  if (gone === 0 && directives.length === 0) return [`${method} lost nothing that was needed.`];
  const classes = Object.entries(tally.farByClass)
    .filter(([, { kept, of }]) => of > kept)
    .map(([kind, { kept, of }]) => `${kind} ${number(of - kept)} of ${number(of)}`);
  const head =
    gone === 0
      ? []
      : wrap(`${method} lost ${many(gone, 'far reference')}: ${classes.join(', ')}.`, paper.width);
  const missed = names
    .slice(0, most.names)
    .map((loss) => cut(cleanLine(loss.text), longestName, paper.glyphs.more) + times(loss));
  return [
    ...head,
    ...(missed.length === 0 ? [] : wrap(`Missed most: ${missed.join(', ')}`, paper.width)),
    ...directives.slice(0, most.directives).map((loss) => directiveLine(loss, paper)),
  ];
}

/** The losses of several files, those of the same text added up, the most missed first. */
function together(results: readonly Result[]): readonly Loss[] {
  const sums = new Map<string, Loss>();
  for (const loss of results.flatMap(({ lost }) => lost)) {
    const key = `${loss.type} ${loss.text}`;
    sums.set(key, { ...loss, times: loss.times + (sums.get(key)?.times ?? 0) });
  }
  return [...sums.values()].sort((one, other) => other.times - one.times);
}

function times({ times: count }: Loss): string {
  return count === 1 ? '' : ` (${count})`;
}

function directiveLine(loss: Loss, { width, glyphs }: Paper): string {
  const end = `"${times(loss)}`;
  const head = 'Out of view: "';
  const room = width - head.length - end.length;
  return head + cut(cleanLine(loss.text), room, glyphs.more) + end;
}
