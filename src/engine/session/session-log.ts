import {
  checkArgument,
  flag,
  idOf,
  limit,
  objectOf,
  signal,
} from '../../core/values/validation.ts';
import { fail } from '../../core/values/error.ts';
import { ordinal, toEntryId, toFrameId } from '../../core/values/id.ts';
import { spansOf } from '../../core/frames/frame-ranges.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { where } from '../../core/assembly/locate.ts';
import type { LogEntry } from '../../llm/summarizer.ts';
import type { RecordStore } from '../../store/store.ts';
import { checkId } from '../commands/command-check.ts';
import { expand } from '../recall/expand.ts';
import { exportLines } from '../commands/export.ts';
import type { LiveSession } from '../live/live-session.ts';
import { readEntry, readLog } from '../journal/read-log.ts';
import { recallIn, traceIn } from '../recall/recall-session.ts';
import type { SearchIndexes } from '../recall/search-indexes.ts';
import type { LogOptions, Session } from './session.ts';

/** What was said in a session, as a handle reads it and finds in it. */
export function toLog(
  live: LiveSession,
  around: {
    readonly store: RecordStore;
    readonly searches: SearchIndexes;
    readonly check: () => void;
  },
): Pick<Session, 'log' | 'export' | 'entry' | 'where' | 'recall' | 'trace' | 'expand'> {
  const { store, searches, check } = around;
  return {
    log(options = {}) {
      check();
      checkArgument('options', options, logOptions);
      return readPart(live, store, options);
    },
    export(options = {}) {
      check();
      checkArgument('options', options, exportOptions);
      return exportLines(live, store, options.signal);
    },
    async entry(id) {
      check();
      checkId('entry', id);
      return readEntry(store, live.id, id);
    },
    where(id) {
      check();
      checkId('entry', id);
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

const entry = idOf('entry');
const logOptions = objectOf<LogOptions>({
  frame: idOf('frame'),
  after: entry,
  before: entry,
  reverse: flag,
  limit,
  signal,
});
const exportOptions = objectOf<{ signal?: AbortSignal }>({ signal });

/** Part of the log; throws `FRAME_NOT_FOUND`, and `ENTRY_NOT_FOUND` for a bound that is no id, or an `after` that is not there. */
function readPart(
  live: LiveSession,
  store: RecordStore,
  options: LogOptions,
): AsyncIterable<LogEntry> {
  const { frame, after, before, limit: most, ...rest } = options;
  const { runs, frames, entries } = live.state;
  return readLog(store, live.id, {
    ...rest,
    limit: most === Number.POSITIVE_INFINITY ? undefined : most,
    after: after === undefined ? undefined : afterIn(entries, after),
    before: before === undefined ? undefined : ordinal(toEntryId(before)),
    within: frame === undefined ? undefined : spansOf(runs, frameOf(frames, toFrameId(frame))),
  });
}

function afterIn(entries: number, after: string): number {
  const n = ordinal(toEntryId(after));
  if (n <= entries) return n;
  const message = `There is no entry "${after}"; the session has ${entries}`;
  throw fail('ENTRY_NOT_FOUND', message, { entry: after });
}
