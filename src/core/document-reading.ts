import { breadcrumbTypes, type Breadcrumb } from './breadcrumb.ts';
import { momentOf } from './day.ts';
import { emptyDocument, type CheckpointDocument, type FileChange } from './document.ts';
import { parseItem, parseLabelled, withoutBox } from './document-item.ts';
import { goesOn, parseCode, parseText } from './document-text.ts';
import type { EntryId } from './id.ts';

// Reading is forgiving: what a person added, checked or reworded counts, sections
// of their own are notes, what stands between documents is passed over, and
// sections may be missing or in another order.

const heading = /^##\s+Checkpoint\b(?:\s*\[(\d{1,2}:\d{2})\])?(?:.*?#\s?(\d+))?/i;

/**
 * The documents of a file, in its order; `day` (`YYYY-MM-DD`) is that of its
 * name, for documents that a person wrote. Never throws.
 */
export function parseDocuments(text: string, day = ''): readonly CheckpointDocument[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.replace(/[ \t]+$/, ''));
  const documents: CheckpointDocument[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const found = heading.exec(lines[at]!);
    if (found === null) continue;
    let end = at + 1;
    while (end < lines.length && !/^##?(?:\s|$)/.test(lines[end]!)) end += 1;
    const body = lines.slice(at + 1, end);
    documents.push(
      documentIn(body, { day, time: found[1] ?? '', messages: Number(found[2] ?? 0) }),
    );
    at += body.length;
  }
  return documents;
}

interface Head {
  readonly day: string;
  readonly time: string;
  readonly messages: number;
}

function documentIn(body: readonly string[], head: Head): CheckpointDocument {
  const sections = new Map<string, string[]>([['', []]]);
  const own: { readonly name: string; readonly lines: readonly string[] }[] = [];
  let lines = sections.get('')!;
  for (const line of body) {
    const name = /^###\s+(.*)$/.exec(line)?.[1];
    if (name === undefined) lines.push(line);
    else {
      const key = name
        .toLowerCase()
        .replace(/[^a-z]+/g, ' ')
        .trim();
      lines = (known.has(key) ? sections.get(key) : undefined) ?? [];
      if (known.has(key)) sections.set(key, lines);
      else own.push({ name, lines });
    }
  }
  const of = (name: string): readonly string[] => sections.get(name) ?? [];
  const context = itemsOf(of('session context')).map(({ markdown }) => markdown);
  const goal = parseLabelled(context, 'goal');
  const count = /\*\*Messages this session:?\*\*:?\s*(\d+)/i.exec(of('message count').join('\n'));
  return {
    ...emptyDocument,
    at: momentOf(head.day, head.time),
    ...nameIn(of('')),
    messages: Number(count?.[1] ?? head.messages),
    note: noteIn(of('')),
    topic: parseLabelled(context, 'topic').text,
    goal: goal.text,
    priority: priorities.find((one) => goal.marks.includes(`${one} priority`)) ?? 'medium',
    standing: standings.find((one) => goal.marks.includes(one)) ?? 'active',
    title: parseLabelled(context, 'title').text,
    decisions: itemsOf(of('decisions made')).map(({ markdown }) => parseItem(markdown, 0)),
    actions: itemsOf(of('action items')).map(({ markdown, depth }) => parseItem(markdown, depth)),
    questions: itemsOf(of('open questions')).map(({ markdown }) =>
      parseText(withoutBox(markdown), 'item'),
    ),
    status: parseText(trimmed(of('current status')).join('\n'), 'lines'),
    files: itemsOf(of('files modified')).map(({ markdown }) => toFile(markdown)),
    breadcrumbs: of('breadcrumbs').flatMap(toBreadcrumb),
    notes: own.map((one) => [`### ${one.name}`, ...trimmed(one.lines)].join('\n')).join('\n\n'),
  };
}

/** The sections of the form; any other is a person's own. */
const known: ReadonlySet<string> = new Set([
  'session context',
  'decisions made',
  'action items',
  'open questions',
  'current status',
  'files modified',
  'breadcrumbs',
  'message count',
]);

type Name = Pick<CheckpointDocument, 'id' | 'session' | 'at' | 'reason'>;

