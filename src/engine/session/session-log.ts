import { where } from '../../core/assembly/locate.ts';
import { spansOf } from '../../core/frames/frame-ranges.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { fail } from '../../core/values/error.ts';
import { ordinal, toEntryId, toFrameId } from '../../core/values/id.ts';
import {
  callable,
  checkArgument,
  flag,
  idOf,
  limit,
  objectOf,
  signal,
} from '../../core/values/validation.ts';
import type { LogEntry } from '../../llm/summarizer.ts';
import { checkId } from '../commands/command-arguments.ts';
import { exportLines } from '../commands/export.ts';
import { redact } from '../commands/redact.ts';
import { readEntry, readLog, type LogRange } from '../journal/read-log.ts';
import type { CommandSession, SessionReader } from '../live/session-access.ts';
import { expand } from '../recall/expand.ts';
import { recallIn, traceIn } from '../recall/recall-session.ts';
import type { HandleContext } from './handle-context.ts';
import type { ExportOptions, LogOptions, Session } from './session.ts';

const entry = idOf('entry');
const logOptions = objectOf<LogOptions>({
  frame: idOf('frame'),
  after: entry,
  before: entry,
  reverse: flag,
  limit,
  signal,
  onLost: callable,
});
const exportOptions = objectOf<ExportOptions>({ signal, onLost: callable });

/** The log of a session, and searches in it. */
export function toLog(
  session: CommandSession,
  { searches, effects, documents, check }: HandleContext,
): Pick<Session, 'log' | 'export' | 'entry' | 'redact' | 'where' | 'recall' | 'trace' | 'expand'> {
  const searched = { session, searches };
  return {
    log(options = {}) {
      check();
      checkArgument('options', options, logOptions);
      return logOf(session, options);
    },
    export(options = {}) {
      check();
      checkArgument('options', options, exportOptions);
      return exportLines(session, options);
    },
    async entry(id) {
      check();
      checkId('entry', id);
      const last = await durableEntries(session);
      return readEntry(session.store, { session: session.id, last }, id);
    },
    async redact(id) {
      check();
      checkId('entry', id);
      if (session.store.refusal !== undefined) throw session.store.refusal;
      return redact(session, { effects, searches, documents }, id);
    },
    where(id) {
      check();
      checkId('entry', id);
      return where(session.state, id);
    },
    async recall(query, options = {}) {
      check();
      return recallIn(searched, query, options);
    },
    async trace(traced, options = {}) {
      check();
      return traceIn(searched, traced, options);
    },
    async expand(ref, options = {}) {
      check();
      return expand(session, ref, options);
    },
  };
}

/** The part of a log that options name; throws `FRAME_NOT_FOUND`, and `ENTRY_NOT_FOUND` for a bound that is no id, or an `after` that is not there. */
function logOf(session: SessionReader, options: LogOptions): AsyncGenerator<LogEntry> {
  const { frame, after, before, limit: most, ...rest } = options;
  const { frameRanges, frames, entryCount } = session.state;
  const range = {
    ...rest,
    limit: most === Number.POSITIVE_INFINITY ? undefined : most,
    after: after === undefined ? undefined : afterIn(entryCount, after),
    before: before === undefined ? undefined : ordinal(toEntryId(before)),
    within:
      frame === undefined ? undefined : spansOf(frameRanges, frameOf(frames, toFrameId(frame))),
  };
  return wholeLog(session, range);
}

async function* wholeLog(
  session: SessionReader,
  range: Omit<LogRange, 'last'>,
): AsyncGenerator<LogEntry> {
  const last = await durableEntries(session);
  yield* readLog(session.store, session.id, { ...range, last });
}

/** The newest entry that there must be in the store; 0 where a write failed, and nobody knows. */
async function durableEntries(session: SessionReader): Promise<number> {
  return session.durableState().then(
    ({ entryCount }) => entryCount,
    () => 0,
  );
}

function afterIn(entries: number, after: string): number {
  const n = ordinal(toEntryId(after));
  if (n <= entries) return n;
  const message = `There is no entry "${after}"; the session has ${entries}`;
  throw fail('ENTRY_NOT_FOUND', message, { entry: after });
}
