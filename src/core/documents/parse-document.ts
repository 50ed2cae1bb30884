import { breadcrumbTypes } from '../breadcrumbs/breadcrumb.ts';
import { startOfDay } from '../values/date.ts';
import { digestOf, linesOf } from './document-digest.ts';
import { itemKinds } from './list-item.ts';
import { emptyDocument, printMarkdown, type CheckpointDocument } from './document.ts';

// What a document says is taken from its JSON alone. Markdown is looked at for
// where a document begins and whether it is as it was printed; else it is handed
// on as text. So nothing that is quoted in a document is read as one.

/**
 * The documents of a file, in its order; what stands between them is passed over. A file without any
 * is one document, all of it text; `day` (`YYYY-MM-DD`) is that of its name. Never throws.
 */
export function parseDocuments(text: string, day = ''): readonly CheckpointDocument[] {
  const found = passagesIn(text).flatMap(documentsIn);
  if (found.length > 0 || text.trim() === '') return found;
  return [{ ...emptyDocument, at: startOfDay(day), edited: text.trim() }];
}

/** The lines that somebody put into a document, and those that they took out, in their order. */
export function editsIn(document: CheckpointDocument): {
  readonly added: readonly string[];
  readonly removed: readonly string[];
} {
  if (document.edited === '') return { added: [], removed: [] };
  const before = linesOf(printMarkdown(document));
  const after = linesOf(document.edited);
  return { added: without(after, before), removed: without(before, after) };
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}

/** A document's JSON as it was read. */
interface Block {
  readonly document: CheckpointDocument;
  /** Of the Markdown that was printed with it. */
  readonly digest: unknown;
}

/** What belongs together in a file: one heading's Markdown, and the blocks in it. */
interface Passage {
  readonly lines: string[];
  readonly blocks: Block[];
}

const heading = /^##\s+Checkpoint\b/i;

/** A file at the headings of documents, and at other headings that follow a document. */
function passagesIn(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let current: Passage = { lines: [], blocks: [] };
  for (const line of text.split('\n').map((one) => one.trimEnd())) {
    const isOther = /^##?(?:\s|$)/.test(line) && current.blocks.length > 0;
    if (isOther || heading.test(line)) {
      passages.push(current);
      current = { lines: [], blocks: [] };
    }
    const block = readBlock(line);
    if (block === null) current.lines.push(line);
    else current.blocks.push(block);
  }
  return [...passages, current];
}

function documentsIn({ lines, blocks }: Passage): readonly CheckpointDocument[] {
  const markdown = lines.join('\n').trim();
  const digest = digestOf(linesOf(markdown));
  return blocks.map((block) =>
    block.digest === digest ? block.document : { ...block.document, edited: markdown },
  );
}

function readBlock(line: string): Block | null {
  const json = /^<!-- flamestack (\{.*\}) -->$/.exec(line)?.[1];
  if (json === undefined) return null;
  try {
    const { digest, ...found } = JSON.parse(json) as Record<string, unknown>;
    const document = { ...emptyDocument, ...found, edited: '' };
    return isDocument(document) ? { document, digest } : null;
  } catch {
    return null;
  }
}

type Guard = (value: unknown) => boolean;

const isText: Guard = (value) => typeof value === 'string';
const isEntry: Guard = (value) => typeof value === 'string' && /^e[1-9]\d{0,11}$/.test(value);
const isTime: Guard = (value) => Number.isFinite(value) && (value as number) >= 0;
const isCount: Guard = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const oneOf =
  (...known: readonly unknown[]): Guard =>
  (value) =>
    known.includes(value);
const optional =
  (guard: Guard): Guard =>
  (value) =>
    value === undefined || guard(value);
const listOf =
  (guard: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(guard);
const record =
  (fields: Readonly<Record<string, Guard>>): Guard =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(fields).every(([name, guard]) =>
      guard((value as Readonly<Record<string, unknown>>)[name]),
    );

const isItem = record({
  text: isText,
  done: oneOf(true, false),
  kind: optional(oneOf(...itemKinds)),
  detail: optional(isText),
  depth: optional(isCount),
});

const isDocument = record({
  id: isText,
  session: isText,
  at: isTime,
  reason: isText,
  messages: isCount,
  note: isText,
  topic: isText,
  goal: isText,
  priority: oneOf('high', 'medium', 'low'),
  standing: oneOf('active', 'paused', 'completed'),
  title: isText,
  decisions: listOf(isItem),
  actions: listOf(isItem),
  questions: listOf(isText),
  status: isText,
  files: listOf(record({ path: isText, change: isText })),
  breadcrumbs: listOf(
    record({
      type: oneOf(...breadcrumbTypes),
      reference: isText,
      hint: isText,
      entries: listOf(isEntry),
    }),
  ),
});
