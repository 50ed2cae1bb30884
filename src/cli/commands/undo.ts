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
export function goneBackText({ what, left }: GoneBack, way: 'undo' | 'redo'): string {
  const text = way === 'undo' ? `Took back ${names[what]}.` : `Took ${names[what]} again.`;
  return left === 0 ? text : `${text} ${leftText(left)}`;
}

/** What became of entries that have no place any more. */
export function leftText(left: number): string {
  const stay = left === 1 ? 'stays' : 'stay';
  return `${many(left, 'entry', 'entries')} of that branch ${stay} in the log, behind a breadcrumb.`;
}
