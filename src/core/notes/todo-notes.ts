import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { noteLine, type HostNote } from './host-note.ts';

// Todo lists as hosts keep them. Most tools give the whole list at each call;
// some give one item (Claude Code's TaskCreate and TaskUpdate, pi's todo), or
// the items to merge (Cursor). Those have ids, and so have the lines: `[ ] #3 …`.

/** Tools that are given the list. */
const listTools =
  /(?:^|\.|__)(?:todo_?write|write_?todos?|update_?plan|update_?todo_?list|manage_?todo_?list|todos?)$/i;
const itemTools = /^Task(Create|Update|List)$/;

/** Most items of a list. */
const mostItems = 100;

/** What a call says of a todo list; null where it says nothing, or failed. */
export function todoNote(call: ToolCall, result: ToolMessage | undefined): HostNote | null {
  const { arguments: args, name } = call;
  if (typeof args === 'string' || result?.isError === true) return null;
  const output = result === undefined ? '' : withinScanLimit(textOf(result.content));
  const verb = itemTools.exec(name)?.[1]?.toLowerCase();
  if (verb === 'list') return whole(listed(output));
  if (verb === 'create') return change(' ', idIn(output), titleOf(args));
  if (verb === 'update') return change(markOf(args), args['taskId'] ?? args['id'], titleOf(args));
  if (!listTools.test(name)) return null;
  return typeof args['action'] === 'string' ? actionNote(args, output) : listNote(args);
}

/** The list after a note about it: the list of the note, or the one before with the items that it changes. */
export function todoState(lines: readonly string[], note: HostNote): readonly string[] {
  if (note.changes !== true) return note.lines;
  const state = new Map(lines.map((line) => [keyOf(line), line]));
  for (const line of note.lines) {
    const key = keyOf(line);
    const old = state.get(key);
    const isBare = line.slice(4) === key;
    if (line.startsWith('[-]')) state.delete(key);
    else if (!isBare) state.set(key, line);
    else if (old !== undefined) state.set(key, line.slice(0, 3) + old.slice(3));
  }
  return [...state.values()];
}

/** What an item is known by: its id, or its text. */
const keyOf = (line: string): string => /^\[.\] (#\S+)/.exec(line)?.[1] ?? line.slice(4);

type Fields = Readonly<Record<string, unknown>>;

function listNote(args: Fields): HostNote | null {
  for (const field of ['todos', 'plan', 'todoList', 'items', 'content']) {
    const list = args[field];
    if (typeof list === 'string' && checkbox.test(list)) return whole(listed(list));
    if (!Array.isArray(list)) continue;
    const items = list.slice(0, mostItems).flatMap((item: unknown) => {
      const fields: Fields = typeof item === 'object' && item !== null ? { ...item } : {};
      const text = typeof item === 'string' ? item : titleOf(fields);
      const id = 'merge' in args ? fields['id'] : undefined;
      return itemLine(markOf(fields), id, text) ?? [];
    });
    if (args['merge'] === true) return { kind: 'todo', lines: items, changes: true };
    return whole(items);
  }
  return null;
}

/** pi's todo tool: one action a call, and the result says what became of it. */
function actionNote(args: Fields, output: string): HostNote | null {
  const { action } = args;
  if (action === 'list') return whole(listed(output));
  if (action === 'clear') return whole([]);
  if (action === 'add') return change(' ', idIn(output), titleOf(args));
  const toggled = /#(\d+) (completed|uncompleted)/.exec(output);
  return action === 'toggle' && toggled !== null
    ? change(toggled[2] === 'completed' ? 'x' : ' ', toggled[1], '')
    : null;
}

const checkbox = /^\s{0,40}(?:[-*+•]\s+|\d{1,3}[.)]\s+)?\[([ xX~\->/])\]\s+(\S.*)$/m;
const numbered = /^\s{0,40}#(\w{1,20}):?\s+\[(\w{1,20})\]\s+(\S.*)$/;

/** What a task waits for, as of the moment that it was listed: later changes of that task do not name it. */
const blocked = /\s\[blocked by [^\]]{1,80}\]$/;

/** The items that a text lists, with checkboxes or as `#3 [pending] …`. */
function listed(text: string): readonly string[] {
  return withinScanLimit(text)
    .split(/\r?\n|\r/)
    .flatMap((line) => {
      const task = numbered.exec(line);
      if (task !== null)
        return itemLine(markFor(task[2]!), task[1], task[3]!.replace(blocked, '')) ?? [];
      const box = checkbox.exec(line);
      if (box === null) return [];
      const mark = box[1]!.toLowerCase();
      const [, id, title = box[2]!] = /^#(\w{1,20}):?\s+(\S.*)$/.exec(box[2]!) ?? [];
      return itemLine(mark === 'x' || mark === ' ' ? mark : '~', id, title) ?? [];
    })
    .slice(0, mostItems);
}

function whole(items: readonly string[]): HostNote {
  return { kind: 'todo', lines: items.filter((line) => !line.startsWith('[-]')) };
}

function change(mark: string, id: unknown, title: string): HostNote | null {
  const line = itemLine(mark, id, title);
  return line === undefined ? null : { kind: 'todo', lines: [line], changes: true };
}

/** The line of an item; undefined where it has neither id nor text. */
function itemLine(mark: string, id: unknown, title: string): string | undefined {
  const name = typeof id === 'string' || typeof id === 'number' ? noteLine(`${id}`) : '';
  const key = /^[\w.-]{1,40}$/.test(name) ? `#${name} ` : '';
  const text = `${key}${noteLine(title)}`.trim();
  return text === '' ? undefined : `[${mark}] ${text}`;
}

/** The id that a result names. */
const idIn = (output: string): string | undefined => /#(\w{1,20})/.exec(output)?.[1];

const titles = ['content', 'step', 'title', 'subject', 'text', 'task', 'description'] as const;

function titleOf(fields: Fields): string {
  const title = titles.map((name) => fields[name]).find((text) => typeof text === 'string');
  return typeof title === 'string' ? title : '';
}

function markOf(fields: Fields): string {
  if (fields['done'] === true || fields['completed'] === true) return 'x';
  const { status } = fields;
  return markFor(typeof status === 'string' ? status : '');
}

function markFor(status: string): string {
  if (/^(?:completed?|done|closed|finished)$/i.test(status)) return 'x';
  if (/^(?:in[ _-]?progress|active|doing|started)$/i.test(status)) return '~';
  return /^(?:cancell?ed|deleted|removed|skipped)$/i.test(status) ? '-' : ' ';
}
