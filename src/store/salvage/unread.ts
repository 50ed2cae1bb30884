import { kinds, type RecordKind } from '../store.ts';
import { damagedBlocks } from './table-rows.ts';

/** A file of which a stretch could not be read, and the kinds of the rows that it may have held. */
export interface UnreadFile {
  readonly file: string;
  readonly kinds: readonly RecordKind[];
}

/** The kinds of rows that may be lost in a file that is damaged; all where its bytes do not tell, or are gone (null). */
export function unreadKinds(bytes: Buffer | null): readonly RecordKind[] {
  const blocks = bytes === null ? null : damagedBlocks(bytes);
  if (blocks === null || blocks.length === 0) return kinds;
  return kinds.filter((kind) =>
    blocks.some(({ after, until }) => after < `!${kind}"` && until >= `!${kind}!`),
  );
}
