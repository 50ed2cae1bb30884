import { maskedDocuments } from '../../../core/documents/parse-document.ts';
import type { Mask } from '../../../core/text/redaction.ts';
import type { RecordKind } from '../../../store/store.ts';
import { decodeRecord, encodeRecord } from '../state-codec.ts';

// What is stored of a session is JSON. A mask goes through all of its texts, and leaves what
// the engine tells things apart by: names, ids, hashes, words of a closed list. A text that is
// JSON itself (a shortened message, breadcrumbs) or a document is masked as what it is.

/** A row in whose texts something was masked; the very value where nothing was. */
export function maskedRow(kind: RecordKind, value: unknown, mask: Mask): unknown {
  if (kind !== 'journal') return maskedValue(value, mask);
  const record = decodeRecord(value);
  const masked = maskedValue(record, mask);
  return masked === record ? value : encodeRecord(masked);
}

/** A JSON value in whose texts something was masked; the very value where nothing was. */
export function maskedValue<T>(value: T, mask: Mask): T {
  return walk(value, '', mask) as T;
}

function walk(value: unknown, name: string, mask: Mask): unknown {
  if (typeof value === 'string') return isNamed(value, name) ? value : maskedText(value, mask);
  if (Array.isArray(value)) return walkList(value, name, mask);
  if (typeof value !== 'object' || value === null || name === 'options') return value;
  let isSame = true;
  const isCall = 'id' in value || 'call' in value;
  const members = Object.entries(value).map(([key, member]) => {
    const isStructure =
      (key === 'name' && isCall) || (key === 'change' && changes.has(member as string));
    const masked = isStructure ? member : walk(member, key, mask);
    const of = name === 'names' ? mask(key) : key;
    isSame &&= masked === member && of === key;
    return [of, masked] as const;
  });
  return isSame ? value : Object.fromEntries(members);
}

function walkList(list: readonly unknown[], name: string, mask: Mask): unknown {
  const [first, second] = list;
  const isPair = list.length === 2 && typeof first === 'string' && typeof second === 'object';
  if (isPair) {
    const masked = walk(second, name === 'columns' ? first : name, mask);
    return masked === second ? list : [first, masked];
  }
  const members = list.map((member) => walk(member, name, mask));
  return members.some((member, at) => member !== list[at]) ? members : list;
}

/** A text in which something was masked, be it JSON or documents. */
export function maskedText(text: string, mask: Mask): string {
  if (/^\s*[[{]/.test(text)) {
    const value = jsonIn(text);
    if (value !== undefined) {
      const masked = walk(value, '', mask);
      return masked === value ? text : JSON.stringify(masked);
    }
  }
  return text.includes('<!-- flamestack {') ? maskedDocuments(text, mask) : mask(text);
}

function jsonIn(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Whether a text is a name of the engine's: under a field that holds nothing else, an id, or the reason of a decision. */
const isNamed = (text: string, name: string): boolean =>
  structural.has(name) || isId.test(text) || (name === 'reason' && reasons.has(text));

/** An entry, a frame, a checkpoint, a text or a snapshot, and what an effect is called. */
const isId = /^(?:[acefst]\d{1,5}|\d{1,12}\/[a-z]\d{1,12}(?:\/[a-z]+)?)$/;

/** Fields that hold names of the engine's or of a host's tools. */
const structural: ReadonlySet<string> = new Set(
  `active age aging assembly became by call cause digest entry extent form frame harvested hash id key kind
  key mediaType model parent part phase port priority purpose relation role rule session snapshot source standing state
  status strategy summarizer system tokenizer toolCallId truncation type value version what`.split(
    /\s+/,
  ),
);

/** What became of an artifact. */
const changes: ReadonlySet<unknown> = new Set(['created', 'modified']);

/** Why something was decided, where that is one of a closed list. */
const reasons: ReadonlySet<string> = new Set(
  `not due,nothing to select,gone back,empty,degenerate,invented,exchanges,push,pop,destructive,long,half,decision,truncation,command`.split(
    ',',
  ),
);
