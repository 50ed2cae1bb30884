import type { Shown } from './said.ts';
import { edited } from './shortened.ts';

/**
 * The messages as a server takes them: results without their call are left out, calls without a result become
 * prose, but for those that wait at the very end.
 */
export async function paired(messages: readonly Shown[]): Promise<readonly Shown[]> {
  const answered = new Set(
    messages.flatMap(({ role, answers }) => (role === 'tool' ? [answers] : [])),
  );
  const lastOther = messages.findLastIndex(({ role }) => role !== 'tool');
  const made = new Set<string | undefined>();
  const kept: Shown[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (made.has(message.answers)) kept.push(message);
      continue;
    }
    const mayWait = index >= lastOther;
    const calls = message.calls.filter(({ id }) => mayWait || answered.has(id));
    for (const { id } of calls) made.add(id);
    kept.push(calls.length < message.calls.length ? await withoutCalls(message, calls) : message);
  }
  return kept;
}

/** A message with only some of its calls; the others are told. */
async function withoutCalls(message: Shown, calls: Shown['calls']): Promise<Shown> {
  const told = message.calls
    .filter((call) => !calls.includes(call))
    .map(({ name, arguments: given }) => {
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      return `[call ${name} got no result: ${text.slice(0, 200)}]`;
    });
  const content = [message.content, ...told].filter(Boolean).join('\n');
  return edited(message, { content, calls });
}
