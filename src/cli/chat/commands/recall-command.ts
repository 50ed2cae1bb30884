import { isReference, queryTerms, type LostEntries } from '../../../index.ts';
import { exits, toFailure } from '../../call/exit.ts';
import { many } from '../../paper/size.ts';
import { entryLines } from '../../render/entry.ts';
import { hitLines, noTerms } from '../../render/hit.ts';
import { toldHitsIn } from '../../render/told-hits.ts';
import { lostText } from '../../sessions/left-out.ts';
import type { Chat } from '../conversation/chat.ts';
import { refused } from './refused.ts';

/** Hits that are shown, and tokens of them all. */
const limits = { limit: 6, tokens: 900 };
/** Entries of a range that are shown. */
const mostEntries = 20;

/** Finds what was said by words, or prints entries by id; what is not there is a note, as for words. */
export async function recallCommand(chat: Chat, rest: string): Promise<void> {
  const { session, teller, call, person } = chat;
  if (rest === '') throw refused('It takes more: /recall refresh token, or /recall e12');
  const paper = call.paper();
  if (!isReference(rest)) {
    const lost: LostEntries[] = [];
    const onLost = (one: LostEntries): void => void lost.push(one);
    const hits = await person.during((signal) =>
      session.recall(rest, { ...limits, signal, onLost }),
    );
    if (lost.length > 0)
      teller.tell({ type: 'note', text: `Not searched: ${lost.map(lostText).join(', ')}` });
    if (hits.length === 0) {
      const isEmpty = queryTerms(rest).length === 0;
      const text = isEmpty ? `Nothing to look for: ${noTerms}` : 'Nothing found.';
      return teller.tell({ type: 'note', text });
    }
    const excerpts = await toldHitsIn(session, hits, rest);
    const lines = hitLines(excerpts, { query: rest, now: Date.now(), paper });
    return teller.tell({ type: 'lines', lines });
  }
  const expanded = await person
    .during((signal) => session.expand(rest, { limit: mostEntries + 1, signal }))
    .catch((error: unknown) => {
      if (toFailure(error).exit !== exits.nothing) throw error;
      teller.tell({ type: 'note', text: `${(error as Error).message}.` });
      return [];
    });
  const entries = expanded.slice(0, mostEntries);
  const lines = entries.flatMap((entry) =>
    entryLines(entry, { frame: '', place: session.where(entry.id) }, paper),
  );
  const hiddenCount = expanded.length - entries.length;
  const more = hiddenCount > 0 ? [`Only the first ${many(mostEntries, 'entry', 'entries')}.`] : [];
  if (entries.length > 0) teller.tell({ type: 'lines', lines: [...lines, ...more] });
}
