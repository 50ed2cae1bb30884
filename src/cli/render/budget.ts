import type { Budget } from '../../index.ts';
import type { Paper } from '../paper/paper.ts';
import { number, percent } from '../paper/size.ts';
import { hanging, padEnd, padStart } from '../paper/width.ts';

/** What each part of a prompt means, in a few words. */
export const parts = [
  ['system', 'the system prompt, alone'],
  ['tools', 'schemas of the tools'],
  ['human', 'what people said earlier, word for word'],
  ['chronicle', 'what happened before, in lines'],
  ['goal', 'goal, milestones, decisions'],
  ['frames', 'the tree of work, with results'],
  ['checkpoints', 'older entries of this frame, in lines'],
  ['working', 'the newest entries'],
] as const satisfies readonly (readonly [keyof Budget, string])[];

const nameWidth = 14;
const numberWidth = 8;

/** The budget as a table: parts that are not empty, and their sum. */
export function budgetLines(budget: Budget, paper: Paper): readonly string[] {
  const { limit, total, reserve } = budget;
  const line = (name: string, tokens: number, about: string): readonly string[] => {
    const share = padStart(percent(tokens / limit), 6);
    const left = `  ${padEnd(name, nameWidth)}${padStart(number(tokens), numberWidth)}${share}`;
    return hanging(`${left}  `, about, paper.longest).map(
      (text) => text.slice(0, left.length) + paper.paint(text.slice(left.length), 'gray'),
    );
  };
  return [
    ...parts.flatMap(([name, about]) =>
      budget[name] === 0 ? [] : line(name, budget[name], about),
    ),
    ...line('all', total, `of ${number(limit)}; ${number(reserve)} more are kept for the answer`),
  ];
}

/** Where compression begins, in a sentence. */
export function dueLines(budget: Budget, paper: Paper): readonly string[] {
  const { human, working, threshold, available } = budget;
  const due = `Compression begins when human and working reach ${number(threshold)} of their ${number(available)} tokens (now ${number(human + working)}).`;
  return hanging('  ', due, paper.longest).map((text) => paper.paint(text, 'gray'));
}
