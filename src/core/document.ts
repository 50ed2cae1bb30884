import type { Breadcrumb } from './breadcrumb.ts';
import { dayOf, timeOf } from './day.ts';
import { printItem, printLabelled } from './document-item.ts';
import { printCode, printText } from './document-text.ts';
import type { Goal, Priority } from './goal.ts';

// A checkpoint document: where a session stands, in the form of the truncation
// protocol, for people and for a cold start. A day's file holds many; what is
// printed here, `parseDocuments` reads back, also after a person edited it.

/** Why a document is written. */
export type DocumentReason =
  | 'turns'
  | 'push'
  | 'pop'
  | 'destructive'
  | 'half'
  | 'decision'
  | 'truncation'
  | 'command';

/** What a decision or an action is beside itself, as it stands in parentheses at the end of its line. */
export type ItemKind =
  /** Read out of what was said: no decision of the goal, no step that somebody set. */
  | 'noted'
  /** What a person laid down, in their words. */
  | 'directive'
  | 'milestone'
  | 'milestone, in progress'
  /** One that is in progress; those below it stand under it. */
  | 'frame'
  | 'frame, planned'
  | 'frame, blocked'
  | 'frame, completed'
  | 'frame, failed';

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

/** A file and what was done to it. */
export interface FileChange {
  readonly path: string;
  readonly change: string;
}

/** Where a session stands, in the sections of the truncation protocol. */
export interface CheckpointDocument {
  /** Names the document for good; '' where a person wrote it. */
  readonly id: string;
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Why it was written, one of {@link DocumentReason}; '' where nobody says. */
  readonly reason: string;
  /** Messages of the session so far. */
  readonly messages: number;
  /** Stands before the sections; '' for none. */
  readonly note: string;
  readonly topic: string;
  readonly goal: string;
  readonly priority: Priority;
  readonly standing: Goal['status'];
  /** What the session is called; '' where it has its id only. */
  readonly title: string;
  readonly decisions: readonly ListItem[];
  readonly actions: readonly ListItem[];
  readonly questions: readonly string[];
  readonly status: string;
  readonly files: readonly FileChange[];
  readonly breadcrumbs: readonly Breadcrumb[];
  /** Sections of a person's own, with their headings (`### …`), in Markdown as they stand; '' for none. */
  readonly notes: string;
}

/** A document without content, to be filled in. */
export const emptyDocument: CheckpointDocument = {
  id: '',
  session: '',
  at: 0,
  reason: '',
  messages: 0,
  note: '',
  topic: '',
  goal: '',
  priority: 'medium',
  standing: 'active',
  title: '',
  decisions: [],
  actions: [],
  questions: [],
  status: '',
  files: [],
  breadcrumbs: [],
  notes: '',
};

/** The note of a document that is written because the window runs short. */
export const truncationNote = 'This is a pre-truncation summary.';

/** The file of a moment's documents: `YYYY-MM-DD.md`, by the day in UTC. */
export function documentFile(at: number): string {
  return `${dayOf(at)}.md`;
}

/** The line that names a document, which Markdown hides; no two documents have the same. */
export function documentMark(document: CheckpointDocument): string {
  const { id, session, at, reason } = document;
  const name = JSON.stringify({ id, session, at, reason });
  return `<!-- flamestack ${name.replace(/[>\u0085\u2028\u2029]/g, escaped)} -->`;
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A document as Markdown, with a line feed at its end. */
export function printDocument(document: CheckpointDocument): string {
  const { at, messages, note, notes } = document;
  const { decisions, actions, questions, status, files, breadcrumbs } = document;
  const parts = [
    `## Checkpoint [${timeOf(at)}] — Message #${messages}`,
    documentMark(document),
    ...(note === '' ? [] : [quoted(note)]),
    section('Session Context', contextLines(document)),
    section('Decisions Made', decisions.map(printItem)),
    section('Action Items', actions.map(printItem)),
    section(
      'Open Questions',
      questions.map((text) => bullet(printText(text, 'item'))),
    ),
    section('Current Status', status === '' ? [] : [printText(status, 'lines')]),
    section('Files Modified', files.map(changed)),
    section('Breadcrumbs', breadcrumbs.length === 0 ? [] : [...tableHead, ...breadcrumbs.map(row)]),
    section('Message Count', [`**Messages this session:** ${messages}`]),
    ...(notes === '' ? [] : [notes]),
  ];
  return `${parts.join('\n\n')}\n`;
}

const tableHead = [
  '| Type | Reference | Reconstruction Hint |',
  '|------|-----------|---------------------|',
];

const section = (name: string, lines: readonly string[]): string =>
  [`### ${name}`, ...lines].join('\n');

const bullet = (markdown: string): string => after('-', markdown);

function contextLines({
  topic,
  goal,
  priority,
  standing,
  title,
}: CheckpointDocument): readonly string[] {
  const marks = [
    ...(priority === 'medium' ? [] : [`${priority} priority`]),
    ...(standing === 'active' ? [] : [standing]),
  ];
  return [
    printLabelled('Topic', topic),
    printLabelled('Goal', goal, marks),
    ...(title === '' ? [] : [printLabelled('Title', title)]),
  ];
}

const after = (mark: string, markdown: string): string =>
  markdown === '' ? mark : `${mark} ${markdown}`;

const quoted = (note: string): string =>
  printText(note, 'lines')
    .split('\n')
    .map((line) => after('>', line))
    .join('\n');

function changed({ path, change }: FileChange): string {
  const name = printCode(path, 'item');
  const what = change === '' ? '' : `— ${printText(change, 'item')}`;
  return bullet(name === '' || what === '' ? name + what : `${name} ${what}`);
}

function row({ type, reference, hint, entries }: Breadcrumb): string {
  const isName = type !== 'decision' && type !== 'external';
  const name = isName
    ? printCode(reference, 'cell')
    : printText(reference, 'cell').replace(/^`/, '\\`');
  const about = printText(hint, 'cell').replace(/\(((?:e\d+(?:, )?)+)\)$/, '\\($1)');
  const from = entries.length === 0 ? '' : `(${entries.join(', ')})`;
  return `| ${type} | ${name} | ${from === '' || about === '' ? about + from : `${about} ${from}`} |`;
}
