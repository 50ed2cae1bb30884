import { toolsOf } from '../conversation/chat-tools.ts';
import type { Chat, TakenMessage } from '../conversation/chat.ts';
import { isAnswer, isBroken, lastEntry } from '../conversation/last-entry.ts';
import { turn } from '../conversation/turn.ts';
import { refused } from './refused.ts';

/** Said to a model in place of an answer that a person wants another for. */
const another = '[The person asks for another answer to the last message.]';

/** Said behind an answer that came to no end, by a stop or by the server. */
const broken = '[The last answer broke off. Answer the last message again, from the beginning.]';

/** Said where it called tools, and was stopped before all of them had run. */
const stopped = '[The calls were stopped. Go on without their results, or call again.]';

/** Asks the model again: for another answer where the last entry is one, else for the one that is missing. */
export async function retryCommand(chat: Chat): Promise<TakenMessage> {
  const { session, now } = chat;
  const last = await lastEntry(session);
  if (last === null) throw refused('There is nothing to answer yet.');
  const { openCalls } = await session.assemble({ tools: toolsOf(chat) });
  if (last.role === 'assistant' || openCalls.length > 0)
    await session.append({
      role: 'user',
      origin: 'machine',
      content: isBroken(last) ? broken : isAnswer(last) ? another : stopped,
      meta: { chat: now.model.name },
    });
  return (await turn(chat)) ? 'done' : 'failed';
}
