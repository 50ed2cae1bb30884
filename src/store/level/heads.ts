import type { Change, Head, Heads } from '../store.ts';

// An end that is missing cannot be told from one that was never written. So how far each session had come
// is noted with the files: what was lost behind that can be named, and its ids are not given out again.

/** Heads that follow what is written. */
export interface HeadsKept {
  /** Takes in what was written. */
  add(changes: readonly Change[]): void;
  all(): Heads;
}

/** Heads that go on from those `noted` before. */
export function newHeads(noted: Heads = new Map()): HeadsKept {
  const heads = new Map(noted);
  return {
    add(changes) {
      for (const { type, kind, key } of changes) {
        if (type === 'del' && kind === 'session') heads.delete(key);
        if (type === 'del' || (kind !== 'journal' && kind !== 'entry')) continue;
        const colon = key.indexOf(':');
        const session = key.slice(0, colon);
        const n = Number(key.slice(colon + 1));
        const [seq, entry] = heads.get(session) ?? [0, 0];
        heads.set(
          session,
          kind === 'journal' ? [Math.max(seq, n), entry] : [seq, Math.max(entry, n)],
        );
      }
    },
    all: () => heads,
  };
}

/** The heads that a value from a file is; undefined where it is none. */
export function toHeads(value: unknown): Heads | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const noted = value as Readonly<Record<string, unknown>>;
  const heads = new Map<string, Head>();
  // By hand: of thousands of sessions, pairs take longer than the rest of this.
  for (const session of Object.keys(noted)) {
    const head = noted[session];
    if (!isHead(head)) return undefined;
    heads.set(session, head);
  }
  return heads;
}

const isHead = (head: unknown): head is Head =>
  Array.isArray(head) &&
  head.length === 2 &&
  Number.isSafeInteger(head[0]) &&
  Number.isSafeInteger(head[1]);
