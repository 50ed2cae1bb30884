import { frameTable } from '../../machines/frame-table.ts';
import { fail } from '../core/error.ts';
import type { Digest, Frame, Identity, Results } from '../core/frame.ts';
import { factsOf } from '../core/facts.ts';
import { harvest } from '../core/harvest.ts';
import { entryId, frameId, type FrameId } from '../core/id.ts';
import type { Fact, Input } from '../core/journal.ts';
import { sightings } from '../core/ledger.ts';
import { embedded } from '../core/options.ts';
import { cutTo } from '../core/shorten.ts';
import { cascade, childrenLeft, frameOf, nextStatus, path } from '../core/tree.ts';
import type { Quote, View } from '../core/view.ts';
import { cancelCompression } from './compress.ts';
import type { Draft } from './draft.ts';
import { quotesFrom } from './raise.ts';

type InputOf<Type extends Input['type']> = Extract<Input, { type: Type }>;

/** Lengths in tokens: a title at most, a brief made from longer text, a partial result, harvested results. */
export const frameLengths = { title: 30, brief: 60, partial: 300, results: 600 } as const;

/** Makes a child of the active frame and enters it. */
export function push(draft: Draft, input: InputOf<'push'>): void {
  const identity = checkIdentity(draft, input.identity);
  const { active, frames } = draft.state;
  const frame = frameId(frames.length);
  takesChildren(draft, active);
  draft.tell({ type: 'frame.pushed', frame, parent: active, identity, partial: setAside(draft) });
  describePartial(draft, active);
}

/** Makes a planned frame under any open or planned one. */
export function plan(draft: Draft, input: InputOf<'plan'>): void {
  const identity = checkIdentity(draft, input.identity);
  const { frames, active } = draft.state;
  const parent = frameOf(frames, input.parent ?? active).id;
  takesChildren(draft, parent);
  draft.tell({ type: 'frame.planned', frame: frameId(frames.length), parent, identity });
}

/** Enters a planned or blocked child of the active frame. */
export function start(draft: Draft, input: InputOf<'start'>): void {
  const frame = frameOf(draft.state.frames, input.frame);
  nextStatus(frameTable, frame, 'frame.start');
  childOfActive(draft, frame);
  const { active } = draft.state;
  draft.tell({ type: 'frame.started', frame: frame.id, partial: setAside(draft) });
  describePartial(draft, active);
}

/** Changes the identity of a planned frame. */
export function edit(draft: Draft, input: InputOf<'edit'>): void {
  const frame = frameOf(draft.state.frames, input.frame);
  if (frame.status !== 'planned')
    throw fail(
      'FRAME_FROZEN',
      `Frame "${frame.title}" (${frame.id}) is ${frame.status}; only planned frames can be edited`,
      {
        frame: frame.id,
        status: frame.status,
      },
    );
  const { title, criteria, brief } = frame;
  const patch = input.identity;
  const identity = checkIdentity(draft, {
    title: patch.title ?? title,
    criteria: patch.criteria ?? criteria,
    brief: patch.brief ?? (patch.criteria === undefined ? brief : ''),
  });
  draft.tell({ type: 'frame.edited', frame: frame.id, identity });
}

/** Leaves the active frame with its results, or closes a named blocked one as failed. */
export function pop(draft: Draft, input: InputOf<'pop'>): void {
  const { state } = draft;
  const frame = frameOf(state.frames, input.frame ?? state.active);
  const event = {
    completed: 'frame.complete',
    failed: 'frame.fail',
    blocked: 'frame.block',
  } as const;
  const status = nextStatus(frameTable, frame, event[input.status]);
  if (frame.id !== state.active && frame.status !== 'blocked') notActive(frame);
  if (frame.parent === null && status === 'blocked')
    throw fail('FRAME_STATUS', `The root (${frame.id}) cannot be blocked`, { frame: frame.id });
  const dropped = status === 'blocked' ? [] : droppable(draft, frame, input.drop);
  cancelCompression(draft, frame.id);
  for (const id of dropped)
    for (const below of cascade(state.frames, id)) cancelCompression(draft, below.id);
  const view = state.views.get(frame.id);
  const supplied = input.results !== null;
  const text =
    input.results ??
    harvestFrame(draft, frame, { purpose: 'results', target: frameLengths.results });
  const results: Results = {
    text: draft.write(text),
    brief: input.brief ?? shortOf(draft, text),
    artifacts: input.artifacts,
    decisions: input.decisions,
    by: supplied ? 'host' : embedded,
  };
  draft.tell(...feedOf(draft, view), {
    type: 'frame.popped',
    frame: frame.id,
    status,
    results,
    reason: status === 'completed' ? null : results.brief,
    dropped,
    quotes: status === 'blocked' || view === undefined ? [] : directivesIn(draft, view),
  });
  endAsked(draft, draft.state.active, 'partial');
  if (!supplied && view !== undefined) ask(draft, frame, 'results');
  else endAsked(draft, frame.id, 'results');
}

