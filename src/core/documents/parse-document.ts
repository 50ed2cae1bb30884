import { breadcrumbTypes } from '../breadcrumbs/breadcrumb.ts';
import { startOfDay } from '../values/date.ts';
import {
  faultIn,
  flag,
  integer,
  oneOf,
  text,
  texts,
  type Properties,
  type Schema,
} from '../values/validation.ts';
import { digestOf, contentLines } from './document-digest.ts';
import { itemKinds } from './list-item.ts';
import type { Mask } from '../text/redaction.ts';
import { emptyDocument, printBlock, printMarkdown, type CheckpointDocument } from './document.ts';

// The content of a document is read from its JSON alone. Its Markdown only says where
// it begins and, by the digest, whether somebody edited it; an edited one is handed on
// as text. So nothing that is quoted in a document is read as one.

/**
 * The documents of a file in their order; text between them is passed over. A file without any is
 * one document, all of it text; `day` (`YYYY-MM-DD`) is that of its name. Never throws.
 */
export function parseDocuments(text: string, day = ''): readonly CheckpointDocument[] {
  return findDocuments(text, day).map(({ document }) => document);
}

/** A document, and what says who wrote it. */
export interface FoundDocument {
  readonly document: CheckpointDocument;
  /** All that it says, as one text. */
  readonly content: string;
  /** A keyed digest of that; '' where there is none. */
  readonly seal: string;
}

/** {@link parseDocuments} with the seals that they carry. */
export function findDocuments(text: string, day = ''): readonly FoundDocument[] {
  const documents = passagesIn(text).flatMap(documentsIn);
  if (documents.length > 0 || text.trim() === '') return documents;
  const document = { ...emptyDocument, at: startOfDay(day), edited: text.trim() };
  return [{ document, content: text, seal: '' }];
}

/** Makes keyed digests, and knows its own. */
export interface Seals {
  make(content: string): string;
  holds(content: string, seal: string): boolean;
}

/** A printed document with the seal of its content. */
export function sealDocument(text: string, seals: Seals): string {
  const content = findDocuments(text)[0]?.content ?? '';
  return text.replace(
    /^<!-- flamestack \{.*(?=\} -->$)/m,
    (line) => `${line},"seal":${JSON.stringify(seals.make(content))}`,
  );
}

/** A file without the documents of a session; what somebody wrote behind one of them stays. */
export function withoutDocuments(text: string, session: string): string {
  const kept = passagesIn(text).map(({ blocks, raw }) => {
    if (blocks.every(({ document }) => document.session !== session)) return raw;
    const end = raw.findLastIndex((line) => readBlock(line.trimEnd()) !== null);
    return raw.slice(end + 1);
  });
  return kept.flat().join('\n');
}

/** A file in whose documents of a session, of all where none is named, a text was masked; what somebody wrote behind one of them stays. Those that were sealed are again. */
export function maskedDocuments(
  text: string,
  mask: Mask,
  { session, seals }: { readonly session?: string; readonly seals?: Seals } = {},
): string {
  const passages = passagesIn(text).map(({ blocks, lines, raw }) => {
    if (!blocks.some(({ document }) => session === undefined || document.session === session))
      return raw;
    const end = raw.findLastIndex((line) => readBlock(line.trimEnd()) !== null);
    const before = contentLines(lines.join('\n').trim());
    const maskedLines = raw.map((line, at) =>
      at > end || readBlock(line.trimEnd()) ? line : mask(line),
    );
    const kept = maskedLines.filter((line) => readBlock(line.trimEnd()) === null);
    const after = contentLines(kept.join('\n').trim());
    return maskedLines.map((line) => {
      const block = readBlock(line.trimEnd());
      if (block === null) return line;
      const isAsWritten = block.digest === digestOf(before);
      const digest = isAsWritten ? digestOf(after) : block.digest;
      const printed = printBlock(maskedFields(block, mask), digest);
      const isSealed = seals?.holds(contentOf(block, before), block.seal) === true;
      const masked = isSealed ? readBlock(printed) : null;
      if (masked === null) return printed;
      const seal = seals!.make(contentOf(masked, after));
      return printBlock({ ...masked.fields, seal }, digest);
    });
  });
  return passages.flat().join('\n');
}

/** The fields of a document with its texts masked; what it is known by stays. */
function maskedFields({ fields }: Block, mask: Mask): object {
  const masked = (value: unknown, name: string): unknown => {
    if (typeof value === 'string')
      return knownBy.has(name) || isEntryId.test(value) ? value : mask(value);
    if (Array.isArray(value)) return value.map((member) => masked(member, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, masked(of, key)]));
  };
  return masked(fields, '') as object;
}

