import { quote, storeArgument } from '../../call/call.ts';
import { restoreSession } from '../../keep/snapshot.ts';
import { goBackSession } from '../../keep/undo.ts';
import { snapshotLines } from '../../render/snapshot.ts';
import { nowText } from '../../render/step.ts';
import type { Chat } from '../conversation/chat.ts';

/** A verb of `flamestack snapshot` with the id of a snapshot. */
const verb = /^(show|restore|rm)\s+(s\d+)(\s+(?:--)?keep)?$/;

/** Lists snapshots, goes back to one, takes one off the list, or makes one. */
export async function snapshotCommand(
  { session, teller, call }: Chat,
  rest: string,
): Promise<void> {
  const say = (text: string): void => teller.tell({ type: 'note', text });
  const [, name, id = '', keep] = verb.exec(rest) ?? [];
  if (rest === 'ls') {
    const keep = '`/snapshot restore <id> keep`';
    const lines = snapshotLines(session, { paper: call.paper(), all: true, keep });
    teller.tell({ type: 'lines', lines });
  } else if (name === 'show') {
    const show = `flamestack snapshot show ${id} --session ${quote(session.id)}${storeArgument(call)}`;
    say(`\`${show}\` shows it, in another terminal.`);
  } else if (name === 'restore') {
    const { text } = await restoreSession(session, id, keep !== undefined);
    say(`${text} ${nowText(session)} /undo takes it back.`);
  } else if (name === 'rm') {
    await session.snapshots.delete(id);
    say(`Removed ${id}; nothing of the log went with it.`);
  } else {
    const snapshot = await session.snapshots.create(rest);
    say(`Made snapshot ${snapshot.id}; /snapshot restore ${snapshot.id} goes back to it.`);
  }
}

/** Takes the newest step back, or again, and says what it was and where the work is now. */
export async function undoCommand({ session, teller }: Chat, way: 'undo' | 'redo'): Promise<void> {
  const { text } = await goBackSession(session, way);
  teller.tell({ type: 'note', text: `${text} ${nowText(session)}` });
}
