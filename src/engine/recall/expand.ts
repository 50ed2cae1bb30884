import { checkpointInView, type FrameCheckpoint } from '../../core/assembly/in-view.ts';
import { toReferring, type Reference } from '../../core/breadcrumbs/reference.ts';
import { spansOf } from '../../core/frames/frame-ranges.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { isHuman } from '../../core/messages/message.ts';
import type { State } from '../../core/state/state.ts';
import { fail } from '../../core/values/error.ts';
import { ordinal, toEntryId, type CheckpointId, type FrameId } from '../../core/values/id.ts';
import {
  endsOf,
  isWithin,
  joinedSpans,
  type PositionSpan,
  type Span,
} from '../../core/values/span.ts';
import type { LogEntry } from '../../llm/summarizer.ts';
import { sessionRange } from '../../store/key.ts';
import { readEntry, readLog } from '../journal/read-log.ts';
import { decodeRecord } from '../journal/state-codec.ts';
import type { SessionReader } from '../live/session-access.ts';
import { frameEntry } from './frames/frame-records.ts';
import { checkExpand, type ExpandOptions } from './recall-options.ts';

/**
 * The entries behind the references in a text, as they came in, in the order of the log: those a
 * checkpoint stands for (all of its range but what people typed, which no summary replaces), those of
 * a frame, entries and ranges, or what a marker points to; before them the frames themselves, each as
 * one text. Throws `ENTRY_NOT_FOUND`, `FRAME_NOT_FOUND`, `CHECKPOINT_NOT_FOUND`, and `OPTION_INVALID`
 * where the text holds no reference.
 */
export async function expand(
  session: SessionReader,
  ref: string,
  options: ExpandOptions,
): Promise<LogEntry[]> {
  checkExpand(ref, options);
  const { limit = Number.POSITIVE_INFINITY, signal } = options;
  signal?.throwIfAborted();
  const { id, state, store } = session;
  const behind = await spansBehind(session, ref, signal);
  const within = joinedSpans(behind.flatMap(({ spans }) => spans));
  const asked = behind.flatMap(({ type, spans }) => (type === 'checkpoint' ? [] : spans));
  const isMeant = (entry: LogEntry): boolean =>
    !isHuman(entry) || asked.some((span) => isWithin(span, ordinal(toEntryId(entry.id))));
  const found: LogEntry[] = [];
  for (const { frame } of behind)
    if (frame !== undefined && found.length < limit)
      found.push(await frameEntry({ state, store, counter: () => session.counter() }, frame));
  for await (const entry of readLog(store, id, { within, last: state.entryCount, signal })) {
    if (found.length >= limit) break;
    if (isMeant(entry)) found.push(entry);
  }
  return found;
}

/** Where the entries lie that a reference leads to. */
interface Behind {
  readonly type: Reference['type'];
  /** The frame that it is, if it is one. */
  readonly frame: FrameId | undefined;
  readonly spans: readonly PositionSpan[];
}

/** What each reference in a text leads to; throws as {@link expand} does. */
export async function spansBehind(
  session: SessionReader,
  ref: string,
  signal?: AbortSignal,
): Promise<readonly Behind[]> {
  const { references } = toReferring(ref);
  if (references.length === 0) throw noReference(ref);
  const state = await session.durableState();
  const { store } = session;
  return Promise.all(
    references.map(async (reference) => ({
      type: reference.type,
      frame: reference.type === 'frame' ? reference.frame : undefined,
      spans: await spansOfReference({ state, store }, reference, signal),
    })),
  );
}

/** The rows of a session, and a state of it that does not change under who reads them. */
type Reading = Pick<SessionReader, 'state' | 'store'>;

async function spansOfReference(
  { state, store }: Reading,
  reference: Reference,
  signal: AbortSignal | undefined,
): Promise<readonly PositionSpan[]> {
  if (reference.type === 'frame')
    return spansOf(state.frameRanges, frameOf(state.frames, reference.frame));
  if (reference.type === 'checkpoint') {
    const found = await findCheckpoint({ state, store }, reference.checkpoint, signal);
    return spansOfCheckpoint(state, found.frame, found.checkpoint);
  }
  const { from, to } = reference;
  if (ordinal(from) > state.entryCount)
    await readEntry(store, { session: state.session, last: state.entryCount }, from);
  return [[ordinal(from), Math.min(ordinal(to), state.entryCount)]];
}

function noReference(ref: string): Error {
  const label = ref.slice(0, 80);
  return fail(
    'OPTION_INVALID',
    `"${label}" leads nowhere; it takes an entry (e42), a range (e40-e52), a frame (f3) or a checkpoint (c2)`,
    { option: 'ref', value: label },
  );
}

/** Where the entries lie that a checkpoint stands for. */
export function spansOfCheckpoint(
  state: State,
  frame: FrameId,
  checkpoint: Span,
): readonly PositionSpan[] {
  const [from, to] = endsOf(checkpoint);
  return spansOf(state.frameRanges, frameOf(state.frames, frame))
    .map(([first, last]) => [Math.max(first, from), Math.min(last, to)] as const)
    .filter(([first, last]) => first <= last);
}

/** A checkpoint of an open frame or, else, of the journal; throws `CHECKPOINT_NOT_FOUND`. */
export async function findCheckpoint(
  { state, store }: Reading,
  id: CheckpointId,
  signal?: AbortSignal,
): Promise<FrameCheckpoint> {
  const inView = checkpointInView(state, id);
  if (inView !== undefined) return inView;
  const isMade = ordinal(id) > 0 && ordinal(id) <= state.checkpointCount;
  const walk = { reverse: true, ...(signal === undefined ? {} : { signal }) };
  const records = isMade ? store.range('journal', sessionRange(state.session, walk)) : [];
  for await (const [, value] of records) {
    for (const fact of decodeRecord(value).facts) {
      if (fact.type === 'checkpoint.created' && fact.checkpoint.id === id) return fact;
      if (fact.type === 'checkpoint.merged' && fact.into.id === id)
        return { frame: fact.frame, checkpoint: fact.into };
    }
  }
  throw fail('CHECKPOINT_NOT_FOUND', `There is no checkpoint "${id}"`, { checkpoint: id });
}
