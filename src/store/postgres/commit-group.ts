import type { EngineError } from '../../core/values/error.ts';
import { conflict, type Expected } from '../fence.ts';
import { inGroups, type Waiting } from '../group-commit.ts';
import type { CommitOptions, RecordKind, SessionRef } from '../store.ts';

/** A row to write; null for one to delete. */
export interface RowChange {
  readonly kind: RecordKind;
  readonly key: string;
  readonly value: string | null;
}

/** What one call commits. */
interface Commit {
  readonly rows: readonly RowChange[];
  readonly expect: CommitOptions['expect'];
  readonly of: CommitOptions['of'];
}

/** What one statement commits. */
export interface Bundle {
  /** Where the head of a session is expected, and where it goes. */
  readonly heads: ReadonlyMap<
    string,
    { readonly seq: number; readonly born: number; readonly next: number }
  >;
  /** The last change of each row; those of a `session` are written only where its head moves, those derived `of` one only where it is there. */
  readonly rows: readonly (RowChange & {
    readonly session: string | null;
    readonly of: SessionRef | undefined;
  })[];
}

/** Commits that go to the server in groups. */
export interface FencedCommits {
  /** Rejects with `CONFLICT` where the session went on elsewhere, and for whoever decided on a state that is not so. */
  commit(rows: readonly RowChange[], options: Pick<Commit, 'expect' | 'of'>): Promise<void>;
  /** Resolves when no commit is under way. */
  settled(): Promise<void>;
}

/** Commits over `send`, which answers with the sessions whose heads it moved. */
export function fencedCommits(
  send: (bundle: Bundle) => Promise<ReadonlySet<string>>,
): FencedCommits {
  const refused = new WeakMap<object, EngineError>();

  const refusalOf = ({ expect }: Commit): EngineError | undefined =>
    expect && refused.get(expect.owner);

  function refuse({ item, reject }: Waiting<Commit>, error: EngineError): void {
    if (item.expect !== undefined) refused.set(item.expect.owner, error);
    reject(error);
  }

  async function write(run: readonly Waiting<Commit>[]): Promise<void> {
    const open = run.filter((waiting) => {
      const error = refusalOf(waiting.item);
      if (error !== undefined) waiting.reject(error);
      return error === undefined;
    });
    if (open.length === 0) return;
    try {
      const moved = await send(bundleOf(open.map((waiting) => waiting.item)));
      for (const waiting of open) {
        const { expect } = waiting.item;
        if (expect === undefined || moved.has(expect.session)) waiting.resolve();
        else refuse(waiting, conflict(expect));
      }
    } catch (error) {
      for (const waiting of open) refuse(waiting, error as EngineError);
    }
  }

  const groups = inGroups<Commit>(async (group) => {
    for (const run of runsOf(group)) await write(run);
  });
  return {
    commit: (rows, options) => groups.add({ rows, ...options }, sizeOf(rows)),
    settled: () => groups.settled(),
  };
}

/** Cuts a group where one statement cannot carry it on: a session by another owner or not in sequence, a row of two sessions. */
function runsOf(group: readonly Waiting<Commit>[]): readonly (readonly Waiting<Commit>[])[] {
  const runs: Waiting<Commit>[][] = [];
  let heads = new Map<string, Expected>();
  let rows = new Map<string, string | null>();
  for (const waiting of group) {
    const { rows: changes, expect } = waiting.item;
    const session = expect?.session ?? null;
    const last = heads.get(session ?? '');
    const goesOn =
      last === undefined || (last.owner === expect?.owner && last.seq + 1 === expect.seq);
    const isApart = changes.every((row) => [undefined, session].includes(rows.get(nameOf(row))));
    if (runs.length === 0 || !goesOn || !isApart) {
      runs.push([]);
      heads = new Map();
      rows = new Map();
    }
    runs.at(-1)!.push(waiting);
    if (expect !== undefined) heads.set(expect.session, expect);
    for (const row of changes) rows.set(nameOf(row), session);
  }
  return runs;
}

function bundleOf(commits: readonly Commit[]): Bundle {
  const heads = new Map<string, { seq: number; born: number; next: number }>();
  const rows = new Map<string, Bundle['rows'][number]>();
  for (const { rows: changes, expect, of } of commits) {
    const session = expect?.session ?? null;
    if (expect !== undefined)
      heads.set(expect.session, {
        seq: heads.get(expect.session)?.seq ?? expect.seq,
        born: expect.born,
        next: expect.seq + 1,
      });
    for (const row of changes) rows.set(nameOf(row), { ...row, session, of });
  }
  return { heads, rows: [...rows.values()] };
}

const nameOf = ({ kind, key }: RowChange): string => `${kind} ${key}`;

/** Approximate size of a commit, in bytes. */
const sizeOf = (rows: readonly RowChange[]): number =>
  rows.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0);
