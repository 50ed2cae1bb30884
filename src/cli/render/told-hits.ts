import type { Hit, Message, Session } from '../../index.ts';
import { excerpt, queryTerms, roughCount } from '../../reader.ts';
import { clean } from '../paper/clean.ts';
import { cut } from '../paper/width.ts';
import { messageText, wholeText } from './message.ts';

/** Least that is told of a call, in tokens. */
const leastTold = 60;

/** Hits, those in a call with the call in words, as it stands in the log; `entryOf` gives the entry of a hit. */
export function toldHits<T extends Hit>(
  hits: readonly T[],
  query: string,
  entryOf: (hit: T) => Promise<Message | undefined>,
): Promise<readonly T[]> {
  return Promise.all(
    hits.map(async (hit) => {
      const entry = hit.role === 'assistant' ? await entryOf(hit) : undefined;
      return entry === undefined ? hit : toldHit(hit, entry, query);
    }),
  );
}

/** {@link toldHits} of one session. */
export const toldHitsIn = (
  session: Session,
  hits: readonly Hit[],
  query: string,
): Promise<readonly Hit[]> => toldHits(hits, query, ({ entry }) => session.entry(entry));

function toldHit<T extends Hit>(hit: T, message: Message, query: string): T {
  if (message.role !== 'assistant' || (message.toolCalls ?? []).length === 0) return hit;
  const { toolCalls: _, ...said } = message;
  const content = messageText(said);
  const hitText = clean(hit.text).replaceAll('\t', '  ');
  if (content.includes(hitText)) return hit;
  const weights = new Map(queryTerms(query).map((term) => [term, 1]));
  const holds = (text: string): boolean =>
    [...weights.keys()].some((term) => text.toLowerCase().includes(term));
  const parted = messageText(message);
  // Words of a script may stand beside its calls.
  const text = holds(parted) ? parted : wholeText(message);
  const before = hitText.split(/\n?^call /m, 1)[0]!;
  if (before !== '' && content.endsWith(before)) {
    const from = content.length - before.length;
    const slice = text.slice(from, from + hitText.length);
    return { ...hit, text: slice, whole: slice === text };
  }
  const target = Math.max(leastTold, hit.tokens);
  const passage = excerpt({ text, calls: text.length }, { weights, target, count: roughCount });
  const head = headOf(text, content.length, passage.from);
  return { ...hit, text: `${head}${passage.text}`, whole: passage.whole };
}

/** Cells of the head of a call whose lines are told from further on. */
const longestHead = 60;

/** The beginning of the call in which `from` is, on a line of its own; empty where that is told anyhow. */
function headOf(text: string, content: number, from: number): string {
  const isHead = from === 0 || (text[from - 1] === '\n' && text[from] !== ' ');
  const head = isHead ? undefined : text.slice(content, from).match(/^\S.*/gm)?.at(-1);
  return head === undefined ? '' : `${cut(`${head} …`, longestHead)}\n`;
}
