import { stripVTControlCharacters } from 'node:util';
import type { Reliability } from '../../../index.ts';
import { countedBudget } from '../../../reader.ts';
import { cleanLine } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { rule } from '../../paper/rule.ts';
import { many, number, parameters, percent } from '../../paper/size.ts';
import { widthOf, wrap } from '../../paper/width.ts';
import { bar } from '../../render/bar.ts';
import { budgetLines } from '../../render/budget.ts';
import { treeLines } from '../../render/tree.ts';
import type { Chat } from '../conversation/chat.ts';
import { badgeText, partsText } from '../output/status-line.ts';
import { goalLines } from './goal-command.ts';

/** The tree of work, what the window is spent on, and who answers. */
export function statusLines({ session, call, now, summarizer }: Chat): readonly string[] {
  const paper = call.paper();
  const { state } = session;
  const { goal, reliability } = state;
  const budget = countedBudget(state.budget);
  return [
    rule(paper, 'work', cleanLine(session.id)),
    ...(goal === null ? [] : goalLines(goal, paper.glyphs)),
    ...treeLines(session.frames.tree(), paper),
    rule(paper, 'context', budget.count),
    bar(budget, paper),
    partsText(state.budget),
    ...budgetLines(budget, paper),
    rule(paper, 'model'),
    `  ${cleanLine(now.model.name)} at ${cleanLine(now.model.server)}`,
    ...(reliability === null
      ? []
      : reliabilityLines(reliability, { total: state.compressions, summarizer }, paper)),
  ].flatMap((line) => folded(line, paper.width));
}

/** The line, in several where it is wider than the terminal; plain then. */
function folded(line: string, width: number): readonly string[] {
  const plain = stripVTControlCharacters(line);
  if (widthOf(plain) <= width) return [line];
  const [first = '', ...more] = wrap(plain, width - 4);
  return [first, ...more.map((one) => `    ${one.trimStart()}`)];
}

/** What is estimated by the size of the model, and beside it what was measured. */
function reliabilityLines(
  reliability: Reliability,
  { total, summarizer }: { readonly total: number } & Pick<Chat, 'summarizer'>,
  paper: Paper,
): readonly string[] {
  const { size, quality, kept, compressions } = reliability;
  const badge = badgeText(reliability, paper);
  const countText = compressions === 0 ? 'none' : number(compressions);
  const by = total === compressions ? '' : `, ${countText} written by the model`;
  const basis = `${parameters(size)}, ${many(total, 'compression')}${by}`;
  return [
    `  reliability ${badge}, an estimate: ${basis}`,
    ...(summarizer === 'model' ? [`  summaries by models of that size: ${quality.summaries}`] : []),
    ...(kept === null
      ? []
      : [
          `  names in what is compressed that lines of the prompt tell, measured: ${percent(kept)}`,
        ]),
  ];
}