/** Closes a frame and all that is open below it. */
export function invalidate(draft: Draft, input: InputOf<'invalidate'>): void {
  const { state } = draft;
  const frame = frameOf(state.frames, input.frame);
  if (frame.parent === null)
    throw fail('FRAME_STATUS', `The root (${frame.id}) cannot be invalidated`, { frame: frame.id });
  nextStatus(frameTable, frame, 'frame.invalidate');
  for (const fallen of cascade(state.frames, frame.id)) {
    cancelCompression(draft, fallen.id);
    endAsked(draft, fallen.id, 'partial');
    endAsked(draft, fallen.id, 'results');
    draft.tell(...feedOf(draft, state.views.get(fallen.id)));
  }
  draft.tell({ type: 'frame.invalidated', frame: frame.id, reason: input.reason });
  endAsked(draft, draft.state.active, 'partial');
}

/** Enters a new sibling of a failed child of the active frame. */
export function retry(draft: Draft, input: InputOf<'retry'>): void {
  const failed = frameOf(draft.state.frames, input.frame);
  if (failed.status !== 'failed')
    throw fail(
      'FRAME_STATUS',
      `Frame "${failed.title}" (${failed.id}) is ${failed.status}; only failed frames can be retried`,
      {
        frame: failed.id,
        status: failed.status,
      },
    );
  childOfActive(draft, failed);
  const { active, frames } = draft.state;
  const frame = frameId(frames.length);
  draft.tell({ type: 'frame.retried', frame, of: failed.id, partial: setAside(draft) });
  describePartial(draft, active);
}

/** Takes a model's text in place of a harvested one, if it still has a place. */
export function describe(
  draft: Draft,
  given: { frame: FrameId; part: 'partial' | 'results'; text: string; by: string },
): void {
  const frame = frameOf(draft.state.frames, given.frame);
  if (given.part === 'partial' ? frame.partial === null : frame.results === null) return;
  const text = cutTo(given.text.trim(), frameLengths[given.part], draft.count);
  if (text === '') return;
  draft.tell({
    type: 'frame.described',
    frame: frame.id,
    part: given.part,
    text: draft.write(text),
    brief: shortOf(draft, text),
    tokens: draft.count(text),
    by: given.by,
  });
}

function checkIdentity(draft: Draft, identity: Identity): Identity {
  const tokens = draft.count(identity.title);
  if (identity.title.trim() === '' || tokens > frameLengths.title)
    throw fail(
      'FRAME_TITLE_TOO_LONG',
      `A frame's title has 1 to ${frameLengths.title} tokens; "${identity.title.slice(0, 60)}" has ${tokens}`,
      {
        title: identity.title.slice(0, 200),
        tokens,
        most: frameLengths.title,
      },
    );
  return {
    ...identity,
    brief: identity.brief === '' ? shortOf(draft, identity.criteria) : identity.brief,
  };
}

function takesChildren(draft: Draft, id: FrameId): void {
  const frame = frameOf(draft.state.frames, id);
  if (frame.status === 'planned' || frame.status === 'in_progress' || frame.status === 'blocked')
    return;
  throw fail(
    'FRAME_CLOSED',
    `Frame "${frame.title}" (${frame.id}) is ${frame.status} and takes no children`,
    {
      frame: frame.id,
      status: frame.status,
    },
  );
}

function childOfActive(draft: Draft, frame: Frame): void {
  const { active } = draft.state;
  takesChildren(draft, active);
  if (frame.parent === active) return;
  throw fail(
    'FRAME_STATUS',
    `Frame "${frame.title}" (${frame.id}) is no child of the active frame ${active}`,
    {
      frame: frame.id,
      active,
    },
  );
}

function notActive(frame: Frame): never {
  throw fail('FRAME_STATUS', `Frame "${frame.title}" (${frame.id}) is neither active nor blocked`, {
    frame: frame.id,
    status: frame.status,
  });
}

