import type { Goal, Session, TakenStep } from '../../index.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { number, when } from '../paper/size.ts';
import { table, type Column } from '../paper/table.ts';
import { cut } from '../paper/width.ts';
import { frameTitles } from '../sessions/words/frame-titles.ts';
import { titleText } from '../sessions/words/title-text.ts';

/** Longest title or goal in a sentence, in cells. */
const longestName = 60;

/** A step as a noun, with what it was about: `the pop of f2 "Lexer"`. */
function stepText(step: TakenStep): string {
  const { what, frame, title = '', checkpoint, from, to, goal, snapshot } = step;
  const named = frame === undefined ? 'a frame' : frameName(frame, title);
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

/** A step as a noun, and where it only changed a goal, by what it changed. */
export async function toldStep(session: Session, step: TakenStep): Promise<string> {
  if (step.what !== 'goal') return stepText(step);
  const [before, after] = await Promise.all(
    [step.seq - 1, step.seq].map(async (seq) => (await session.at({ seq })).state.goal),
  );
  return goalChange(before ?? null, after ?? null) ?? stepText(step);
}

/** What was done to a goal, as a noun; null where it is another one. */
function goalChange(before: Goal | null, after: Goal | null): string | null {
  if (before === null || before.description !== after?.description) return null;
  const changed = after.decisions.filter(
    (one) =>
      !before.decisions.some(({ text, locked }) => one.text === text && one.locked === locked),
  );
  const [decision] = changed;
  if (changed.length === 1) return `the decision "${shortName(decision!.text)}"`;
  return `a change of the goal "${shortName(after.description)}"`;
}

/** The active frame of a session in a sentence: `Now in f0 "Notes".` */
export function nowText(session: Session): string {
  const { active } = session.state;
  return `Now in ${frameName(active, frameTitles(session).get(active) ?? '')}.`;
}

/** A frame by its id, and its title where it has one. */
export const frameName = (frame: string, title: string): string =>
  title === '' ? frame : `${frame} "${shortName(titleText(title))}"`;

/** The step that the next undo or redo takes, on a line. */
export async function nextLine(session: Session, way: 'undo' | 'redo'): Promise<string> {
  const [step] = (await session.steps())[way];
  if (step === undefined) return `Nothing to ${way}.`;
  return `Next ${way}: ${await toldStep(session, step)}`;
}

const columns: readonly Column[] = [
  { title: '', align: 'right' },
  { title: 'step', gives: true },
  { title: 'turn', align: 'right' },
  { title: 'when', align: 'right' },
];

/** A step, and what is told of it. */
export type ToldStep = Pick<TakenStep, 'turn' | 'at'> & { readonly text: string };

/** Steps as a table, the next one first; `now` in milliseconds since 1970. */
export function stepLines(
  steps: readonly ToldStep[],
  { now, paper }: { readonly now: number; readonly paper: Paper },
): readonly string[] {
  const rows = steps.map((step, index) => [
    number(index + 1),
    step.text,
    number(step.turn),
    when(step.at, now),
  ]);
  const [head, ...lines] = table(columns, rows, paper);
  return [paper.paint(head!, 'gray'), ...lines];
}

const shortName = (text: string): string => cut(cleanLine(text), longestName);
