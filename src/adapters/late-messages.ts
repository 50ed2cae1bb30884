import type { Message, Session } from '../index.ts';

/** Most entries of a log that are compared with a list, and how many before an answer that both have tell it from another. */
const compared = { most: 256, before: 8 } as const;

/**
 * What a host's list has that the log has not: what stands behind the newest answer that both have, as far as it
 * does not stand behind that answer in the log; where there is none, behind the last answer of each. A list may
 * lack an answer that broke off. What a person asks again, as it was, is said again.
 */
export async function lateMessages(
  session: Session,
  list: readonly Message[],
): Promise<readonly Message[]> {
  if (session.state.entries === 0) return list;
  const tail = await tailOf(session, list);
  const { late, behind } = behindCommon(list, tail);
  const known = new Set(behind.map(identityOf));
  const heard = behind.flatMap((one) => (isBroken(one) ? [one.content] : []));
  const fresh = late.filter(
    (one) => !known.has(identityOf(one)) && !heard.some((part) => isPartOf(part, one)),
  );
  const isAskedAgain = isAnswer(tail.at(-1)!) && late.at(-1)?.role === 'user';
  return fresh.length === 0 && isAskedAgain ? late.slice(-1) : fresh;
}

/** The newest entries of a log, the oldest of them first, as far back as they are compared with a list. */
async function tailOf(session: Session, list: readonly Message[]): Promise<readonly Message[]> {
  const said = new Set(list.map(identityOf));
  const tail: Message[] = [];
  let left: number = compared.most;
  for await (const entry of session.log({ reverse: true, limit: compared.most })) {
    tail.unshift(entry);
    const isEnough = list.length === 1 || (said.has(identityOf(entry)) && !isBroken(entry));
    left = isAnswer(entry) && isEnough ? Math.min(left, compared.before) : left - 1;
    if (left <= 0) break;
  }
  return tail;
}

/** What stands behind the message from which on a list and a log are compared: that which most before it agrees with. */
function behindCommon(
  list: readonly Message[],
  tail: readonly Message[],
): { readonly late: readonly Message[]; readonly behind: readonly Message[] } {
  const [listed, logged] = [list.map(identityOf), tail.map(identityOf)];
  // A list of one is a prompt alone; a longer one may begin where the log does.
  let [best, at, place] = [0, list.findLastIndex(isAnswer), tail.findLastIndex(isAnswer)];
  if (list.length > 1 && listed[0] === logged[0]) [at, place] = [-1, -1];
  for (const [n, message] of tail.entries()) {
    if (!isAnswer(message)) continue;
    for (const [m, id] of listed.entries()) {
      if (id !== logged[n]) continue;
      let agreed = 1;
      while (agreed <= compared.before && listed[m - agreed] === logged[n - agreed]) agreed += 1;
      if (agreed >= best) [best, at, place] = [agreed, m, n];
    }
  }
  return { late: list.slice(at + 1), behind: tail.slice(place + 1) };
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
