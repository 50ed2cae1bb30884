import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { viewIn, type TypedMoment } from '../command-line/moment.ts';
import { leftLines, treeLines } from '../render/tree.ts';
import { titledTree } from '../sessions/words/frame-titles.ts';
import { readSession } from '../sessions/with-session.ts';

/** Options of `frames` alone. */
export interface FramesOptions {
  readonly at?: TypedMoment | undefined;
}

/** Shows the frames of a session, now or as they were; gives the exit code. */
export async function frames(
  said: string | undefined,
  options: FramesOptions,
  call: CommandCall,
): Promise<number> {
  return readSession(call, said, async (session, listed) => {
    const { at } = options;
    const view = at === undefined ? null : await viewIn(session, at);
    const tree = titledTree(view === null ? session.frames.tree() : view.tree(), listed);
    const { seq, turn } = view === null ? session.state : view.state;
    const left = view === null ? session.frames.left() : [];
    if (call.json)
      call.emit('flamestack.frames/1', { session: session.id, seq, turn, frames: tree, left });
    else {
      const paper = call.paper();
      call.print(...treeLines(tree, paper), ...leftLines(left, paper));
    }
    return exits.done;
  });
}
