import type { Message, Session } from '../index.ts';

/** Most entries of a log that are compared with a list. */
const mostCompared = 256;

/**
 * What a host's list has that the log has not: what stands behind its last answer, as far as it does not stand
 * behind the last answer of the log; all of it, where the log has nothing.
 */
export async function lateMessages(
  session: Session,
  list: readonly Message[],
): Promise<readonly Message[]> {
  if (session.state.entries === 0) return list;
  const late = list.slice(list.findLastIndex(({ role }) => role === 'assistant') + 1);
  if (late.length === 0) return late;
  const known = new Set<string>();
  for await (const entry of session.log({ reverse: true, limit: mostCompared })) {
    if (entry.role === 'assistant') break;
    known.add(identityOf(entry));
  }
  return late.filter((message) => !known.has(identityOf(message)));
}

/** What tells a message from others: of a result its call, else what it says. */
function identityOf(message: Message): string {
  if (message.role === 'tool' && message.toolCallId !== undefined)
    return `call ${message.toolCallId}`;
  return JSON.stringify([message.role, message.content]);
}
