import { printText } from './markdown-text.ts';

/** What a decision or an action can be beside itself. */
export const itemKinds = [
  // Read out of what was said: no decision of the goal, no step that somebody set.
  'noted',
  // What a person laid down, in their words.
  'directive',
  'milestone',
  'milestone, in progress',
  // One that is in progress; those below it stand under it.
  'frame',
  'frame, planned',
  'frame, blocked',
  'frame, completed',
  'frame, failed',
] as const;

/** What an item is, as it stands in parentheses at the end of its line. */
export type ItemKind = (typeof itemKinds)[number];

/** A line with a box. */
export interface ListItem {
  /** Of a frame its title. */
  readonly text: string;
  /** Whether a decision is locked, or an action is done. */
  readonly done: boolean;
  /** Left out for a decision of the goal, and for a next step. */
  readonly kind?: ItemKind;
  /** Of a frame: its criteria if it is open or planned, else what became of it; left out where there is nothing. */
  readonly detail?: string;
  /** Of a frame: how many frames of the list it is below; left out for none. */
  readonly depth?: number;
}

/** Deepest indentation, in steps. */
const deepest = 32;

/** An item as a line of a list: box, text, what it is. */
export function printItem({ text, done, kind, detail = '', depth = 0 }: ListItem): string {
  const about = detail === '' ? '' : ` — ${printText(detail, 'item')}`;
  const mark = kind === undefined ? '' : ` (${kind})`;
  const indent = '  '.repeat(Math.min(depth, deepest));
  return `${indent}- [${done ? 'x' : ' '}] ${printText(text, 'item')}${about}${mark}`;
}
