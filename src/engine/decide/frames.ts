import { frameTable } from '../../../machines/lifecycle.ts';
import { fail } from '../../core/values/error.ts';
import { isClosed, type Frame, type Results } from '../../core/frames/frame.ts';
import { harvest } from '../../core/chronicle/harvest.ts';
import { frameId } from '../../core/values/id.ts';
import type { InputOf } from '../../core/state/input.ts';
import { embedded } from '../../core/budget/options.ts';
import type { State } from '../../core/state/state.ts';
import { cascade, frameOf, nextStatus } from '../../core/frames/tree.ts';
import { cancelCompression } from '../compression/compress.ts';
import {
  requestDigest,
  endDigestRequests,
  requestPartial,
  curesOf,
  digestLengths,
  humanQuotes,
  extractDigest,
  linesOfFrame,
  parkFrame,
  briefOf,
} from './frame-digest.ts';
import type { Draft } from '../step/draft.ts';
import {
  checkEntering,
  checkIdentity,
  checkChildOfActive,
  childrenToDrop,
  refusePop,
  refuseChildren,
} from './frame-rules.ts';

/** Makes a child of the active frame and enters it. */
export function push(draft: Draft, input: InputOf<'push'>): void {
  const identity = checkIdentity(draft, input.identity);
  const { active, frames } = draft.state;
  const frame = frameId(frames.length);
  checkEntering(draft, 'push');
  draft.record({
    type: 'frame.pushed',
    frame,
    parent: active,
    identity,
    partial: parkFrame(draft),
  });
  requestPartial(draft, active);
}

/** Makes a planned frame under any open or planned one. */
export function plan(draft: Draft, input: InputOf<'plan'>): void {
  const identity = checkIdentity(draft, input.identity);
  const { frames, active } = draft.state;
  const parent = frameOf(frames, input.parent ?? active);
  if (isClosed(parent)) refuseChildren(parent);
  draft.record({
    type: 'frame.planned',
    frame: frameId(frames.length),
    parent: parent.id,
    identity,
  });
}

/** Enters a planned or blocked child of the active frame. */
export function start(draft: Draft, input: InputOf<'start'>): void {
  const frame = frameOf(draft.state.frames, input.frame);
  nextStatus(frameTable, frame, 'frame.start');
  checkEntering(draft, 'start');
  checkChildOfActive(draft, frame);
  const { active } = draft.state;
  draft.record({ type: 'frame.started', frame: frame.id, partial: parkFrame(draft) });
  requestPartial(draft, active);
}

/** Changes the identity of a planned frame. */
export function edit(draft: Draft, input: InputOf<'edit'>): void {
  const frame = frameOf(draft.state.frames, input.frame);
  if (frame.status !== 'planned')
    throw fail(
      'FRAME_FROZEN',
      `Frame "${frame.title}" (${frame.id}) is ${frame.status}; only planned frames can be edited`,
      { frame: frame.id, status: frame.status },
    );
  const { title, criteria, brief } = frame;
  const patch = input.identity;
  const identity = checkIdentity(draft, {
    title: patch.title ?? title,
    criteria: patch.criteria ?? criteria,
    brief: patch.brief ?? (patch.criteria === undefined ? brief : ''),
  });
  draft.record({ type: 'frame.edited', frame: frame.id, identity });
}

const events = {
  completed: 'frame.complete',
  failed: 'frame.fail',
  blocked: 'frame.block',
} as const;

/** Leaves the active frame with its results, or closes a named blocked one as failed. */
export function pop(draft: Draft, input: InputOf<'pop'>): void {
  const { state } = draft;
  const frame = frameOf(state.frames, input.frame ?? state.active);
  const status = nextStatus(frameTable, frame, events[input.status]);
  if (frame.id !== state.active && frame.status !== 'blocked') refusePop(frame);
  if (frame.parent === null && status === 'blocked')
    throw fail('FRAME_STATUS', `The root (${frame.id}) cannot be blocked`, { frame: frame.id });
  const dropped = status === 'blocked' ? [] : childrenToDrop(draft, frame, input.drop);
  cancelCompression(draft, frame.id);
  for (const id of dropped)
    for (const below of cascade(state.frames, id, frameTable)) cancelCompression(draft, below.id);
  const view = state.views.get(frame.id);
  const quotes = view === undefined ? [] : humanQuotes(draft, view, dropped);
  const supplied = input.results !== null;
  const text =
    input.results ??
    extractDigest(draft, frame, { purpose: 'results', target: digestLengths.results });
  const results: Results = {
    text: draft.write(text),
    tokens: draft.count(text),
    brief: input.brief ?? briefOf(draft, text),
    ...harvest(input, () => linesOfFrame(draft, frame), {
      quotes,
      inView: view?.items[0]?.n ?? 0,
    }),
    ...curesOf(draft, frame),
    by: supplied ? 'host' : embedded,
  };
  draft.record({
    type: 'frame.popped',
    frame: frame.id,
    status,
    results,
    reason: status === 'completed' ? null : results.brief,
    dropped,
    quotes,
  });
  endDigestRequests(draft, draft.state.active, 'partial');
  if (!supplied && view !== undefined) requestDigest(draft, frame, 'results');
  else endDigestRequests(draft, frame.id, 'results');
}

/** Closes a frame and all that is open below it. */
export function invalidate(draft: Draft, input: InputOf<'invalidate'>): void {
  const { state } = draft;
  const frame = frameOf(state.frames, input.frame);
  if (frame.parent === null)
    throw fail('FRAME_STATUS', `The root (${frame.id}) cannot be invalidated`, { frame: frame.id });
  nextStatus(frameTable, frame, 'frame.invalidate');
  for (const { id } of withWork(state, cascade(state.frames, frame.id, frameTable))) {
    cancelCompression(draft, id);
    endDigestRequests(draft, id, 'partial');
    endDigestRequests(draft, id, 'results');
  }
  draft.record({ type: 'frame.invalidated', frame: frame.id, reason: input.reason });
  endDigestRequests(draft, draft.state.active, 'partial');
}

/** The frames that have a view or wait for a summarizer: of ten thousand planned ones, none. */
function withWork({ views, outbox }: State, frames: readonly Frame[]): readonly Frame[] {
  const waiting = new Set([...outbox.values()].map((effect) => effect.frame));
  return frames.filter(({ id }) => views.has(id) || waiting.has(id));
}

/** Enters a new sibling of a failed child of the active frame. */
export function retry(draft: Draft, input: InputOf<'retry'>): void {
  const failed = frameOf(draft.state.frames, input.frame);
  if (failed.status !== 'failed')
    throw fail(
      'FRAME_STATUS',
      `Frame "${failed.title}" (${failed.id}) is ${failed.status}; only failed frames can be retried`,
      { frame: failed.id, status: failed.status },
    );
  checkEntering(draft, 'retry');
  checkChildOfActive(draft, failed);
  const { active, frames } = draft.state;
  const frame = frameId(frames.length);
  draft.record({ type: 'frame.retried', frame, of: failed.id, partial: parkFrame(draft) });
  requestPartial(draft, active);
}
