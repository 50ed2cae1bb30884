import type { PositionSpan } from '../../core/values/span.ts';
import { fail } from '../../core/values/error.ts';
import { checkpointId, ordinal, toFrameId, type CheckpointId } from '../../core/values/id.ts';
import { spansOf } from '../../core/frames/frame-ranges.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { findCheckpoint, spansOfCheckpoint } from './expand.ts';
import type { LiveSession } from '../live/live-session.ts';
import { recall, type Hit } from './recall.ts';
import {
  checkRecall,
  checkTrace,
  type RecallOptions,
  type TraceGiven,
  type TraceOptions,
} from './recall-options.ts';
import type { SearchIndexes } from './search-indexes.ts';
import type { Log } from './recall-filter.ts';

/** What a search of a session needs. */
export interface RecallDependencies {
  readonly live: LiveSession;
  readonly store: RecordStore;
  readonly searches: SearchIndexes;
}

/** Terms of a summary that are looked for. */
const mostTraced = 256;

/** The entries of a session that answer a query, the best first; throws `FRAME_NOT_FOUND` and `OPTION_INVALID`. */
export async function recallIn(
  around: RecallDependencies,
  query: string,
  options: RecallOptions,
): Promise<Hit[]> {
  checkRecall(query, options);
  options.signal?.throwIfAborted();
  const { state } = around.live;
  const { frame } = options;
  const within =
    frame === undefined ? undefined : spansOf(state.runs, frameOf(state.frames, toFrameId(frame)));
  return look(around, { query, within, options });
}

/**
 * The entries that a sentence of a summary comes from, or a whole checkpoint does, the likeliest
 * first. A sentence that stands in a checkpoint in view is looked for in its entries only. Throws
 * `CHECKPOINT_NOT_FOUND` and `OPTION_INVALID`.
 */
export async function traceIn(
  around: RecallDependencies,
  given: TraceGiven,
  options: TraceOptions,
): Promise<Hit[]> {
  checkTrace(given, options);
  options.signal?.throwIfAborted();
  const { state } = around.live;
  await around.live.written;
  const sources =
    given.checkpoint === undefined
      ? await checkpointsInView(around)
      : [await readCheckpoint(around, given.checkpoint)];
  const text = 'text' in given ? given.text : undefined;
  const named = given.checkpoint === undefined ? undefined : sources[0];
  const source = named ?? sources.find((one) => isIn(text ?? '', one.text));
  const query = text ?? source?.text ?? '';
  const within =
    source === undefined ? undefined : spansOfCheckpoint(state, source.frame, source.range);
  // What people typed stands beside a summary, which is never made of it.
  const roles = source === undefined ? {} : { role: ['assistant', 'tool', 'machine'] as const };
  return look(around, { query, within, options: { ...options, ...roles, terms: mostTraced } });
}

/** A checkpoint, as tracing needs it. */
interface TracedCheckpoint {
  readonly frame: Parameters<typeof spansOfCheckpoint>[1];
  readonly range: Parameters<typeof spansOfCheckpoint>[2];
  readonly text: string;
}

async function checkpointsInView({
  live,
  store,
}: RecallDependencies): Promise<readonly TracedCheckpoint[]> {
  const shown = [...live.state.views].flatMap(([frame, { checkpoints }]) =>
    checkpoints.map((checkpoint) => ({ frame, range: checkpoint, text: checkpoint.text })),
  );
  const keys = shown.map(({ text }) => textKey(live.id, ordinal(text)));
  const texts = await store.getMany('text', keys);
  return shown.map((one, index) => ({ ...one, text: texts[index] as string }));
}

async function readCheckpoint(
  { live, store }: RecallDependencies,
  said: string,
): Promise<TracedCheckpoint> {
  const { frame, checkpoint } = await findCheckpoint(
    { state: live.state, store },
    toCheckpoint(said),
  );
  const text = await store.get('text', textKey(live.id, ordinal(checkpoint.text)));
  return { frame, range: checkpoint, text: text as string };
}

function toCheckpoint(said: string): CheckpointId {
  if (/^c[1-9]\d{0,11}$/.test(said)) return checkpointId(ordinal(said));
  throw fail('CHECKPOINT_NOT_FOUND', `There is no checkpoint "${said}"`, { checkpoint: said });
}

/** Whether one text stands in another, whatever the spaces. */
function isIn(text: string, whole: string): boolean {
  const flat = (one: string): string => one.replace(/\s+/g, ' ').trim();
  return text.trim() !== '' && flat(whole).includes(flat(text));
}

async function look(
  { live, store, searches }: RecallDependencies,
  given: {
    query: string;
    within: readonly PositionSpan[] | undefined;
    options: RecallOptions & { readonly terms?: number };
  },
): Promise<Hit[]> {
  const { query, within, options } = given;
  const { session, created, entries } = live.state;
  await live.written;
  const log: Log = {
    store,
    session,
    index: searches.of(session, created),
    upTo: entries,
    ...(within === undefined ? {} : { within }),
  };
  const { count } = await live.counter();
  return recall(log, query, { ...options, count });
}
