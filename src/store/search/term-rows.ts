import { termsKey, type SegmentAt } from '../key.ts';
import type { Change } from '../store.ts';

// Near spellings of a word are looked for among the terms that begin as it does, and the buckets hold those among all
// others, with postings that nobody reads for it. So a segment lists its terms once more, a row for each letter and digit:
//
//   ta/1025       |accept|auth|auth/refreshtoken.ts|

/** What a term begins with that near spellings are looked for of. */
export const termHeads: readonly string[] = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');

/** The terms of a segment by what they begin with. */
export class ListedTerms {
  readonly #rows = new Map<string, string>();

  /** Adds a term, which it does not have. */
  add(term: string): void {
    const head = term[0]!;
    this.#rows.set(head, `${this.#rows.get(head) ?? '|'}${term}|`);
  }

  /** The changes that write them. */
  changes(session: string, at: SegmentAt): readonly (Change & { readonly type: 'put' })[] {
    return termHeads.flatMap((head) => {
      const value = this.#rows.get(head);
      const key = termsKey(session, { ...at, head });
      return value === undefined ? [] : [{ type: 'put', kind: 'search', key, value }];
    });
  }
}

/** The terms of such a row; none where it cannot be read. */
export const termsListed = (row: unknown): readonly string[] =>
  ((row ?? '') as string).split('|').filter((term) => term !== '');
