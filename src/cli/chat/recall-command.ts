import { entryLines } from '../render/entry.ts';
import { hitLines } from '../render/hit.ts';
import { many } from '../render/size.ts';
import type { Chat } from './chat.ts';

/** A reference and nothing else. */
const reference = /^[ecf]\d+(?:\s*(?:-|–|\.\.|to)\s*e?\d+)?$/;

/** Hits that are shown, and tokens of them all. */
const shown = { limit: 6, tokens: 900 };
/** Entries of a range that are shown. */
const mostEntries = 20;

/** Finds what was said by words, or prints entries by id. */
export async function recallCommand(chat: Chat, rest: string): Promise<void> {
  const { session, teller, call, person } = chat;
  if (rest === '') throw new Error('It takes more: /recall refresh token, or /recall e12');
  const paper = call.paper();
  if (!reference.test(rest)) {
    const hits = await person.during((signal) => session.recall(rest, { ...shown, signal }));
    if (hits.length === 0) return teller.tell({ type: 'note', text: 'Nothing found.' });
    const lines = hitLines(hits, { query: rest, now: Date.now(), paper });
    return teller.tell({ type: 'lines', lines });
  }
  const found = await person.during((signal) =>
    session.expand(rest, { limit: mostEntries + 1, signal }),
  );
  const entries = found.slice(0, mostEntries);
  const lines = entries.flatMap((entry) =>
    entryLines(entry, { frame: '', place: session.where(entry.id) }, paper),
  );
  const left = found.length - entries.length;
  const more = left > 0 ? [`Only the first ${many(mostEntries, 'entry', 'entries')}.`] : [];
  teller.tell({ type: 'lines', lines: [...lines, ...more] });
}
