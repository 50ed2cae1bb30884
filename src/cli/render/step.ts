import type { Session, TakenStep } from '../../index.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { number, when } from '../paper/size.ts';
import { table, type Column } from '../paper/table.ts';
import { cut } from '../paper/width.ts';
import { frameTitles } from '../sessions/words/frame-titles.ts';

/** Longest title or goal in a sentence, in cells. */
const longestName = 60;

/** A step as a noun, with what it was about: `the pop of f2 "Lexer"`. */
export function stepText(step: TakenStep): string {
  const { what, frame, title = '', checkpoint, from, to, goal, snapshot } = step;
  const named = frame === undefined ? 'a frame' : nameOf(frame, title);
  switch (what) {
    case 'compression':
      if (checkpoint === undefined) return `the compression of ${named}`;
      return `the compression of ${from} to ${to} in ${named} (checkpoint ${checkpoint})`;
    case 'pop':
    case 'push':
      return `the ${what} of ${named}`;
    case 'invalidate':
      return `the abandoning of ${named}`;
    case 'restore':
      return snapshot === undefined ? 'the restore' : `the restore of ${cleanLine(snapshot)}`;
    case 'recovery':
      return 'what was recovered from documents (goal, title, frames)';
    case 'goal':
      return goal === undefined ? 'the goal' : `the goal "${shortName(goal)}"`;
  }
}

/** The active frame of a session in a sentence: `Now in f0 "Notes".` */
export function nowText(session: Session): string {
  const { active } = session.state;
  return `Now in ${nameOf(active, frameTitles(session).get(active) ?? '')}.`;
}

/** A frame by its id, and its title where it has one. */
const nameOf = (frame: string, title: string): string =>
  title === '' ? frame : `${frame} "${shortName(title)}"`;

/** The step that the next undo or redo takes, on a line. */
export function nextLine(way: 'undo' | 'redo', step: TakenStep | undefined): string {
  if (step === undefined) return `Nothing to ${way}.`;
  return `Next ${way}: ${stepText(step)}`;
}

const columns: readonly Column[] = [
  { title: '', align: 'right' },
  { title: 'step', gives: true },
  { title: 'turn', align: 'right' },
  { title: 'when', align: 'right' },
];

/** Steps as a table, the next one first; `now` in milliseconds since 1970. */
export function stepLines(
  steps: readonly TakenStep[],
  { now, paper }: { readonly now: number; readonly paper: Paper },
): readonly string[] {
  const rows = steps.map((step, index) => [
    number(index + 1),
    stepText(step),
    number(step.turn),
    when(step.at, now),
  ]);
  const [head, ...lines] = table(columns, rows, paper);
  return [paper.paint(head!, 'gray'), ...lines];
}

const shortName = (text: string): string => cut(cleanLine(text), longestName);
