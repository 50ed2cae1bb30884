import { bar, legend, meter } from '../render/bar.ts';
import { budgetLines } from '../render/budget.ts';
import { cleanLine } from '../render/clean.ts';
import { rule } from '../render/rule.ts';
import { number } from '../render/size.ts';
import { treeLines } from '../render/tree.ts';
import type { Chat } from './chat.ts';
import { goalLines } from './goal-command.ts';
import { badgeText, standingOf } from './standing.ts';

/** The tree of work, what the window is spent on, and who answers. */
export function statusLines({ session, call, now }: Chat): readonly string[] {
  const paper = call.paper();
  const { state } = session;
  const { budget, goal } = state;
  const { reliability } = standingOf(session);
  return [
    rule(paper, 'work', cleanLine(session.id)),
    ...(goal === null ? [] : goalLines(goal, paper.glyphs)),
    ...treeLines(session.frames.tree(), paper),
    rule(paper, 'context', budget.count),
    bar(budget, paper),
    meter(budget, paper, [`window ${number(budget.window)}`]),
    legend(budget, paper),
    ...budgetLines(budget, paper),
    rule(paper, 'model'),
    `  ${cleanLine(now.model.name)} at ${cleanLine(now.model.server)}`,
    ...(reliability === null ? [] : [`  reliability ${badgeText(reliability, paper)}`]),
  ];
}
