import type { Message, Session } from '../index.ts';

/** Most entries of a log that are compared with a list. */
const mostCompared = 256;

/**
 * What a host's list has that the log has not: what stands behind the newest answer that both have, as far as it
 * does not stand behind that answer in the log; where there is none, behind the last answer of each. An answer
 * that broke off may be missing in a list. What a person asks again, as it was, is said again.
 */
export async function lateMessages(
  session: Session,
  list: readonly Message[],
): Promise<readonly Message[]> {
  const { entries } = session.state;
  if (entries === 0) return list;
  const tail = await tailOf(session, list);
  const { late, behind } = compared(list, { tail, isWhole: tail.length === entries });
  const known = new Set(behind.map(identityOf));
  const heard = behind.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
  const fresh = late.filter(
    (one) => !known.has(identityOf(one)) && !heard.some((part) => isPartOf(part, one)),
  );
  const isAskedAgain = tail[0]?.role === 'assistant' && late.at(-1)?.role === 'user';
  return fresh.length === 0 && isAskedAgain ? late.slice(-1) : fresh;
}

/** The newest entries, the newest first: to the first answer that is whole or in the list, and the one before that. */
async function tailOf(session: Session, list: readonly Message[]): Promise<readonly Message[]> {
  const said = new Set(list.map(identityOf));
  const tail: Message[] = [];
  let isFound = false;
  for await (const entry of session.log({ reverse: true, limit: mostCompared })) {
    tail.push(entry);
    if (isFound) break;
    isFound = entry.role === 'assistant' && (!isBroken(entry) || said.has(identityOf(entry)));
  }
  return tail;
}

/** What stands behind the answer from which on a list and a log are compared. */
function compared(
  list: readonly Message[],
  { tail, isWhole }: { readonly tail: readonly Message[]; readonly isWhole: boolean },
): { readonly late: readonly Message[]; readonly behind: readonly Message[] } {
  const said = list.map(identityOf);
  const common = tail.findIndex((one) => isAnswer(one) && said.includes(identityOf(one)));
  if (common >= 0) {
    const [answer, before] = tail.slice(common, common + 2).map(identityOf);
    const isBoth = (id: string, at: number): boolean => id === answer && said[at - 1] === before;
    const both = said.findLastIndex(isBoth);
    const at = both < 0 ? said.lastIndexOf(answer!) : both;
    return { late: list.slice(at + 1), behind: tail.slice(0, common) };
  }
  if (isWhole && tail.every((one) => !isAnswer(one) || isBroken(one)))
    return { late: list, behind: tail };
  const last = tail.findIndex(isAnswer);
  const behind = last < 0 ? tail : tail.slice(0, last);
  return { late: list.slice(list.findLastIndex(isAnswer) + 1), behind };
}

const isAnswer = ({ role }: Message): boolean => role === 'assistant';

const isBroken = (message: Message): boolean =>
  message.role === 'assistant' && message.finish === 'aborted';

/** Whether an answer of a list is what was heard of one, or the reverse: of a stream that stops each hears its own part. */
function isPartOf(heard: Message['content'], { role, content }: Message): boolean {
  if (role !== 'assistant' || typeof heard !== 'string' || typeof content !== 'string')
    return false;
  return content !== '' && (heard.startsWith(content) || content.startsWith(heard));
}

/** What tells a message from others: of a result its call, of an answer its calls, too, else what it says. */
function identityOf(message: Message): string {
  const { role, content } = message;
  if (message.role === 'tool' && message.toolCallId !== undefined)
    return `call ${message.toolCallId}`;
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return JSON.stringify([role, content, ...calls.map(({ id, name }) => [id, name])]);
}
