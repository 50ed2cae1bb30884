import type { Chat } from './chat.ts';
import { toolsOf } from './tools-of.ts';

/** Has the tools counted before anything is asked, and says why the limit is low where nothing was measured yet. */
export async function measure(chat: Chat): Promise<void> {
  const { session, person, teller } = chat;
  // What cannot be sent is told when it is to be.
  await person
    .during((signal) => session.assemble({ tools: toolsOf(chat), signal }))
    .catch(() => null);
  if (!person.isThere || session.state.budget.count === 'measured') return;
  const text = 'estimate: the limit is kept low until the first answer';
  teller.tell({ type: 'note', text });
}
