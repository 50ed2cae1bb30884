import { commandIn } from './commands/slash-commands.ts';
import { isToBeSent } from './conversation/ask-long.ts';
import { answerRecovery, askRecovery } from './conversation/ask-recovery.ts';
import type { Chat, TakenMessage } from './conversation/chat.ts';
import { turn } from './conversation/turn.ts';
import { many, parameters } from '../paper/size.ts';
import { failedEvent, type ChatEvent, type SessionStatus } from './output/chat-event.ts';
import { sessionStatus } from './output/status-line.ts';

/** Takes messages until the person leaves; false where a turn or a command of a script went wrong. */
export async function loop(chat: Chat): Promise<boolean> {
  const { person, session, teller } = chat;
  let warned = person.isThere ? 0 : 1;
  for (;;) {
    const standing = sessionStatus(session);
    const due = warningOf(standing);
    if (due !== null && due.degree > warned) {
      teller.tell(due.event);
      warned = due.degree;
    }
    teller.tell({ type: 'prompt', standing });
    await askRecovery(chat);
    const text = await person.next();
    if (text === null) return true;
    if (commandIn(text) === null && (await answerRecovery(chat, text))) continue;
    if (text.trim() === '') continue;
    const done = await takeMessage(chat, text);
    if (done === 'leave') return true;
    if (done === 'failed' && !person.isThere) {
      tellLeft(chat);
      return false;
    }
  }
}

/** Says of a script that ends too early what of it was not done. */
function tellLeft({ person, teller }: Chat): void {
  const left = person.left();
  if (left < 1) return;
  const text = `That ended the chat: ${many(left, 'line')} behind it ${left === 1 ? 'was' : 'were'} not taken. Pipe the rest again; the session is kept.`;
  teller.tell({ type: 'warning', text });
}

/** What is said of an unreliable session: of degree 1 by its model's size, 2 once that has compressed as often as it should; null for none. */
function warningOf({
  reliability,
}: SessionStatus): { readonly degree: 1 | 2; readonly event: ChatEvent } | null {
  if (reliability === null || reliability.warning === null) return null;
  const { size, confidence, compressions, quality, warning: text } = reliability;
  const event = { type: 'warning', text } as const;
  if (compressions >= quality.compressions[1]) return { degree: 2, event };
  // Where nothing has come about yet, the badge says no more than how large the model is.
  const bySize = `Reliability is estimated by the model's size (${parameters(size)}): /status`;
  const isNew = compressions === 0 && confidence === 1;
  return { degree: 1, event: isNew ? { type: 'note', text: bySize } : event };
}

async function takeMessage(chat: Chat, text: string): Promise<TakenMessage> {
  const command = commandIn(text);
  if (command !== null) return command(chat).catch((error: unknown) => failed(chat, error));
  return answerMessage(chat, text).catch((error: unknown) => failed(chat, error));
}

async function answerMessage(chat: Chat, text: string): Promise<TakenMessage> {
  const { session, now } = chat;
  if (!(await isToBeSent(chat, text))) return 'done';
  await session.append({ role: 'user', content: text, meta: { chat: now.model.name } });
  return (await turn(chat)) ? 'done' : 'failed';
}

function failed({ teller, call }: Chat, error: unknown): TakenMessage {
  teller.tell(failedEvent(error, call));
  return 'failed';
}
