import { openFragments, type Fragment } from './fragments.ts';
import { toRecord, toValue, type Json } from './record.ts';
import type { SourceLine, Source } from './step.ts';

/** A piece of a document: an item of one of its arrays, a field beside them, or a broken part. */
export type Piece =
  | {
      readonly kind: 'item';
      /** The field that holds the array; empty where no object stands around it. */
      readonly array: string;
      /** Its place in the array, from 1. */
      readonly count: number;
      readonly record: Json;
      readonly line: number;
      /** Byte offset after the line on which it ends. */
      readonly end: number;
    }
  | { readonly kind: 'field'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'broken'; readonly line: number; readonly reason: string };

/** A document that is read line by line; `end`, called after the last line, gives the faults of its end. */
export interface Document {
  push(line: SourceLine): readonly Piece[];
  end(): readonly Piece[];
}

/**
 * A reader of one JSON document: an array, or an object with arrays in the
 * fields that `nouns` names, each with the word for one of its items.
 */
export function openDocument(nouns: Readonly<Record<string, string>>): Document {
  const fragments = openFragments(Object.keys(nouns));
  const counts = new Map<string, number>();
  const pieceOf = (fragment: Fragment, end: number): Piece => {
    const { kind, name, line } = fragment;
    if (kind === 'member') return fieldOf(fragment);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const record = toRecord(fragment.text);
    if (typeof record !== 'string') return { kind, array: name, count, record, line, end };
    return { kind: 'broken', line, reason: `${nouns[name] ?? 'message'} ${count} is ${record}` };
  };
  return {
    push: ({ text, line, end }) =>
      fragments.push(text, line).map((fragment) => pieceOf(fragment, end)),
    end: () => faultsOf(fragments.rest()),
  };
}

/** The pieces of a source that holds one document. */
export async function* piecesOf(
  source: Source,
  nouns: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): AsyncIterable<Piece> {
  const document = openDocument(nouns);
  for await (const line of source.lines(signal)) yield* document.push(line);
  yield* document.end();
}

function fieldOf({ name, text, line }: Fragment): Piece {
  try {
    return { kind: 'field', name, value: toValue(text) };
  } catch {
    return { kind: 'broken', line, reason: `field "${name.slice(0, 40)}" is not JSON` };
  }
}

function faultsOf(rest: ReturnType<ReturnType<typeof openFragments>['rest']>): readonly Piece[] {
  const { text, line, closed, after } = rest;
  const faults: Piece[] = [];
  if (!closed) {
    const reason = text === '' ? 'the array is not closed' : 'cut off before its end';
    faults.push({ kind: 'broken', line: Math.max(line, 1), reason });
  }
  if (after !== null)
    faults.push({ kind: 'broken', line: after, reason: 'stands after the end of the document' });
  return faults;
}
