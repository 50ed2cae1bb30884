import type { LogEntry } from '../../index.ts';
import { EngineError, isEngineError } from '../../names.ts';
import { quote, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { many } from '../paper/size.ts';
import { cut, wrap } from '../paper/width.ts';
import { messageText } from '../render/message.ts';
import { latestFirst } from '../sessions/pick.ts';
import { readSession, readStore } from '../sessions/with-session.ts';
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
  })).catch(async (error: unknown) => {
    const isStray = said.session !== undefined && isEngineError(error, 'SESSION_NOT_FOUND');
    throw (isStray ? await strayName(said.entry, said.session, call) : null) ?? error;
  });
  const question = questionOf(entry, id, call);
  const words = { what: 'Redacting', none: 'Nothing was redacted.' };
  const refused = await refusal(question, { ...words, yes: options.yes === true, call });
  if (refused !== null) return refused;
  await using store = await openToErase(call);
  await using session = await store.open(id);
  const redaction = await session.redact(entry.id);
  const leftovers = leftBeside(redaction.left, call);
  const { masked, mayStillTell, wasRedacted, documents } = redaction;
  const isNothing = wasRedacted && masked === 0 && documents.length === 0;
  const exit = isNothing ? exits.nothing : exits.done;
  if (call.json) {
    call.emit('flamestack.redact/1', { session: id, ...redaction, left: leftovers });
    return exit;
  }
  const named = `${entry.id} of ${cleanLine(id)}`;
  if (isNothing) {
    call.note(`${named} was redacted before, and nothing that is left says what it said.`);
    return exit;
  }
  const rest =
    masked === 0
      ? 'no other record said what it alone said'
      : `masked in ${many(masked, 'record')}`;
  const files = documents.map((path) => `  and in ${cleanLine(path)}`);
  call.print(`Redacted ${named}: ${rest}`, ...files);
  const warning = `May still tell of it: ${mayStillTell.join(', ')}`;
  if (mayStillTell.length > 0) call.print(...wrap(warning, call.paper().longest));
  noteLeft(leftovers, call);
  return exit;
}

/** That more was named than one entry of one session, or the session first; null where that is not so. */
async function strayName(
  entry: string,
  session: string,
  call: CommandCall,
): Promise<EngineError | null> {
  const words = session.split(' ');
  const second = words.find((word) => isEntry.test(word));
  const ids = await readStore(call, latestFirst).then((all) => all.map(({ id }) => id));
  const isSession = (word: string): boolean => ids.some((id) => id.startsWith(word));
  const named = words.filter(isSession);
  if (second !== undefined && isEntry.test(entry))
    return invalid('entry', second, `one entry, and ${second} is a second: once for each`);
  if (second !== undefined && isSession(entry))
    return invalid('entry', entry, `the entry first: flamestack redact ${second} ${quote(entry)}`);
  if (named.length > 1)
    return invalid('session', named[1]!, `one session, and ${named[1]} is a second`);
  return null;
}

const isEntry = /^e\d{1,12}$/i;

const invalid = (option: string, value: string, takes: string): EngineError =>
  new EngineError('OPTION_INVALID', `redact takes ${cleanLine(takes)}`, {
    detail: { option, value },
  });

/** What is asked before: which entry it is, and how it begins. */
function questionOf(entry: LogEntry, session: string, call: CommandCall): string {
  const { id, role, tokens } = entry;
  const begins = cut(cleanLine(messageText(entry)), call.margin().width - 4);
  const who = `${role}, ${many(tokens, 'token')}`;
  return `${id} (${who})\n  ${begins}\nTake its text out of ${cleanLine(session)} for good?`;
}
