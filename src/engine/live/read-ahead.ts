import { readAhead } from '../../core/chronicle/lines.ts';
import type { FrameView } from '../../core/state/view.ts';
import { measure } from '../step/measure.ts';
import { nextTurn } from './next-turn.ts';
import type { SessionReader } from './session-access.ts';

// Most of what a compression does with an entry depends on nothing but the entry.
// Where one is near, the older entries are read before it, one in each turn of the
// event loop, and what was read is kept as long as they are.

/** Share of the trigger from which entries are read. */
const near = 0.8;

/** Share of the tokens of the entries that is read, the oldest: those that the next compressions take. */
const older = 0.5;

/** Begins to read entries that a compression of a session may take soon, where that is not under way. */
export type ReadAhead = (session: SessionReader) => void;

/** A reader that has read nothing. */
export function newReadAhead(): ReadAhead {
  const reading = new WeakSet<SessionReader>();
  const readTo = new WeakMap<SessionReader, number>();

  function readOne({ bodies }: SessionReader, view: FrameView, at: number): void {
    const { unit } = view.items[at]!;
    const from = Math.max(0, view.items.findIndex((item) => item.unit === unit) - 1);
    const items = view.items.slice(from, at + 1).filter(({ form }) => form !== 'closing');
    readAhead(
      items.map(({ n }) => ({ n, message: bodies.message(n) })),
      items.length - 1,
    );
  }

  async function readOn(session: SessionReader): Promise<void> {
    for (;;) {
      await nextTurn();
      const { views, active } = session.state;
      const view = views.get(active);
      const at = view === undefined ? -1 : firstAfter(readTo.get(session) ?? 0, view);
      if (at < 0) return;
      readTo.set(session, view!.items[at]!.n);
      readOne(session, view!, at);
    }
  }

  return (session) => {
    const { human, working, threshold } = measure(session.state);
    if (human + working < near * threshold || reading.has(session)) return;
    reading.add(session);
    // What cannot be read is not there any more, or read by the compression.
    void readOn(session)
      .catch(() => undefined)
      .finally(() => reading.delete(session));
  };
}

/** The index of the first of the older entries behind a position; -1 for none. */
function firstAfter(position: number, { items, tokens }: FrameView): number {
  let left = older * tokens;
  for (const [index, { n, form, shown }] of items.entries()) {
    left -= shown;
    if (left < 0) return -1;
    if (n > position && form !== 'closing') return index;
  }
  return -1;
}
