import type { LogEntry, Session } from '../../../index.ts';

/** The newest entry that was not left on another branch; null where there is none. */
export async function lastEntry(session: Session): Promise<LogEntry | null> {
  for await (const entry of session.log({ reverse: true }))
    if (session.where(entry.id).place !== 'left') return entry;
  return null;
}

/** Whether nothing waits for the model: there is nothing yet, or it has answered. */
export function isAnswer(entry: LogEntry | null): boolean {
  return entry === null || (entry.role === 'assistant' && (entry.toolCalls ?? []).length === 0);
}

/** Whether an entry is an answer that came to no end. */
export const isBroken = (entry: LogEntry | null): boolean =>
  entry?.role === 'assistant' && entry.finish === 'aborted';
