import type { LostRows, SessionCheck } from '../../index.ts';
import { lostText } from '../sessions/left-out.ts';

/** What is lost of a session, a line for each kind of loss. */
export function lossLines({
  entries,
  journal,
  texts,
}: Pick<SessionCheck, 'entries' | 'journal' | 'texts'>): readonly string[] {
  return [
    ...listLine('lost entries', entries.lost.map(lostText)),
    ...listLine('lost records of the journal', journal.lost.map(lostRowText)),
    ...listLine('lost texts', texts.lost.map(lostText)),
  ];
}

const listLine = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`  ${title}: ${items.join(', ')}`];

const lostRowText = ({ from, to, reason }: LostRows): string =>
  lostText({ from: String(from), to: String(to), reason });
