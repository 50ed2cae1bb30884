import { ordinal, toEntryId, toFrameId } from '../core/id.ts';
import { stretchesOf } from '../core/run.ts';
import { frameOf } from '../core/tree.ts';
import { where } from '../core/where.ts';
import type { Store } from '../store/store.ts';
import { expand } from './expand.ts';
import { exportLines } from './export.ts';
import type { Live } from './live.ts';
import { readEntry, readLog } from './log.ts';
import { recallIn, traceIn } from './recall-session.ts';
import type { Searches } from './searches.ts';
import type { Session } from './session.ts';

/** What was said in a session, as a handle reads it and finds in it. */
export function toLog(
  live: Live,
  around: { readonly store: Store; readonly searches: Searches; readonly check: () => void },
): Pick<Session, 'log' | 'export' | 'entry' | 'where' | 'recall' | 'trace' | 'expand'> {
  const { store, searches, check } = around;
  return {
    log(options = {}) {
      check();
      const { frame, after, before, reverse, limit, signal } = options;
      return readLog(store, live.id, {
        after: after === undefined ? undefined : ordinal(toEntryId(after)),
        before: before === undefined ? undefined : ordinal(toEntryId(before)),
        reverse,
        limit,
        signal,
        within: frame === undefined ? undefined : stretchesIn(live, frame),
      });
    },
    export({ signal } = {}) {
      check();
      return exportLines(live, store, signal);
    },
    async entry(id) {
      check();
      return readEntry(store, live.id, id);
    },
    where(id) {
      check();
      return where(live.state, id);
    },
    async recall(query, options = {}) {
      check();
      return recallIn({ live, store, searches }, query, options);
    },
    async trace(given, options = {}) {
      check();
      return traceIn({ live, store, searches }, given, options);
    },
    async expand(ref, options = {}) {
      check();
      return expand({ live, store }, ref, options);
    },
  };
}

/** The stretches of the log in a frame; throws `FRAME_NOT_FOUND`. */
function stretchesIn({ state }: Live, frame: string): ReturnType<typeof stretchesOf> {
  return stretchesOf(state.runs, frameOf(state.frames, toFrameId(frame)));
}
