import type { Frame } from '../../../core/frames/frame.ts';
import { frameText, isTelling } from '../../../core/frames/frame-text.ts';
import { frameOf } from '../../../core/frames/tree.ts';
import type { Message } from '../../../core/messages/message.ts';
import type { SearchedSegment } from '../../../core/search/rank.ts';
import type { State } from '../../../core/state/state.ts';
import { frameId, ordinal, type FrameId } from '../../../core/values/id.ts';
import type { LogEntry } from '../../../llm/summarizer.ts';
import { framesChange } from '../../../store/search/frames-row.ts';
import { entryKey, textKey } from '../../../store/key.ts';
import { Tail } from '../../../store/search/search-tail.ts';
import type { RecordStore } from '../../../store/store.ts';
import type { EntryRow } from '../../journal/load.ts';
import { nextTurn } from '../../live/next-turn.ts';
import type { SessionReader } from '../../live/session-access.ts';
import type { FrameRecords } from '../recall-filter.ts';
import { searchedTail } from '../searched-tail.ts';

// Frames are found like entries: what their results, criteria, decisions and
// artifacts say is ranked beside the log, as if each frame were one more entry
// behind the last. They are few beside entries and change seldom, so they are read
// when somebody searches, and kept by chunk of the tree.

/** A session of which frames are read, in a state that is durable. */
interface Reading {
  readonly state: Pick<State, 'session' | 'created' | 'frames'>;
  readonly store: RecordStore;
}

/** Most chunks of the tree that are searched, the newest: some two thousand frames. */
const mostChunks = 64;

/** Frames of a chunk. */
const width = 32;

/** The position of frame 0 behind entry `upTo`, so that none is the neighbor of a frame. */
export const firstBehind = (upTo: number): number => upTo + 2;

/** The frames of a session for a search, or some of them, behind entry `upTo`. */
export function frameRecords(
  session: Reading,
  upTo: number,
  only?: ReadonlySet<FrameId>,
): FrameRecords {
  const { frames } = session.state;
  const first = firstBehind(upTo);
  return {
    async find(terms) {
      const chunks = frames.chunks.map((chunk, index) => ({ chunk, from: first + index * width }));
      const meant = chunks
        .slice(-mostChunks)
        .filter(({ chunk }) => chunk.some((one) => isTelling(one) && (only?.has(one.id) ?? true)));
      const found: SearchedSegment[] = [];
      for (const { chunk, from } of meant)
        found.push(searchedTail(await tailOf(session, chunk), terms, from));
      return found;
    },
    isMeant: (n) => only?.has(frameId(n - first)) ?? true,
    async read(n) {
      const id = frameId(n - first);
      return { entry: id, role: 'frame', frame: id, ...(await recordOf(session, id)) };
    },
  };
}

/** A frame as an entry: its text as machine text, at the time of its last entry. */
export async function frameEntry(
  session: Pick<SessionReader, 'state' | 'store' | 'counter'>,
  id: FrameId,
): Promise<LogEntry> {
  const { message, at } = await recordOf(session, id);
  const { count } = await session.counter();
  return { ...message, id, frame: id, at, tokens: count(message.content) };
}

/** The text of a frame as a message, and the time of its last entry. */
async function recordOf(
  { state, store }: Reading,
  id: FrameId,
): Promise<{ readonly message: Message & { readonly content: string }; readonly at: number }> {
  const frame = frameOf(state.frames, id);
  const [results] = await resultsOf({ state, store }, [frame]);
  const content = frameText(frame, results!);
  const key = frame.span === null ? null : entryKey(state.session, frame.span[1]);
  const row = key === null ? undefined : await store.get('entry', key);
  const at = (row as EntryRow | undefined)?.at ?? state.created;
  return { message: { role: 'user', origin: 'machine', content }, at };
}

/** The results of frames in full; '' of those without any. */
async function resultsOf(
  { state, store }: Reading,
  frames: readonly Frame[],
): Promise<readonly string[]> {
  const texts = frames.flatMap(({ results }) => (results === null ? [] : [results.text]));
  const keys = texts.map((id) => textKey(state.session, ordinal(id)));
  const rows = keys.length === 0 ? [] : await store.getMany('text', keys);
  const found = new Map(texts.map((id, index) => [id, rows[index] as string]));
  return frames.map(({ results }) => (results === null ? '' : found.get(results.text)!));
}

const tails = new WeakMap<readonly Frame[], Tail>();

/** The terms of a chunk of frames. */
async function tailOf(session: Reading, chunk: readonly Frame[]): Promise<Tail> {
  const known = tails.get(chunk);
  if (known !== undefined) return known;
  const tail = new Tail(1);
  await addFrames(tail, session, chunk);
  tails.set(chunk, tail);
  return tail;
}

/** Adds frames as entries; those that say nothing have no term. */
async function addFrames(tail: Tail, session: Reading, chunk: readonly Frame[]): Promise<void> {
  const results = await resultsOf(session, chunk);
  chunk.forEach((frame, index) => {
    const content = isTelling(frame) ? frameText(frame, results[index]!) : '';
    const pieces = tail.add({ at: Number.NaN, message: { role: 'user', content } });
    while (pieces.next().done !== true);
  });
  await nextTurn();
}

/** Writes what the frames of a session say that is let go of, where any says something and nobody else may be reading. */
export async function packFrames(
  { session, created, seq, frames }: State,
  store: RecordStore,
): Promise<void> {
  const chunks = frames.chunks.slice(-mostChunks);
  if (store.isShared === true || !chunks.some((chunk) => chunk.some(isTelling))) return;
  const tail = new Tail(1);
  for (const chunk of chunks)
    await addFrames(tail, { state: { session, created, frames }, store }, chunk);
  const from = (frames.chunks.length - chunks.length) * width;
  const change = framesChange({ session, created, seq }, from, tail);
  await store.commit([change], { of: { session, born: created } });
}