function nameIn(lines: readonly string[]): Partial<Name> {
  for (const line of lines) {
    const json = /^<!-- flamestack (\{[^]*\}) -->$/.exec(line)?.[1];
    const name = json === undefined ? null : parseName(json);
    if (name !== null) return name;
  }
  return {};
}

function parseName(json: string): Name | null {
  try {
    const { id, session, at, reason } = JSON.parse(json) as Record<string, unknown>;
    const holds = typeof id === 'string' && typeof session === 'string' && typeof at === 'number';
    return holds ? { id, session, at, reason: typeof reason === 'string' ? reason : '' } : null;
  } catch {
    return null;
  }
}

function noteIn(lines: readonly string[]): string {
  const quoted = lines.flatMap((line) => (line.startsWith('>') ? [line.replace(/^> ?/, '')] : []));
  return quoted.length === 0 ? '' : parseText(quoted.join('\n'), 'lines');
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

/** An item of a list, and how many items it is indented below. */
interface Indented {
  readonly markdown: string;
  readonly depth: number;
}

/** The items of a list, their bullets taken off; a line without one is an item of its own unless it is indented. */
function itemsOf(lines: readonly string[]): readonly Indented[] {
  const items: Indented[] = [];
  let indents: readonly number[] = [];
  let isOpen = false;
  const extend = (line: string): void => {
    const { markdown, depth } = items.pop()!;
    items.push({ markdown: `${markdown}${line}`, depth });
  };
  for (const line of lines) {
    const before = isOpen ? items.at(-1)!.markdown : '';
    const isInside = isOpen && /^(?:[ \t]|$)/.test(line);
    const bullet = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+([^]*))?$/.exec(line);
    if (isInside && goesOn(before)) extend(`\n${line}`);
    else if (line === '' || passedOver.test(line)) {
      isOpen = false;
      continue;
    } else if (bullet !== null) {
      const indent = bullet[1]!.length;
      indents = [...indents.filter((one) => one < indent), indent];
      items.push({ markdown: bullet[2] ?? '', depth: indents.length - 1 });
    } else if (isInside) extend(`\\\n${line}`);
    else items.push({ markdown: line, depth: 0 });
    isOpen = true;
  }
  return items;
}

/** Comments and rules. */
const passedOver = /^(?:<!--|([-*_])(?: ?\1){2,}$)/;

const priorities = ['high', 'low'] as const;
const standings = ['paused', 'completed'] as const;

function toFile(item: string): FileChange {
  const body = withoutBox(item);
  const [, code, after] = /^(`[^`]+`)(?:[ \t]*(?:[—–:]|-(?=[ \t]))[ \t]*([^]*))?$/.exec(body) ?? [];
  if (code !== undefined) return fileOf(code, after);
  const [, path, change] = /^([^]*?)(?:(?:^| )[—–](?: |$)| - )([^]*)$/.exec(body) ?? [
    body,
    body,
    '',
  ];
  return fileOf(path, change);
}

const fileOf = (path: string, change = ''): FileChange => ({
  path: parseCode(path, 'item'),
  change: parseText(change, 'item'),
});

function toBreadcrumb(line: string): readonly Breadcrumb[] {
  if (!line.startsWith('|') || /^\|[\s:|-]+$/.test(line)) return [];
  const cells = cellsOf(line);
  const [type = '', reference = '', hint = ''] = cells;
  if (cells.length < 2 || (type === 'Type' && reference === 'Reference')) return [];
  const from = /(?:^| )\(((?:e\d+(?:, )?)+)\)$/.exec(hint);
  const about = from === null ? hint : hint.slice(0, from.index);
  return [
    {
      type: breadcrumbTypes.find((one) => one === type.toLowerCase()) ?? 'external',
      reference: parseCode(reference, 'cell'),
      hint: parseText(about, 'cell'),
      entries: (from?.[1]?.split(', ') ?? []) as EntryId[],
    },
  ];
}

/** The cells of a row, at the bars that no backslash takes. */
function cellsOf(line: string): readonly string[] {
  const cells: string[] = [''];
  for (const [piece] of line.matchAll(/\\[^]|[^]/g))
    if (piece === '|') cells.push('');
    else cells[cells.length - 1] += piece;
  return cells
    .slice(1, line.endsWith('|') ? -1 : undefined)
    .map((cell) => cell.replace(/^[ \t]+|[ \t]+$/g, ''));
}
