import type { Breadcrumb } from '../breadcrumbs/breadcrumb.ts';
import { dayOf, timeOf } from '../values/date.ts';
import { digestOf, contentLines } from './document-digest.ts';
import { printItem, type ListItem } from './list-item.ts';
import { printCode, printText } from './markdown-text.ts';
import type { Goal, Priority } from '../frames/goal.ts';

// A checkpoint document is the state of a session in the form of the truncation
// protocol, for people and for a cold start. A day's file holds many. People read
// the Markdown; `parseDocuments` reads the one line behind it, a comment that holds
// the same as JSON, and sees by its digest whether somebody edited the Markdown.

/** A file and its change. */
export interface FileChange {
  readonly path: string;
  readonly change: string;
}

/** The state of a session in the sections of the truncation protocol. */
export interface CheckpointDocument {
  /** Names the document for good; '' where somebody wrote it by hand. */
  readonly id: string;
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Why it was written, one of {@link DocumentReason}; '' for unknown. */
  readonly reason: string;
  /** Messages of the session so far. */
  readonly messages: number;
  /** The id of the document that it goes on from; '' for one that tells all there is. */
  readonly after: string;
  /** Precedes the sections; '' for none. */
  readonly note: string;
  readonly topic: string;
  readonly goal: string;
  /** The entry in which a person asked for it, where it is their request and nobody set it; '' for none. */
  readonly asked: string;
  /** Whether it is as in the document before, and stands here in short. */
  readonly isSameGoal: boolean;
  readonly priority: Priority;
  readonly standing: Goal['status'];
  /** Of the session; '' where it has its id only. */
  readonly title: string;
  readonly decisions: readonly ListItem[];
  readonly actions: readonly ListItem[];
  readonly questions: readonly string[];
  /** What was completed last; '' for unknown. */
  readonly completed: string;
  /** The next step; '' for unknown. */
  readonly next: string;
  /** What came out and failed since the document before. */
  readonly status: string;
  readonly files: readonly FileChange[];
  readonly breadcrumbs: readonly Breadcrumb[];
  /** The Markdown of the file where somebody edited it or wrote it by hand, else ''. Read, never printed. */
  readonly edited: string;
}

/** A document without content, to be filled in. */
export const emptyDocument: CheckpointDocument = {
  id: '',
  session: '',
  at: 0,
  reason: '',
  messages: 0,
  after: '',
  note: '',
  topic: '',
  goal: '',
  asked: '',
  isSameGoal: false,
  priority: 'medium',
  standing: 'active',
  title: '',
  decisions: [],
  actions: [],
  questions: [],
  completed: '',
  next: '',
  status: '',
  files: [],
  breadcrumbs: [],
  edited: '',
};

/** The note of a document that is written because the window runs short. */
export const truncationNote = 'This is a pre-truncation summary.';

/** The file of a moment's documents: `YYYY-MM-DD.md`, by the day in UTC. */
export function documentFile(at: number): string {
  return `${dayOf(at)}.md`;
}

/** A document as its file has it, with a line feed at its end; {@link parseDocuments} reads it back. */
export function printDocument(document: CheckpointDocument): string {
  const markdown = printMarkdown(document);
  const digest = digestOf(contentLines(markdown));
  return `${markdown}\n${printBlock(withoutDefaults(document), digest)}\n`;
}

/** The line behind the Markdown of a document: the same as JSON, and the digest of the Markdown. */
export function printBlock(fields: object, digest: unknown): string {
  const json = JSON.stringify({ ...fields, digest });
  return `<!-- flamestack ${json.replace(unsafe, escaped)} -->`;
}

/** The fields that are not as in an empty document, which is what they are read onto. */
const withoutDefaults = (document: CheckpointDocument): object =>
  Object.fromEntries(
    Object.entries(document).filter(
      ([key, value]) =>
        key !== 'edited' &&
        JSON.stringify(value) !== JSON.stringify(emptyDocument[key as keyof CheckpointDocument]),
    ),
  );

/** Characters that could end a comment or a line, or hide in one. */
const unsafe = /[>\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A document as people read it, with a line feed at its end. */
export function printMarkdown(document: CheckpointDocument): string {
  const { at, messages, note } = document;
  const { decisions, actions, questions, completed, next, status, files, breadcrumbs } = document;
  const parts = [
    `## Checkpoint [${timeOf(at)}] — Message #${messages}`,
    ...(note === '' ? [] : [printQuote(printText(note, 'lines'))]),
    section('Session Context', contextLines(document)),
    section('Decisions Made', decisions.map(printItem)),
    section('Action Items', actions.map(printItem)),
    section(
      'Open Questions',
      questions.map((text) => `- ${printText(text, 'item')}`),
    ),
    section('Current Status', [
      ...(completed === '' ? [] : [`**Last completed:** ${printText(completed, 'item')}`, '']),
      ...(next === '' ? [] : [`**Next:** ${printText(next, 'item')}`, '']),
      ...(status === '' ? [] : [printText(status, 'lines')]),
    ]),
    section('Files Modified', files.map(printFile)),
    section('Breadcrumbs', breadcrumbs.length === 0 ? [] : [...tableHead, ...breadcrumbs.map(row)]),
    section('Message Count', [`**Messages this session:** ${messages}`]),
  ];
  return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
}

/** Markdown as a quotation. */
export const printQuote = (markdown: string): string => markdown.replace(/^/gm, '> ');

const section = (name: string, lines: readonly string[]): string =>
  [`### ${name}`, ...lines].join('\n');

function contextLines(document: CheckpointDocument): readonly string[] {
  const { topic, goal, asked, priority, standing, title } = document;
  const marks = [
    ...(asked === '' ? [] : [`asked in ${asked}`]),
    ...(priority === 'medium' ? [] : [`${priority} priority`]),
    ...(standing === 'active' ? [] : [standing]),
  ];
  const mark = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  return [
    `- **Topic:** ${printText(topic, 'item')}`,
    `- **Goal:** ${printText(goal, 'item')}${mark}`,
    ...(title === '' ? [] : [`- **Title:** ${printText(title, 'item')}`]),
  ];
}

function printFile({ path, change }: FileChange): string {
  return `- ${printCode(path, 'item')}${change === '' ? '' : ` — ${printText(change, 'item')}`}`;
}

const tableHead = [
  '| Type | Reference | Reconstruction Hint |',
  '|------|-----------|---------------------|',
];

function row({ type, reference, hint, entries }: Breadcrumb): string {
  const isName = type !== 'decision' && type !== 'external';
  const name = isName ? printCode(reference, 'cell') : printText(reference, 'cell');
  const from = entries.length === 0 ? '' : ` (${entries.join(', ')})`;
  return `| ${type} | ${name} | ${printText(hint, 'cell')}${from} |`;
}
