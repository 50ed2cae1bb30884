import { toReferring } from '../../core/breadcrumbs/reference.ts';
import type { Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import { spansOf } from '../../core/frames/frame-ranges.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { phraseOf, phrasesIn, type Phrase } from '../../core/search/phrases.ts';
import { fail } from '../../core/values/error.ts';
import {
  checkpointId,
  ordinal,
  toFrameId,
  type CheckpointId,
  type FrameId,
} from '../../core/values/id.ts';
import { joinedSpans, sharedSpans, type PositionSpan } from '../../core/values/span.ts';
import { textKey } from '../../store/key.ts';
import type { SessionReader } from '../live/session-access.ts';
import { findCheckpoint, spansBehind, spansOfCheckpoint } from './expand.ts';
import { frameRecords } from './frames/frame-records.ts';
import { asksOfEntries, type Log } from './recall-filter.ts';
import {
  checkRecall,
  checkTrace,
  type RecallOptions,
  type TraceGiven,
  type TraceOptions,
} from './recall-options.ts';
import { recall, type Hit, type Origin } from './recall.ts';
import type { SearchIndexes } from './search-indexes.ts';

/** A session that is searched. */
export interface SearchedSession {
  readonly session: SessionReader;
  readonly searches: SearchIndexes;
}

/** Most terms of a summary that are looked for. */
const mostTraced = 256;

/** The entries of a session that answer a query, and its frames where no option asks for what only entries have, the best first; throws `FRAME_NOT_FOUND` and `OPTION_INVALID`. */
export async function recallIn(
  searched: SearchedSession,
  query: string,
  options: RecallOptions,
): Promise<Hit[]> {
  checkRecall(query, options);
  options.signal?.throwIfAborted();
  const framed = asksOfEntries(options) ? undefined : { only: framesMeant(options) };
  const within = await spansMeant(searched.session, options);
  return search(searched, {
    query,
    within,
    framed,
    options: { ...options, phrases: phrasesIn(query) },
  });
}

/** The frames that a filter names; undefined for all of them. */
function framesMeant({ frame, within }: RecallOptions): ReadonlySet<FrameId> | undefined {
  if (frame === undefined && within === undefined) return undefined;
  const { references } = toReferring(within ?? frame!);
  const named = references.flatMap((one) => (one.type === 'frame' ? [one.frame] : []));
  return new Set(named.filter((id) => frame === undefined || id === frame));
}

/** Where to look, by frame and by ids; undefined for everywhere. */
async function spansMeant(
  session: SessionReader,
  { frame, within, signal }: RecallOptions,
): Promise<readonly PositionSpan[] | undefined> {
  const { frameRanges, frames } = session.state;
  const ofFrame =
    frame === undefined ? undefined : spansOf(frameRanges, frameOf(frames, toFrameId(frame)));
  if (within === undefined) return ofFrame;
  const behind = await spansBehind(session, within, signal);
  const named = joinedSpans(behind.flatMap(({ spans }) => spans));
  return ofFrame === undefined ? named : sharedSpans(ofFrame, named);
}

/**
 * The entries that a sentence of a summary comes from, or a whole checkpoint does: those that say it
 * word for word, the earliest first, then the likeliest. A sentence that stands in a checkpoint in view is looked for in its entries only. Throws
 * `CHECKPOINT_NOT_FOUND` and `OPTION_INVALID`.
 */
export async function traceIn(
  searched: SearchedSession,
  traced: TraceGiven,
  options: TraceOptions,
): Promise<Hit[]> {
  checkTrace(traced, options);
  options.signal?.throwIfAborted();
  const { session } = searched;
  const state = await session.durableState();
  const named =
    traced.checkpoint === undefined ? undefined : await readCheckpoint(session, traced.checkpoint);
  const text = 'text' in traced ? traced.text : undefined;
  const source =
    named ?? (await checkpointsInView(session)).find((one) => isIn(text ?? '', one.text));
  const query = text ?? source?.text ?? '';
  const within =
    source === undefined ? undefined : spansOfCheckpoint(state, source.frame, source.checkpoint);
  // What people typed stands beside a summary, which is never made of it.
  const roles = source === undefined ? {} : { role: ['assistant', 'tool', 'machine'] as const };
  const phrase = text === undefined ? null : phraseOf(text);
  const origin = phrase === null ? undefined : { phrase, within: named ? within : upToEnd(within) };
  return search(searched, {
    query,
    within,
    options: { ...options, ...roles, terms: mostTraced, origin },
  });
}

/** All that was said up to the end of some spans: what a summary repeats may have been said before what it stands for, too. */
const upToEnd = (
  within: readonly PositionSpan[] | undefined,
): readonly PositionSpan[] | undefined => within && [[1, within.at(-1)?.[1] ?? 0]];

/** A checkpoint with its text. */
interface CheckpointText {
  readonly frame: FrameId;
  readonly checkpoint: Checkpoint;
  readonly text: string;
}

async function checkpointsInView({
  id,
  state,
  store,
}: SessionReader): Promise<readonly CheckpointText[]> {
  const inView = [...state.views].flatMap(([frame, { checkpoints }]) =>
    checkpoints.map((checkpoint) => ({ frame, checkpoint })),
  );
  const keys = inView.map(({ checkpoint }) => textKey(id, ordinal(checkpoint.text)));
  const texts = await store.getMany('text', keys);
  return inView.map((one, index) => ({ ...one, text: texts[index] as string }));
}

async function readCheckpoint(session: SessionReader, name: string): Promise<CheckpointText> {
  const found = await findCheckpoint(session, toCheckpointId(name));
  const key = textKey(session.id, ordinal(found.checkpoint.text));
  return { ...found, text: (await session.store.get('text', key)) as string };
}

function toCheckpointId(name: string): CheckpointId {
  if (/^c[1-9]\d{0,11}$/.test(name)) return checkpointId(ordinal(name));
  throw fail('CHECKPOINT_NOT_FOUND', `There is no checkpoint "${name}"`, { checkpoint: name });
}

/** Whether one text stands in another, whatever the spaces. */
function isIn(text: string, whole: string): boolean {
  const flat = (one: string): string => one.replace(/\s+/g, ' ').trim();
  return text.trim() !== '' && flat(whole).includes(flat(text));
}

async function search(
  { session, searches }: SearchedSession,
  request: {
    query: string;
    within: readonly PositionSpan[] | undefined;
    /** Whether frames are found, too: all of them, or some. */
    framed?: { readonly only: ReadonlySet<FrameId> | undefined } | undefined;
    options: RecallOptions & {
      readonly terms?: number;
      readonly phrases?: readonly Phrase[];
      readonly origin?: Origin | undefined;
    };
  },
): Promise<Hit[]> {
  const { query, within, framed, options } = request;
  const state = await session.durableState();
  const { store } = session;
  const { session: id, created, entryCount } = state;
  const log: Log = {
    store,
    session: id,
    index: searches.of(id, created),
    upTo: entryCount,
    ...(within === undefined ? {} : { within }),
    ...(framed === undefined
      ? {}
      : { frames: frameRecords({ state, store }, entryCount, framed.only) }),
  };
  const { count } = await session.counter();
  return recall(log, query, { ...options, count });
}
