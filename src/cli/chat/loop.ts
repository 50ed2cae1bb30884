import { commandIn } from './commands/slash-commands.ts';
import { askRecovery } from './conversation/ask-recovery.ts';
import type { Chat, TakenMessage } from './conversation/chat.ts';
import { turn } from './conversation/turn.ts';
import { failedEvent } from './output/chat-event.ts';
import { sessionStatus } from './output/status-line.ts';

/** Takes messages until the person leaves; false where a script's turn went wrong. */
export async function loop(chat: Chat): Promise<boolean> {
  const { person, session, teller } = chat;
  let isWarned = false;
  for (;;) {
    await askRecovery(chat);
    const standing = sessionStatus(session);
    const warning = standing.reliability?.warning ?? null;
    if (warning !== null && !isWarned) teller.tell({ type: 'warning', text: warning });
    isWarned ||= warning !== null;
    teller.tell({ type: 'prompt', standing });
    const text = await person.next();
    if (text === null) return true;
    if (text.trim() === '') continue;
    const done = await takeMessage(chat, text);
    if (done === 'leave') return true;
    if (done === 'failed' && !person.isThere) return false;
  }
}

async function takeMessage(chat: Chat, text: string): Promise<TakenMessage> {
  const command = commandIn(text);
  if (command !== null) return command(chat).catch((error: unknown) => failed(chat, error));
  return answerMessage(chat, text).catch((error: unknown) => failed(chat, error));
}

async function answerMessage(chat: Chat, text: string): Promise<TakenMessage> {
  const { session, now } = chat;
  await session.append({ role: 'user', content: text, meta: { chat: now.model.name } });
  return (await turn(chat)) ? 'done' : 'failed';
}

function failed({ teller }: Chat, error: unknown): TakenMessage {
  teller.tell(failedEvent(error));
  return 'failed';
}
