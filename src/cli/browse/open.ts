import type { CommandCall } from '../call/call.ts';
import { browse } from './browse.ts';

/** Opens a session: by keyboard at a terminal, elsewhere as `show` prints it; gives the exit code. */
export async function open(said: string | undefined, call: CommandCall): Promise<number> {
  const isAtTerminal = call.io.stdin.isTTY === true && call.paper().isLive && !call.json;
  if (isAtTerminal) return browse(said, call);
  const { show } = await import('../look/show.ts');
  return show(said, {}, call);
}
