import { printText } from './markdown-text.ts';

/** The kinds of decisions and actions that say what they were made from. */
export const itemKinds = [
  // The model's own choice, not set in the goal.
  'noted',
  // In a person's words.
  'directive',
  'milestone',
  'milestone, in progress',
  'commit',
  // Of the host's list.
  'list',
  'list, in progress',
  // In progress; its children follow.
  'frame',
  'frame, planned',
  'frame, blocked',
  'frame, completed',
  'frame, failed',
  // No longer there: a decision or a next step, and others.
  'withdrawn',
  'noted, withdrawn',
  'directive, withdrawn',
  'milestone, withdrawn',
  'list, withdrawn',
  'frame, withdrawn',
] as const;

/** The kind of an item, in parentheses at the end of its line. */
export type ItemKind = (typeof itemKinds)[number];

/** A line with a checkbox. */
export interface ListItem {
  /** Of a frame its title. */
  readonly text: string;
  /** Whether a decision is settled, or an action is done. */
  readonly done: boolean;
  /** Left out for a decision of the goal, and for a next step. */
  readonly kind?: ItemKind;
  /** Of a frame: its criteria if it is open or planned, else its results or reason; left out for none. */
  readonly detail?: string;
  /** Of a frame: its depth below the first of the list; left out for 0. */
  readonly depth?: number;
  /** The entry that says so; left out for what goal and frames hold. */
  readonly entry?: string;
  /** Of a frame: its id. */
  readonly frame?: string;
  /** Of a frame: the id of its parent. */
  readonly parent?: string;
}

/** Deepest indentation, in steps. */
const deepest = 32;

/** An item as a line of a list: checkbox, text, detail, kind, entry. */
export function printItem({ text, done, kind, detail = '', depth = 0, entry }: ListItem): string {
  const about = detail === '' ? '' : ` — ${printText(detail, 'item')}`;
  const marks = [kind, entry].filter((mark) => mark !== undefined);
  const mark = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  const indent = '  '.repeat(Math.min(depth, deepest));
  return `${indent}- [${done ? 'x' : ' '}] ${printText(text, 'item')}${about}${mark}`;
}
