import type { LogEntry } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { many } from '../paper/size.ts';
import { cut, wrap } from '../paper/width.ts';
import { messageText } from '../render/message.ts';
import { readSession } from '../sessions/with-session.ts';
import { leftBeside, noteLeft, openToErase, refusal } from './erasing.ts';

/** Options of `redact` alone. */
export interface RedactOptions {
  /** Do not ask. */
  readonly yes?: boolean | undefined;
}

/** Takes the text of an entry out, and says what may tell of it still; gives the exit code. */
export async function redact(
  said: { readonly entry: string; readonly session: string | undefined },
  options: RedactOptions,
  call: CommandCall,
): Promise<number> {
  const { id, entry } = await readSession(call, said.session, async (session) => ({
    id: session.id,
    entry: await session.entry(said.entry),
  }));
  const question = questionOf(entry, id, call);
  const words = { what: 'Redacting', none: 'Nothing was redacted.' };
  const refused = await refusal(question, { ...words, yes: options.yes === true, call });
  if (refused !== null) return refused;
  await using store = await openToErase(call);
  await using session = await store.open(id);
  const redaction = await session.redact(entry.id);
  const left = leftBeside(redaction.left, call);
  if (call.json) {
    call.emit('flamestack.redact/1', { session: id, ...redaction, left });
    return exits.done;
  }
  const { masked, mayStillTell } = redaction;
  const files = redaction.documents.map((path) => `  and in ${cleanLine(path)}`);
  const named = `Redacted ${entry.id} of ${cleanLine(id)}`;
  call.print(`${named}: masked in ${many(masked, 'record')}`, ...files);
  const told = `May still tell of it: ${mayStillTell.join(', ')}`;
  if (mayStillTell.length > 0) call.print(...wrap(told, call.paper().longest));
  noteLeft(left, call);
  return exits.done;
}

/** What is asked before: which entry it is, and how it begins. */
function questionOf(entry: LogEntry, session: string, call: CommandCall): string {
  const { id, role, tokens } = entry;
  const begins = cut(cleanLine(messageText(entry)), call.margin().width - 4);
  const who = `${role}, ${many(tokens, 'token')}`;
  return `${id} (${who})\n  ${begins}\nTake its text out of ${cleanLine(session)} for good?`;
}
