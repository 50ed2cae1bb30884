import { readFileSync } from 'node:fs';
import type { Answers } from '../../tools/golden/answers.ts';
import type { Header } from '../../src/store/format.ts';
import { recordCodec, type RecordCodec } from '../../src/store/record.ts';
import { placeOf } from '../../src/store/salvage/version.ts';
import type { RawRow, RecordKind } from '../../src/store/store.ts';

/** The rows of a store as a format was released, and what it answers; see tools/golden. */
export function goldenStore(format: number): {
  readonly rows: readonly RawRow[];
  readonly answers: Answers;
} {
  const read = (file: string): string =>
    readFileSync(new URL(`../fixtures/format-${format}/${file}`, import.meta.url), 'utf8');
  const lines = read('rows.jsonl').split('\n').filter(Boolean);
  return {
    rows: lines.map((line) => JSON.parse(line) as RawRow),
    answers: JSON.parse(read('answers.json')) as Answers,
  };
}

/** A row by its kind, and the key that it has there. */
export function rowOf([whole, text]: RawRow): {
  readonly kind: RecordKind;
  readonly key: string;
  readonly text: string;
} {
  return { ...placeOf(whole)!, text };
}

/** The header among the rows of a store. */
export function headerIn(rows: readonly RawRow[]): Header {
  const [, text = ''] = rows.find(([key]) => key === '!meta!format') ?? [];
  return recordCodec(0).decode('meta', 'format', text) as Header;
}

/** The records of the store that has these rows. */
export const codecOf = (rows: readonly RawRow[]): RecordCodec => recordCodec(headerIn(rows).id);
