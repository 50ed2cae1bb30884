import type { Goal } from '../../../index.ts';
import { cleanLine } from '../../paper/clean.ts';
import type { Chat } from '../conversation/chat.ts';

const changes = ['pause', 'resume', 'complete'] as const;

/** Shows the goal, changes where it is, or sets another. */
export async function goalCommand({ session, teller, call }: Chat, rest: string): Promise<void> {
  const change = changes.find((one) => one === rest);
  if (change !== undefined) await session.goal[change]();
  else if (rest !== '' && rest !== 'show') await session.goal.set(rest);
  const { goal } = session.state;
  const { glyphs } = call.paper();
  const lines = goal === null ? ['No goal yet: /goal <text> sets one.'] : goalLines(goal, glyphs);
  teller.tell({ type: 'lines', lines });
}

/** A goal with its milestones and decisions, a line each. */
export function goalLines(
  goal: Goal,
  glyphs: { readonly goal: string; readonly completed: string; readonly planned: string },
): readonly string[] {
  const { description, status, milestones, decisions } = goal;
  return [
    `${glyphs.goal} ${cleanLine(description)}${status === 'active' ? '' : ` (${status})`}`,
    ...milestones.map((one) => {
      const sign = one.status === 'completed' ? glyphs.completed : glyphs.planned;
      return `  ${sign} ${cleanLine(one.text)}`;
    }),
    ...decisions.map(({ text, locked }) => `  ${locked ? 'locked' : 'open'}: ${cleanLine(text)}`),
  ];
}
