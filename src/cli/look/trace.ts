import type { TraceGiven } from '../../index.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { many } from '../paper/size.ts';
import { hitLines } from '../render/hit.ts';
import { toldHitsIn } from '../render/told-hits.ts';
import { asWord } from '../sessions/as-word.ts';
import { newLeftOut } from '../sessions/left-out.ts';
import { queryTerms } from '../../reader.ts';
import { readSession } from '../sessions/with-session.ts';

/** Options of `trace` alone. */
export interface TraceCommandOptions {
  readonly session?: string | undefined;
  /** The checkpoint that the sentence stands in. */
  readonly checkpoint?: string | undefined;
  readonly limit?: number | undefined;
}

/** Sources unless told. */
const usualHits = 5;
/** What is shown of a source, in tokens. */
const tokensOfHit = 200;

/** Finds the entries that a sentence of a summary, or a checkpoint, comes from; gives the exit code. */
export async function trace(
  words: readonly string[],
  options: TraceCommandOptions,
  call: CommandCall,
): Promise<number> {
  const { limit = usualHits } = options;
  const text = words.join(' ');
  const source = givenOf(text, options.checkpoint);
  return readSession(call, options.session, async (session, _, sessions) => {
    const leftOut = newLeftOut(call);
    const { onLost } = leftOut;
    const how = { limit, tokens: limit * tokensOfHit, signal: call.io.signal, onLost };
    const hits = await session.trace(source, how);
    if (call.json) call.emit('flamestack.trace/1', { session: session.id, ...source, hits });
    else if (hits.length === 0)
      call.note(nothingText(text, options.session, call), ...asWord(words, sessions));
    else {
      const excerpts = await toldHitsIn(session, hits, text);
      call.print(...hitLines(excerpts, { query: text, now: Date.now(), paper: call.paper() }));
      call.note('', sourcesText(hits.length, limit));
    }
    return leftOut.settle(session.id) || (hits.length === 0 ? exits.nothing : exits.done);
  });
}

/** How many entries it comes from, and how to see more where as many were found as were asked for. */
function sourcesText(count: number, limit: number): string {
  const entries = many(count, 'entry', 'entries');
  if (count < limit) return `It comes from ${entries}.`;
  return `The best ${entries} that it comes from; more with --limit ${limit * 2}`;
}

/** That nothing was found, or could be by such words, and where an entry is read, for that is no summary. */
function nothingText(text: string, said: string | undefined, call: CommandCall): string {
  if (queryTerms(text).length === 0)
    return 'These words are too common to search for; name more of what was said.';
  if (/^c\d+$/.test(text)) return noLinesText(text, said, call);
  if (!/^e\d+$/.test(text)) return 'No entry of the log says any of that.';
  const session = quote(cleanLine(said ?? '@1'));
  return `${text} is an entry: flamestack show ${session} --entry ${text}${storeArgument(call)}`;
}

/** That the lines of a checkpoint, where it has any, lead nowhere, and what opens its entries. */
function noLinesText(checkpoint: string, said: string | undefined, call: CommandCall): string {
  const session = said === undefined ? '' : ` --session ${quote(cleanLine(said))}`;
  const open = `flamestack expand ${checkpoint}${session}${storeArgument(call)}`;
  return `No line of ${checkpoint} leads to an entry (a merged checkpoint has none); all it stands for: ${open}`;
}

function givenOf(text: string, checkpoint: string | undefined): TraceGiven {
  if (/^c\d+$/.test(text)) return { checkpoint: text };
  return checkpoint === undefined ? { text } : { text, checkpoint };
}