function droppable(draft: Draft, frame: Frame, drop: boolean): readonly FrameId[] {
  const left = childrenLeft(draft.state.frames, frame);
  if (left.length > 0 && !drop)
    throw fail(
      'FRAME_CHILDREN_LEFT',
      `Frame "${frame.title}" (${frame.id}) has open work left: ${left.map(({ id, title, status }) => `${title} (${id}, ${status})`).join(', ')}`,
      {
        frame: frame.id,
        children: left.map(({ id, title, status }) => ({ id, title, status })),
      },
    );
  return left.map(({ id }) => id);
}

/** Sets the working part of the active frame aside behind a harvested partial result. */
function setAside(draft: Draft): Digest | null {
  const frame = frameOf(draft.state.frames, draft.state.active);
  const view = draft.state.views.get(frame.id);
  const first = frame.spans[0]?.[0];
  const last = frame.spans.at(-1)?.[1];
  if (view === undefined || first === undefined || last === undefined) return null;
  draft.tell(...feedOf(draft, view));
  const text = harvestFrame(draft, frame, { purpose: 'partial', target: frameLengths.partial });
  return {
    text: draft.write(text),
    tokens: draft.count(text),
    from: entryId(first),
    to: entryId(last),
    by: embedded,
  };
}

function harvestFrame(
  draft: Draft,
  frame: Frame,
  given: { purpose: 'partial' | 'results'; target: number },
): string {
  const view = draft.state.views.get(frame.id);
  if (view === undefined) return '';
  return harvest({
    ...given,
    entries: messagesOf(draft, view).map(({ n, message }) => ({ id: entryId(n), message })),
    text: view.checkpoints
      .map(({ text }) => draft.bodies.text(text))
      .filter((text) => text !== '')
      .join('\n'),
    count: draft.count,
  });
}

function messagesOf(draft: Draft, view: View) {
  return view.items
    .filter(({ form }) => form !== 'closing')
    .map(({ n }) => ({ n, message: draft.bodies.message(n) }));
}

/** What the items of a view name, for the ledger. */
function feedOf(draft: Draft, view: View | undefined): readonly Fact[] {
  if (view === undefined) return [];
  const entries = messagesOf(draft, view).filter(({ message }) => factsOf(message).size > 0);
  return entries.length === 0 ? [] : [{ type: 'ledger.fed', sightings: sightings(entries) }];
}

/** What people said in a frame that goes on to bind its parent. */
function directivesIn(draft: Draft, view: View): readonly Quote[] {
  const human = [
    ...view.human.map(({ n }) => n),
    ...view.items.filter((item) => item.human).map(({ n }) => n),
  ];
  return [...view.quotes, ...human.flatMap((n) => quotesFrom(draft, n))];
}

function shortOf(draft: Draft, text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = cutTo(line, frameLengths.brief, draft.count);
  return short === line ? line : `${cutTo(line, frameLengths.brief - 2, draft.count).trimEnd()}…`;
}

function describePartial(draft: Draft, id: FrameId): void {
  const frame = frameOf(draft.state.frames, id);
  if (frame.partial !== null && path(draft.state.frames, draft.state.active).includes(frame))
    ask(draft, frame, 'partial');
}

/** Gives up what was asked of the summarizer about a frame: its answer would stand for less than there is by now. */
function endAsked(draft: Draft, frame: FrameId, part: 'partial' | 'results'): void {
  for (const [key, effect] of draft.state.outbox)
    if (effect.frame === frame && effect.purpose === part)
      draft.tell({ type: 'effect.ended', key });
}

/** Asks the summarizer for a better text than the harvested one. */
function ask(draft: Draft, frame: Frame, part: 'partial' | 'results'): void {
  endAsked(draft, frame.id, part);
  const first = frame.spans[0]?.[0];
  const last = frame.spans.at(-1)?.[1];
  if (draft.state.options.summarizer === embedded || first === undefined || last === undefined)
    return;
  draft.tell({
    type: 'effect.requested',
    key: `${draft.state.seq + 1}/${frame.id}/${part}`,
    effect: {
      purpose: part,
      frame: frame.id,
      from: entryId(first),
      to: entryId(last),
      target: frameLengths[part],
      strict: false,
      attempt: 0,
      focus: '',
      texts: [],
    },
  });
}
