import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { createActor, type ActorRefFrom } from 'xstate';
import { frameMachine } from '../../machines/frame.ts';
import type { FrameEvent } from '../../src/core/frames/frame.ts';
import { isEngineError, openStore, type FrameNode, type Session } from '../../src/index.ts';

// The model is slow and obvious: one live actor of the frame machine per frame,
// and the rules of the tree written once more, by hand. The engine must agree
// with it after every command, refused ones included.

interface Known {
  readonly id: string;
  readonly parent: Known | null;
  readonly actor: ActorRefFrom<typeof frameMachine>;
}

interface Model {
  readonly frames: Known[];
  active: Known;
}

const statusOf = (frame: Known): string => frame.actor.getSnapshot().value;
const can = (frame: Known, type: FrameEvent): boolean => frame.actor.getSnapshot().can({ type });
const childrenOf = (model: Model, frame: Known): Known[] =>
  model.frames.filter(({ parent }) => parent === frame);
const open = ['planned', 'in_progress', 'blocked'];

function add(model: Model, parent: Known | null, entered: boolean): Known {
  const actor = createActor(frameMachine).start();
  if (entered) actor.send({ type: 'frame.start' });
  const frame = { id: `f${model.frames.length}`, parent, actor };
  model.frames.push(frame);
  return frame;
}

function fell(model: Model, frame: Known): void {
  if (can(frame, 'frame.invalidate')) frame.actor.send({ type: 'frame.invalidate' });
  childrenOf(model, frame).forEach((child) => fell(model, child));
}

function nearest(frame: Known): Known {
  return statusOf(frame) === 'in_progress' || frame.parent === null ? frame : nearest(frame.parent);
}

/** What a command does to the model; null where it must be refused. */
type Effect = (model: Model) => (() => void) | null;

interface Step {
  readonly name: string;
  readonly effect: Effect;
  readonly run: (session: Session, model: Model) => Promise<unknown>;
}

const pick = (model: Model, at: number): Known => model.frames[at % model.frames.length]!;

const push: Step = {
  name: 'push',
  effect: (model) => {
    if (statusOf(model.active) !== 'in_progress') return null;
    return () => (model.active = add(model, model.active, true));
  },
  run: (session) => session.push({ title: 'pushed' }),
};

const plan = (at: number): Step => ({
  name: `plan(${at})`,
  effect: (model) => {
    const parent = pick(model, at);
    return open.includes(statusOf(parent)) ? () => void add(model, parent, false) : null;
  },
  run: (session, model) => session.frames.plan({ title: 'planned', parent: pick(model, at).id }),
});

const start = (at: number): Step => ({
  name: `start(${at})`,
  effect: (model) => {
    const frame = pick(model, at);
    if (!can(frame, 'frame.start') || frame.parent !== model.active) return null;
    return () => {
      frame.actor.send({ type: 'frame.start' });
      model.active = frame;
    };
  },
  run: (session, model) => session.frames.start(pick(model, at).id),
});

const events = {
  completed: 'frame.complete',
  failed: 'frame.fail',
  blocked: 'frame.block',
} as const;

const pop = (status: keyof typeof events, drop: boolean): Step => ({
  name: `pop(${status}, ${drop})`,
  effect: (model) => {
    const frame = model.active;
    if (!can(frame, events[status])) return null;
    if (frame.parent === null && status === 'blocked') return null;
    const left = childrenOf(model, frame).filter((child) => open.includes(statusOf(child)));
    if (status !== 'blocked' && left.length > 0 && !drop) return null;
    return () => {
      if (status !== 'blocked') left.forEach((child) => fell(model, child));
      frame.actor.send({ type: events[status] });
      model.active = frame.parent ?? frame;
    };
  },
  run: (session) => session.pop({ status, drop, results: 'left' }),
});

const close = (at: number): Step => ({
  name: `close(${at})`,
  effect: (model) => {
    const frame = pick(model, at);
    if (statusOf(frame) !== 'blocked') return null;
    return () => {
      childrenOf(model, frame).forEach((child) => fell(model, child));
      frame.actor.send({ type: 'frame.fail' });
    };
  },
  run: (session, model) => {
    const frame = pick(model, at);
    // An active frame is what a pop without a name leaves; that is another command.
    if (statusOf(frame) === 'in_progress') return Promise.reject(new Error('not this command'));
    return session.pop({ frame: frame.id, status: 'failed', drop: true, results: 'closed' });
  },
});

const invalidate = (at: number): Step => ({
  name: `invalidate(${at})`,
  effect: (model) => {
    const frame = pick(model, at);
    if (frame.parent === null || !can(frame, 'frame.invalidate')) return null;
    return () => {
      fell(model, frame);
      model.active = nearest(model.active);
    };
  },
  run: (session, model) => session.frames.invalidate(pick(model, at).id, 'no longer'),
});

const retry = (at: number): Step => ({
  name: `retry(${at})`,
  effect: (model) => {
    const frame = pick(model, at);
    if (statusOf(model.active) !== 'in_progress') return null;
    if (statusOf(frame) !== 'failed' || frame.parent !== model.active) return null;
    return () => (model.active = add(model, frame.parent, true));
  },
  run: (session, model) => session.frames.retry(pick(model, at).id),
});

const toCommand = (step: Step): fc.AsyncCommand<Model, Session> => ({
  check: () => true,
  toString: () => step.name,
  async run(model, session) {
    const before = session.state.seq;
    const effect = step.effect(model);
    const refused = await step.run(session, model).then(
      () => false,
      (error: unknown) => isEngineError(error) || (error as Error).message === 'not this command',
    );
    expect(refused).toBe(effect === null);
    if (effect === null) expect(session.state.seq).toBe(before);
    else effect();
    agree(model, session);
  },
});

function agree(model: Model, session: Session): void {
  const seen = new Map<string, string>();
  const walk = (node: FrameNode, closed: boolean): void => {
    seen.set(node.id, node.status);
    if (closed) expect(open).not.toContain(node.status);
    node.children.forEach((child) => walk(child, closed || !open.includes(node.status)));
  };
  walk(session.frames.tree(), false);
  expect([...seen.values()]).toHaveLength(model.frames.length);
  for (const frame of model.frames) expect(seen.get(frame.id)).toBe(statusOf(frame));
  expect(session.state.active).toBe(model.active.id);
}

test('the tree agrees with one live actor per frame, whatever is asked of it', async () => {
  const at = fc.nat(15);
  const steps = [
    fc.constant(push),
    at.map(plan),
    at.map(start),
    fc
      .tuple(fc.constantFrom('completed', 'failed', 'blocked'), fc.boolean())
      .map(([status, drop]) => pop(status, drop)),
    at.map(close),
    at.map(invalidate),
    at.map(retry),
  ].map((step) => step.map(toCommand));
  const store = await openStore(':memory:');
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: '+1' }), async (commands) => {
      run += 1;
      const session = await store.open(`s${run}`, { window: 8_000 });
      const model: Model = { frames: [], active: null as never };
      model.active = add(model, null, true);
      await fc.asyncModelRun(() => ({ model, real: session }), commands);
    }),
    { numRuns: draws(150) },
  );
});
