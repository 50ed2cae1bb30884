import type { Session, Snapshot } from '../../index.ts';
import { countedBudget } from '../../reader.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { age, number } from '../paper/size.ts';
import { table, type Column } from '../paper/table.ts';
import { wrap } from '../paper/width.ts';
import { titleText } from '../sessions/words/title-text.ts';

type Cell = (snapshot: Snapshot) => string;

/** Least width at which all columns are shown, in cells. */
const wide = 64;

const reasons: Readonly<Record<Snapshot['by'], string>> = {
  person: 'asked for',
  compression: 'before a compression',
  threshold: 'as the window filled',
};

/** The snapshots of a session, oldest first; those that the engine made as a line, unless all are wanted. `keep` is how what was said since is kept. */
export function snapshotLines(
  session: Session,
  { paper, all, keep }: { readonly paper: Paper; readonly all: boolean; readonly keep: string },
): readonly string[] {
  const snapshots = session.snapshots.list();
  if (snapshots.length === 0) return [`Session ${cleanLine(session.id)} has no snapshot yet.`];
  const visible = all ? snapshots : snapshots.filter(({ by }) => by === 'person');
  const folded = all ? [] : snapshots.filter(({ by }) => by !== 'person');
  const { limit } = countedBudget(session.state.budget);
  const notes = [
    ...(folded.length === 0 ? [] : [foldedText(folded)]),
    ...(visible.length === 0
      ? []
      : [
          `Restoring one leaves what was said since behind a breadcrumb; ${keep} keeps it, compressed where it exceeds the limit of ${number(limit)} tokens.`,
        ]),
  ];
  return [
    ...rowsOf(session, visible, paper),
    ...notes.flatMap((note) => wrap(note, paper.width)).map((line) => paper.paint(line, 'gray')),
  ];
}

/** A snapshot in a sentence: its id, its title or why it was made, and its turn. */
export function snapshotText(snapshot: Snapshot): string {
  const { id, title, by, turn } = snapshot;
  const name = title === '' ? reasons[by] : `"${titleText(title)}"`;
  return `${id} (${name}, turn ${number(turn)})`;
}

function rowsOf(session: Session, visible: readonly Snapshot[], paper: Paper): readonly string[] {
  if (visible.length === 0) return [];
  const columns = columnsOf(session).filter(({ isNeeded }) => isNeeded || paper.width >= wide);
  const rows = visible.map((snapshot) => columns.map(({ cell }) => cell(snapshot)));
  const [head, ...lines] = table(columns, rows, paper);
  return [paper.paint(head!, 'gray'), ...lines];
}

function columnsOf({
  state,
}: Session): readonly (Column & { readonly cell: Cell; readonly isNeeded?: boolean })[] {
  const right = { align: 'right' } as const;
  return [
    { title: 'id', cell: ({ id }) => id, isNeeded: true },
    { title: 'made', ...right, cell: ({ at }) => age(Date.now() - at) },
    { title: 'turn', ...right, cell: ({ turn }) => number(turn), isNeeded: true },
    { title: 'tokens', ...right, cell: ({ tokens }) => number(tokens) },
    {
      title: 'said since',
      ...right,
      cell: ({ said }) => number(state.tokens - said),
      isNeeded: true,
    },
    { title: 'why', gives: true, cell: whyOf, isNeeded: true },
  ];
}

const whyOf: Cell = ({ title, by }) => (title === '' ? reasons[by] : titleText(title));

function foldedText(folded: readonly Snapshot[]): string {
  const [first, last] = [folded[0]!, folded.at(-1)!];
  const range = first === last ? first.id : `${first.id} to ${last.id}`;
  return `${number(folded.length)} more were made automatically (${range}); --all lists them.`;
}
