import type { Outlines, RecordStore } from '../../../store/store.ts';
import {
  listSessions,
  pendingOf,
  summariesOf,
  summaryOf,
  toListed,
  type SessionSummary,
} from './list-sessions.ts';

/** A session by what puts it in its place in a list of thousands, of which few are shown. */
export interface SessionOutline extends Pick<SessionSummary, 'id' | 'said' | 'updated'> {
  readonly parent?: string | undefined;
  /** All that is told of it. */
  summary(): SessionSummary;
}

/** The sessions of `listSessions` in outline; the rows of those that rest are only read for their summaries, where they lie in memory. */
export async function outlineSessions(store: RecordStore): Promise<readonly SessionOutline[]> {
  const known = store.outlines?.() ?? null;
  if (known !== null) return outlinesOf(store, known);
  const pages: (readonly SessionOutline[])[] = [];
  for await (const page of listSessions(store, {})) pages.push(page.map(outlineOf));
  return pages.flat();
}

async function outlinesOf(
  store: RecordStore,
  outlines: Outlines,
): Promise<readonly SessionOutline[]> {
  const { ids, said, row } = outlines;
  if (ids.length === 0) return [];
  const pending = await pendingOf(store, ids);
  const awake = ids.flatMap((key, at) =>
    said[at] === null ? [toListed({ key, value: row(at) })] : [],
  );
  const others = awake.length === 0 ? [] : (await summariesOf(store, awake)).map(outlineOf);
  const known = { ...outlines, pending };
  return ids.map((_, at) => (said[at] === null ? others.shift()! : new RestingOutline(known, at)));
}

/** One that rests, by its place: thousands that hold their values and a function each take longer to keep than to make. */
class RestingOutline implements SessionOutline {
  readonly known: Outlines & { readonly pending: ReadonlyMap<string, number> };
  readonly at: number;

  constructor(known: RestingOutline['known'], at: number) {
    this.known = known;
    this.at = at;
  }

  get id(): string {
    return this.known.ids[this.at]!;
  }

  get said(): number {
    return this.known.said[this.at]!;
  }

  get updated(): number {
    return this.known.updated[this.at]!;
  }

  get parent(): string | undefined {
    const { parents } = this.known;
    return parents.size === 0 ? undefined : parents.get(this.id);
  }

  summary(): SessionSummary {
    const { id, at } = this;
    const { row, pending } = this.known;
    const listed = toListed({ key: id, value: row(at) });
    return summaryOf(listed, pending.size === 0 ? 0 : pending.get(id));
  }
}

const outlineOf = (summary: SessionSummary): SessionOutline => ({
  ...summary,
  summary: () => summary,
});
