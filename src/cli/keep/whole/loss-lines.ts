import type { LostRows, SessionCheck } from '../../../index.ts';
import { cleanLine } from '../../paper/clean.ts';
import { many } from '../../paper/size.ts';
import { lostText } from '../../sessions/left-out.ts';

/** What was found of a session or a machine: a line, and one for each kind of loss. */
export function checkLines(check: SessionCheck): readonly string[] {
  const { id, isMachine, isSound, entries, journal, damaged, refused } = check;
  const records = many(journal.sound, 'record');
  const said = isMachine === true ? '' : `${many(entries.sound, 'entry', 'entries')}, `;
  return [
    `${isMachine === true ? 'machine ' : ''}${cleanLine(id)}: ${isSound ? 'sound' : 'DAMAGED'} (${said}${records})`,
    ...lossLines(check),
    ...damaged.map(({ kind, key, message }) =>
      cleanLine(`  ${kind}: ${key === undefined ? message : `${key} is changed`}`),
    ),
    ...(refused === undefined ? [] : [`  cannot be opened: ${cleanLine(refused.message)}`]),
  ];
}

/** What is lost of a session, and what was known to be gone: a line for each kind of loss. */
export function lossLines({
  entries,
  journal,
  texts,
  known,
}: Pick<SessionCheck, 'entries' | 'journal' | 'texts' | 'known'>): readonly string[] {
  return [
    ...listLine('lost entries', entries.lost.map(lostText)),
    ...listLine('lost records of the journal', journal.lost.map(lostRowText)),
    ...listLine('lost texts', texts.lost.map(lostText)),
    ...knownLines(known),
  ];
}

/** The steps of a machine that are lost. */
export const stepsLine = (lost: readonly LostRows[]): readonly string[] =>
  listLine('lost steps', lost.map(lostRowText));

function knownLines(known: SessionCheck['known']): readonly string[] {
  if (known === undefined) return [];
  const { entries, journal, texts } = known;
  return [
    ...listLine('gone for good, entries', entries.map(stretchText)),
    ...listLine('gone for good, records of the journal', journal.map(stretchText)),
    ...listLine('gone for good, texts', texts.map(stretchText)),
  ];
}

const listLine = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`  ${title}: ${items.join(', ')}`];

const stretchText = ({ from, to }: { from: unknown; to: unknown }): string =>
  from === to ? String(from) : `${String(from)}-${String(to)}`;

const lostRowText = ({ from, to, reason }: LostRows): string =>
  lostText({ from: String(from), to: String(to), reason });
