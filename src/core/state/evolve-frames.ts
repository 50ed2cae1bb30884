import type { Digest, Frame } from '../frames/frame.ts';
import type { FrameId } from '../values/id.ts';
import { forgetRecovered } from './evolve-recovery.ts';
import type { Evolution, FactOf, FrameFact } from './fact.ts';
import { withText, type State } from './state.ts';
import { enteredStatus, nextState, type Lifecycles } from '../frames/lifecycle.ts';
import { boundQuotes, changeView, openView } from './evolve-entries.ts';
import { cascade, change, frameOf, grow, nearestLiving, path } from '../frames/tree.ts';
import { saidIn, type Quote } from './view.ts';

/** How the state changes with facts about frames. */
export const frameEvolution: Evolution<FrameFact> = {
  'frame.pushed': (state, fact, lifecycles) =>
    withText(pushFrame(state, fact, lifecycles), fact.partial?.text),
  'frame.planned': planFrame,
  'frame.started': (state, fact, lifecycles) =>
    withText(startFrame(state, fact, lifecycles), fact.partial?.text),
  'frame.edited': editFrame,
  'frame.popped': (state, fact, lifecycles) =>
    withText(popFrame(forgetRecovered(state), fact, lifecycles), fact.results.text),
  'frame.invalidated': invalidateFrame,
  'frame.retried': (state, fact, lifecycles) =>
    withText(retryFrame(state, fact, lifecycles), fact.partial?.text),
  'frame.described': (state, fact) => withText(describeFrame(state, fact), fact.text),
};

/** Makes a child of the active frame and enters it. */
function pushFrame(state: State, fact: FactOf<'frame.pushed'>, lifecycles: Lifecycles): State {
  const parked = park(state, fact.partial);
  const frames = grow(parked.frames, {
    parent: fact.parent,
    identity: fact.identity,
    status: enteredStatus(lifecycles),
  });
  return openView({ ...parked, frames, active: fact.frame }, fact.frame);
}

/** Makes a planned frame. */
function planFrame(
  state: State,
  { parent, identity }: FactOf<'frame.planned'>,
  { frame }: Lifecycles,
): State {
  const frames = grow(state.frames, { parent, identity, status: frame.initial });
  return { ...state, frames };
}

/** Enters a planned or blocked child. */
function startFrame(state: State, fact: FactOf<'frame.started'>, lifecycles: Lifecycles): State {
  const parked = park(state, fact.partial);
  const frame = frameOf(parked.frames, fact.frame);
  const status = nextState(lifecycles.frame, frame.status, 'frame.start');
  const frames = change(parked.frames, [{ ...frame, status }]);
  const next = withdraw({ ...parked, frames, active: fact.frame }, fact.frame);
  return next.views.has(fact.frame) ? next : openView(next, fact.frame);
}

/** Enters a new sibling of a failed frame. */
function retryFrame(state: State, fact: FactOf<'frame.retried'>, lifecycles: Lifecycles): State {
  const parked = park(state, fact.partial);
  const failed = frameOf(parked.frames, fact.of);
  const frames = grow(parked.frames, {
    parent: failed.parent,
    identity: failed,
    status: enteredStatus(lifecycles),
    retryOf: fact.of,
  });
  return openView({ ...parked, frames, active: fact.frame }, fact.frame);
}

/** Changes the identity of a planned frame. */
function editFrame(state: State, fact: FactOf<'frame.edited'>): State {
  const frame: Frame = { ...frameOf(state.frames, fact.frame), ...fact.identity };
  return { ...state, frames: change(state.frames, [frame]) };
}

/** Leaves a frame with its results, or sets it aside as blocked. */
function popFrame(state: State, fact: FactOf<'frame.popped'>, lifecycles: Lifecycles): State {
  const frame = frameOf(state.frames, fact.frame);
  const dropped = fact.dropped.flatMap((id) => cascade(state.frames, id, lifecycles.frame.next));
  const closed: Frame = {
    ...frame,
    status: fact.status,
    results: fact.results,
    reason: fact.reason,
    partial: null,
  };
  const frames = change(state.frames, [...dropped, closed]);
  const next = {
    ...fact.dropped.reduce(withdraw, state),
    frames:
      frame.parent === null || state.active !== fact.frame ? frames : unpark(frames, frame.parent),
    active: state.active === fact.frame ? (frame.parent ?? fact.frame) : state.active,
  };
  const views = new Map(next.views);
  for (const { id } of dropped) views.delete(id);
  if (fact.status !== 'blocked') views.delete(fact.frame);
  return bind({ ...next, views }, frame.parent, fact.quotes);
}

/** Closes a frame and everything open below it. */
function invalidateFrame(
  state: State,
  fact: FactOf<'frame.invalidated'>,
  lifecycles: Lifecycles,
): State {
  const fallen = cascade(state.frames, fact.frame, lifecycles.frame.next).map((frame) =>
    frame.id === fact.frame ? { ...frame, reason: fact.reason } : frame,
  );
  const frames = change(state.frames, fallen);
  const views = new Map(withdraw(state, fact.frame).views);
  for (const { id } of fallen) views.delete(id);
  const active = nearestLiving(frames, state.active);
  return { ...state, frames: unpark(frames, active), views, active };
}

/** Puts a model's text in place of the one made of lines. */
function describeFrame(state: State, fact: FactOf<'frame.described'>): State {
  const frame = frameOf(state.frames, fact.frame);
  const { text, brief, by, tokens } = fact;
  if (fact.part === 'partial' && frame.partial !== null) {
    const partial: Digest = { ...frame.partial, text, tokens, brief, by };
    return { ...state, frames: change(state.frames, [{ ...frame, partial }]) };
  }
  if (fact.part === 'results' && frame.results !== null) {
    const results = { ...frame.results, text, tokens, brief, by };
    return { ...state, frames: change(state.frames, [{ ...frame, results }]) };
  }
  return state;
}

/** Sets the active frame's working part aside behind a partial result. */
function park(state: State, partial: Digest | null): State {
  const frame = frameOf(state.frames, state.active);
  return { ...state, frames: change(state.frames, [{ ...frame, partial }]) };
}

/** Brings the working part of a frame back. */
function unpark(frames: State['frames'], id: FrameId): State['frames'] {
  const frame = frameOf(frames, id);
  return frame.partial === null ? frames : change(frames, [{ ...frame, partial: null }]);
}

/** Hands directives of a frame that was left on to its parent, in place of those that it handed on before. */
function bind(state: State, parent: FrameId | null, quotes: readonly Quote[]): State {
  if (parent === null || quotes.length === 0) return state;
  const again = new Set(quotes.map(({ n }) => n));
  return changeView(state, parent, (view) => ({
    ...view,
    quotes: boundQuotes([...view.quotes.filter(({ n }) => !again.has(n)), ...quotes]),
  }));
}

/** Takes back what a blocked frame handed on: it says so itself again, or binds nobody any more. */
function withdraw(state: State, id: FrameId): State {
  const said = new Set(saidIn(state.views.get(id)));
  if (said.size === 0) return state;
  const above = path(state.frames, id).slice(0, -1);
  return above.reduce(
    (next, frame) =>
      changeView(next, frame.id, (view) =>
        view.quotes.some(({ n }) => said.has(n))
          ? { ...view, quotes: view.quotes.filter(({ n }) => !said.has(n)) }
          : view,
      ),
    state,
  );
}
