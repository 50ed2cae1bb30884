import assert from 'node:assert/strict';
import { isEngineError, type ErrorCode } from '../../core/values/error.ts';
import type { Change, KeyRange, RecordKind, RecordStore } from '../../store/store.ts';

/** A test of a store that is empty. */
export type StoreCheck = (store: RecordStore) => Promise<void>;

/** A change that writes a record. */
export function put(kind: RecordKind, key: string, value: unknown): Change {
  return { type: 'put', kind, key, value };
}

/** All rows of a range. */
export async function all(
  store: RecordStore,
  kind: RecordKind,
  range: KeyRange,
): Promise<(readonly [key: string, value: unknown])[]> {
  const found: (readonly [string, unknown])[] = [];
  for await (const row of store.range(kind, range)) found.push(row);
  return found;
}

/** Fails unless a call rejects with an error of `code`. */
export async function rejects(code: ErrorCode, call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error: unknown) => isEngineError(error, code));
}
