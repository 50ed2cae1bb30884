import { goBackIn } from '../commands/undo.ts';
import { nowText } from '../render/step.ts';
import type { Chat } from './chat.ts';

/** Takes the newest step back, or again, and says what it was and where the work is now. */
export async function undoCommand({ session, teller }: Chat, way: 'undo' | 'redo'): Promise<void> {
  const { text } = await goBackIn(session, way);
  teller.tell({ type: 'note', text: `${text} ${nowText(session)}` });
}
