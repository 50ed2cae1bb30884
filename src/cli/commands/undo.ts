import type { GoneBack, Undoable } from '../../index.ts';
import type { Call } from '../call.ts';
import { exits } from '../exit.ts';
import { many } from '../render/size.ts';
import { withSession } from '../with-session.ts';

const names: Readonly<Record<Undoable, string>> = {
  compression: 'the last compression',
  pop: 'the last pop',
  push: 'the last push',
  invalidate: 'the last abandoned frame',
  restore: 'the last restore',
  goal: 'the last goal',
  recovery: 'what was recovered from documents (goal, title, frames)',
};

/** Takes the newest step of a session back, or again; gives the exit code. */
export async function goBack(
  said: string | undefined,
  way: 'undo' | 'redo',
  call: Call,
): Promise<number> {
  return withSession(call, said, async (session) => {
    const done = await session[way]();
    if (call.json) call.emit(`flamestack.${way}/1`, { session: session.id, ...done });
    else call.print(goneBackText(done, way));
    return exits.done;
  });
}

/** What going back did, in a line. */
export function goneBackText(done: GoneBack, way: 'undo' | 'redo'): string {
  const what = names[done.what];
  const text = way === 'undo' ? `Took back ${what}.` : `Took ${what} again.`;
  return [text, ...besidesText(done)].join(' ');
}

/** What became of entries that have no place any more, or too many. */
export function besidesText({ left, compressed }: GoneBack): readonly string[] {
  const stay = left === 1 ? 'stays' : 'stay';
  const entries = many(left, 'entry', 'entries');
  return [
    ...(left === 0 ? [] : [`${entries} of that branch ${stay} in the log, behind a breadcrumb.`]),
    ...(compressed ? ['What no longer fits was compressed.'] : []),
  ];
}