/** Fields that say what a document or an item is, and not what it tells. */
const knownBy: ReadonlySet<string> = new Set([
  'id',
  'session',
  'reason',
  'after',
  'asked',
  'priority',
  'standing',
  'kind',
  'type',
  'entry',
  'frame',
  'parent',
]);

const isEntryId = /^[acefst]\d{1,5}$/;

/** The lines that somebody put into a document, and those that they took out, in their order. */
export function editsIn(document: CheckpointDocument): {
  readonly added: readonly string[];
  readonly removed: readonly string[];
} {
  if (document.edited === '') return { added: [], removed: [] };
  const before = contentLines(printMarkdown(document));
  const after = contentLines(document.edited);
  return { added: without(after, before), removed: without(before, after) };
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const otherLines = new Set(others);
  return lines.filter((line) => !otherLines.has(line));
}

/** A document's JSON as it was read. */
interface Block {
  readonly document: CheckpointDocument;
  /** What is written of it, in that order. */
  readonly fields: object;
  /** Of the Markdown that was printed with it. */
  readonly digest: unknown;
  /** A keyed digest of both; '' where there is none. */
  readonly seal: string;
}

/** The Markdown under one heading, and the JSON blocks in it. */
interface Passage {
  readonly lines: string[];
  readonly blocks: Block[];
  /** All its lines, as they stand in the file. */
  readonly raw: string[];
}

const heading = /^##\s+Checkpoint\b/i;

/** The passages of a file, split at headings of documents and at other headings that follow one. */
function passagesIn(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let current: Passage = { lines: [], blocks: [], raw: [] };
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    const isOther = /^##?(?:\s|$)/.test(line) && current.blocks.length > 0;
    if (isOther || heading.test(line)) {
      passages.push(current);
      current = { lines: [], blocks: [], raw: [] };
    }
    current.raw.push(raw);
    const block = readBlock(line);
    if (block === null) current.lines.push(line);
    else current.blocks.push(block);
  }
  return [...passages, current];
}

function documentsIn({ lines, blocks }: Passage): readonly FoundDocument[] {
  const markdown = lines.join('\n').trim();
  const content = contentLines(markdown);
  const digest = digestOf(content);
  return blocks.map((block) => ({
    document: block.digest === digest ? block.document : { ...block.document, edited: markdown },
    content: contentOf(block, content),
    seal: block.seal,
  }));
}

/** All that a document says: as JSON, and as Markdown. */
const contentOf = ({ fields, digest }: Block, lines: readonly string[]): string =>
  `document\n${JSON.stringify({ ...fields, digest })}\n${lines.join('\n')}`;

const blockLine = /^<!-- flamestack (\{.*\}) -->$/;

function readBlock(line: string): Block | null {
  const json = blockLine.exec(line)?.[1];
  if (json === undefined) return null;
  try {
    const { digest, seal, ...fields } = JSON.parse(json) as Record<string, unknown>;
    const document = { ...emptyDocument, ...fields, edited: '' };
    if (faultIn(document, documentSchema) !== null) return null;
    return { document, fields, digest, seal: typeof seal === 'string' ? seal : '' };
  } catch {
    return null;
  }
}

/** An object with at least these fields; a document of a later version may have more. */
const record = (required: Properties, optional: Properties = {}): Schema => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

const list = (items: Schema): Schema => ({ type: 'array', items });

const item = record(
  { text, done: flag },
  {
    kind: oneOf(...itemKinds),
    detail: text,
    depth: integer(0),
    entry: text,
    frame: text,
    parent: text,
  },
);

const documentSchema = record({
  id: text,
  session: text,
  at: { type: 'number', minimum: 0, holds: Number.isFinite },
  reason: text,
  messages: integer(0),
  after: text,
  note: text,
  topic: text,
  goal: text,
  asked: text,
  isSameGoal: flag,
  priority: oneOf('high', 'medium', 'low'),
  standing: oneOf('active', 'paused', 'completed'),
  title: text,
  decisions: list(item),
  actions: list(item),
  questions: texts,
  completed: text,
  next: text,
  status: text,
  files: list(record({ path: text, change: text })),
  breadcrumbs: list(
    record({
      type: oneOf(...breadcrumbTypes),
      reference: text,
      hint: text,
      entries: list({ type: 'string', holds: (id) => /^e[1-9]\d{0,11}$/.test(id as string) }),
    }),
  ),
});
