import type { Session } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { toReferring } from '../../reader.ts';
import { many } from '../paper/size.ts';
import { entryLines } from '../render/entry.ts';
import { frameTitles } from '../sessions/words/frame-titles.ts';
import { readSession } from '../sessions/with-session.ts';

/** Options of `expand` alone. */
export interface ExpandCommandOptions {
  readonly session?: string | undefined;
  readonly limit?: number | undefined;
}

/** Prints the entries behind a checkpoint, a frame, a range or a marker, whole; gives the exit code. */
export async function expand(
  words: readonly string[],
  options: ExpandCommandOptions,
  call: CommandCall,
): Promise<number> {
  const ref = words.join(' ');
  const { limit = Number.POSITIVE_INFINITY } = options;
  return readSession(call, options.session, async (session) => {
    const expanded = await session.expand(ref, { limit: limit + 1, signal: call.io.signal });
    const entries = expanded.slice(0, limit);
    const isMore = expanded.length > entries.length;
    if (call.json) {
      call.emit('flamestack.expand/1', { session: session.id, ref, entries, isMore });
      return exits.done;
    }
    const titles = frameTitles(session);
    for (const entry of entries) {
      const context = { frame: titles.get(entry.frame) ?? '', place: session.where(entry.id) };
      call.print(...entryLines(entry, context, call.paper()), '');
    }
    const after = entries.at(-1)?.id ?? 'the first';
    const countText = many(entries.length, 'entry', 'entries');
    const end = reachesBeyond(ref, session) ? `; the log ends with e${session.state.entries}` : '';
    call.note(isMore ? `There are more after ${after}: --limit` : `${countText}${end}`);
    return exits.done;
  });
}

/** Whether a range of a reference goes on where the log has ended. */
const reachesBeyond = (ref: string, { state }: Session): boolean =>
  toReferring(ref).references.some(
    (one) => one.type === 'entries' && Number(one.to.slice(1)) > state.entries,
  );
