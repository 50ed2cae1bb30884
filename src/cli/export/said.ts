import type { LogEntry, Session } from '../../index.ts';
import { wholeText } from '../render/message.ts';
import { hideIn, learnIn, noSecrets, type Secrets } from '../secrets/secrets.ts';

// The arguments of a call are printed as JSON, in which a key may stand behind an escape, or hold one: they are
// read as they were given first, and once more as they are printed, where their names stand before them.

/** Learns the keys of an entry. */
export function learnFrom(entry: LogEntry, secrets: Secrets): void {
  if (entry.role === 'assistant')
    for (const { arguments: args } of entry.toolCalls ?? []) learnIn(args, secrets);
  secrets.learn(wholeText(entry));
}

/** Learns the keys of all that a session says beside its log: its prompt, goals, frames and decisions, those of before, too. */
export async function learnBeside(session: Session, secrets: Secrets): Promise<void> {
  if (secrets === noSecrets) return;
  for await (const line of session.export({ onLost: () => undefined }))
    if (line.type !== 'append') learnIn(line, secrets);
}

/** The text of an entry without keys. */
export function saidText(entry: LogEntry, secrets: Secrets): string {
  if (entry.role !== 'assistant' || entry.toolCalls === undefined)
    return secrets.hide(wholeText(entry));
  const toolCalls = entry.toolCalls.map((call) => ({
    ...call,
    arguments: hideIn(call.arguments, secrets),
  }));
  return secrets.hide(wholeText({ ...entry, toolCalls }));
}
