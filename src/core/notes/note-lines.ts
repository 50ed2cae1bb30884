import type { LeavingEntry } from '../messages/message.ts';
import { clip } from '../text/sentences.ts';
import { endedByCall, type Exchange } from '../outcomes/exchanges.ts';
import type { HostNote } from './host-note.ts';
import { hostNotesIn } from './host-notes.ts';
import { statementsOf } from '../lines/statements.ts';
import { todoState } from './todo-notes.ts';
import { statementLines, worthOf, type UnplacedLine } from '../lines/worth.ts';

/** Longest message of a commit that is told, in UTF-16 units. */
const longestCommit = 420;

/**
 * What the host's own structure says: commits, plans, reports and summaries, and of lists the
 * newest state; `list` holds the items of the one that stood before.
 */
export function noteLinesIn(
  entries: readonly LeavingEntry[],
  {
    exchanges,
    list,
  }: { readonly exchanges: readonly Exchange[]; readonly list: readonly string[] },
): readonly (UnplacedLine & { readonly n: number })[] {
  const outcomes = endedByCall(exchanges);
  const notes = entries.flatMap(({ n, message }) =>
    hostNotesIn(message, (call) => outcomes.get(call)?.result).map((note) => ({
      n: (note.call && outcomes.get(note.call)?.to) ?? n,
      note,
    })),
  );
  const lists = notes.filter(({ note }) => note.kind === 'todo');
  const items = lists.reduce((state, { note }) => todoState(state, note), list);
  const listText = items.length === 0 ? '' : `list: ${items.map(brief).join('; ')}`;
  return [
    ...lists
      .slice(-1)
      .flatMap(({ n }) =>
        listText === ''
          ? []
          : [{ n, kind: 'list' as const, text: listText, worth: worthOf(2.5, listText) }],
      ),
    ...newestSteps(notes).flatMap(({ n, note }) =>
      linesOfNote(note).map((line) => ({ n, ...line })),
    ),
  ];
}

/** Notes without the steps that were taken again later: a branch is pushed time and again. */
function newestSteps<N extends { readonly note: HostNote }>(notes: readonly N[]): readonly N[] {
  const steps = notes.filter(({ note }) => note.kind === 'step');
  const newest = new Map(steps.map(({ note }) => [note.lines.join(), note]));
  return notes.filter(({ note }) => note.kind !== 'step' || newest.get(note.lines.join()) === note);
}

/** Longest item of a list that is told where it is done, in UTF-16 units. */
const longestDone = 64;

/** An item as it is told: shorter where it is done. */
const brief = (item: string): string => (item.startsWith('[x]') ? clip(item, longestDone) : item);

/** What the statements of a host's summary are worth, and each beside the next better one: all of it was chosen. */
const summaryWeight = { share: 1.5, next: 0.97 } as const;

/** What a step is worth that says of itself only that it was taken, and what one is that tells which dependencies were. */
const stepValues = { taken: 1.1, added: 1.8 } as const;
const adds = /(?:^|; )added /;

/** What a person's choice is worth: as much as a decision that was written down. */
const choiceValue = 2.6;

/** The items of a list as a line tells it. */
export const itemsOfList = (line: string): readonly string[] =>
  line.replace(/^list: /, '').split(/; (?=\[[ x~]\] )/);

/** What the body of a commit says of a decision, as a trailer. */
const decides = /^(?:rejected|constraint|decision|directive|reason|breaking[ -]change)s?: /i;

/** The lines of a commit in the order in which they are told: where not all of it will be, its decisions stand behind its subject. */
function decisionsFirst(lines: readonly string[]): readonly string[] {
  const [subject = '', ...body] = lines;
  if (lines.join(' · ').length <= longestCommit) return lines;
  return [subject, ...body.toSorted((a, b) => +decides.test(b) - +decides.test(a))];
}

/** The lines of a note that is no list. */
function linesOfNote({ kind, lines }: HostNote): readonly UnplacedLine[] {
  switch (kind) {
    case 'todo':
      return [];
    case 'commit':
    case 'pull request': {
      const text = clip(`${kind}: ${decisionsFirst(lines).join(' · ')}`, longestCommit);
      return [{ kind: 'done', text, worth: worthOf(2.6, text) }];
    }
    case 'step':
      return lines.map((text) => {
        const value = adds.test(text) ? stepValues.added : stepValues.taken;
        return { kind: 'done', text, worth: worthOf(value, text) };
      });
    case 'choice':
      return lines.map((text) => ({ kind: 'said', text, worth: worthOf(choiceValue, text) }));
    case 'plan':
      return statementLines(statementsOf(lines.join('\n')), 'said', 1.2);
    case 'report':
      return statementLines(statementsOf(lines.join('\n')), 'read', 0.8);
    case 'summary':
      return statementLines(statementsOf(lines.join('\n')), 'said', summaryWeight);
  }
}
