import { storeIdOf } from '../record.ts';
import { kinds, type RecordKind } from '../store.ts';

/** A row as one file has it; of two under one key the one with the higher number is newer. */
export interface Version {
  /** LevelDB's own key: the kind between exclamation marks, then ours. */
  readonly key: string;
  readonly number: number;
  /** The text of its record; null where the row was deleted. */
  readonly text: string | null;
}

/** The kind and the key of a row by its whole key; null where it is of no kind. */
export function placeOf(whole: string): { readonly kind: RecordKind; readonly key: string } | null {
  const [, name, key = ''] = /^!([a-z]+)!(.*)$/s.exec(whole) ?? [];
  const kind = kinds.find((one) => one === name);
  return kind === undefined ? null : { kind, key };
}

/** Whether a record is what was once written under its key in the store with an id; null for any store. */
export function isSound(
  { kind, key }: { readonly kind: RecordKind; readonly key: string },
  text: string,
  id: number | null,
): boolean {
  const found = storeIdOf(kind, key, text);
  return found !== null && (id === null || found === (kind === 'meta' ? 0 : id));
}

/** Whether a row of some kind stands whole under its key. */
export function isWhole(whole: string, text: string, id: number | null): boolean {
  const place = placeOf(whole);
  return place !== null && isSound(place, text, id);
}
