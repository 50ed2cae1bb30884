import type { Session } from '../../index.ts';

/** What `/flame` says of its forms. */
const flameUsage = [
  '/flame                          window, frames and goal',
  '/flame recall <words>           look something up in all that was said',
  '/flame push <title> | <criteria>',
  '/flame pop [what came of it]    leave the frame, which is then completed',
  '/flame goal <text>              what the work is for',
  '/flame compress [what to keep in detail]',
].join('\n');

/** Carries out what a person typed behind `/flame`; resolves with what to show them. */
export async function flameCommand(session: Session, typed: string): Promise<string> {
  const said = typed.trim();
  const word = /^\S*/.exec(said)![0];
  const rest = said.slice(word.length).trim();
  switch (word) {
    case '':
      return `${windowLine(session.state)}\n${await toolText(session, 'frame_status', {})}`;
    case 'recall':
      return rest === '' ? flameUsage : toolText(session, 'recall', { query: rest });
    case 'push': {
      const [title = '', criteria = ''] = rest.split('|').map((part) => part.trim());
      return title === '' ? flameUsage : toolText(session, 'frame_push', { title, criteria });
    }
    case 'pop':
      return toolText(session, 'frame_pop', {
        status: 'completed',
        ...(rest === '' ? {} : { results: rest }),
      });
    case 'goal':
      if (rest === '') return flameUsage;
      await session.goal.set(rest);
      return `Goal: ${rest}`;
    case 'compress':
      await session.compress(rest === '' ? {} : { focus: rest });
      return windowLine(session.state);
    default:
      return `There is no "${word}" here.\n${flameUsage}`;
  }
}

async function toolText(session: Session, name: string, args: unknown): Promise<string> {
  const tool = session.tools('all', { atOnce: true }).find((one) => one.name === name)!;
  return (await tool.execute(args)).text;
}

/** How much of the window is used, and what was compressed. */
export function windowLine({ budget, checkpoints }: Session['state']): string {
  const parts = [
    `${tokens(budget.total)} of ${tokens(budget.limit)} tokens`,
    ...(checkpoints.length === 0 ? [] : [`${checkpoints.length} compressed`]),
  ];
  return parts.join(' · ');
}

const tokens = (count: number): string =>
  count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;
