import { hostNotesIn } from '../../core/notes/host-notes.ts';
import { documentLines } from '../../core/outcomes/documents.ts';
import { definedBy } from '../../core/file-events/shown-files.ts';
import { exchangesIn, resultsIn } from '../../core/outcomes/exchanges.ts';
import { isHuman, textOf } from '../../core/messages/message.ts';
import { decisionsIn } from '../../core/text/decisions.ts';
import { entitiesByPlace } from '../../core/entities/entities.ts';
import type { Breathe } from '../breathe.ts';
import type { LogEntry } from '../summarizer.ts';

// How long a summary should be follows from how much there is to say, not from how long
// the record is: forty calls that looked around are two lines, four edits with their
// reasons are eight. Counted is what a line would be written for:

/** Tokens of a summary for each of what a record holds, by hand: about what a line about it takes. */
const worth = {
  /** For saying anything. */
  base: 40,
  /** A sentence of the agent that decides or concludes, each once. */
  decision: 30,
  /** What a person said: mostly a decision, which the agent's words do not repeat. */
  person: 35,
  /** A file that is changed, and each further message that changes it. */
  file: 40,
  again: 8,
  /** A definition or setting that an edit brought or took, and one in code that was read, each once. */
  brought: 6,
  shown: 4,
  /** A result that failed. */
  failure: 25,
  /** A statement of a document that was read: what an issue or a plan asks for, people did not type. */
  stated: 12,
  /** A name that the agent said or passed to a tool, each once. */
  name: 4,
  /** A character of the agent's prose, of a report, a plan or a summary of the host: a quarter of it. */
  prose: 0.06,
} as const;

/** Most that code is worth which was read: looking around is no work. */
const mostShown = 400;

/** Tokens of a summary of `entries` that says what there is to say. */
export async function sayable(entries: readonly LogEntry[], breathe: Breathe): Promise<number> {
  const placed = entries.map((message, n) => ({ n, message }));
  const resultOf = resultsIn(placed);
  const decisions = new Set<string>();
  const names = new Set<string>();
  const files = new Set<string>();
  const exchanges = exchangesIn(placed);
  const stated = documentLines(exchanges, () => 0).length;
  const brought = new Set<string>();
  const shown = new Set<string>();
  for (const exchange of exchanges) {
    const defined = definedBy(exchange);
    for (const name of defined.brought) brought.add(name);
    for (const name of defined.shown) shown.add(name);
    await breathe();
  }
  let tokens: number = worth.base + worth.stated * stated + worth.brought * brought.size;
  tokens += Math.min(mostShown, worth.shown * shown.size);
  for (const entry of entries) {
    await breathe();
    if (isHuman(entry)) tokens += worth.person;
    if (entry.role === 'tool' && entry.isError === true) tokens += worth.failure;
    for (const { lines } of hostNotesIn(entry, resultOf))
      tokens += worth.prose * lines.join(' ').length;
    if (entry.role !== 'assistant') continue;
    const text = textOf(entry.content);
    const { said, asked, changed } = entitiesByPlace(entry);
    for (const decision of decisionsIn(text)) decisions.add(decision);
    for (const [name, kind] of [...said, ...asked]) if (kind !== 'decision') names.add(name);
    for (const file of changed.keys()) tokens += files.has(file) ? worth.again : worth.file;
    for (const file of changed.keys()) files.add(file);
    tokens += worth.prose * text.length;
  }
  return Math.round(tokens + worth.decision * decisions.size + worth.name * names.size);
}
