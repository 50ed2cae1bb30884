import { SimulatedClock } from 'xstate';
import { afterEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../../src/core/values/error.ts';
import type { Input } from '../../../src/core/state/input.ts';
import { LiveSession } from '../../../src/engine/live/live-session.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import type { Session, SessionFact, Store } from '../../../src/index.ts';
import { openMemoryStore } from '../../../src/store/level/level-store.ts';
import type { RecordStore } from '../../../src/store/store.ts';
import {
  honest,
  scriptedSummarizer,
  type Behavior,
  type ScriptedSummarizer,
} from '../../../src/testing/scripted-summarizer.ts';
import { isOver, pass, quiet, until } from '../turn.ts';

// What a timer or an effect brings cannot be taken in: somebody is told, and nobody waits for ever.

afterEach(() => vi.restoreAllMocks());

interface Stage {
  readonly store: Store;
  readonly clock: SimulatedClock;
  readonly session: Session;
  readonly facts: SessionFact[];
  readonly summarizer: ScriptedSummarizer;
  /** What each write is refused with; empty where it is written. */
  readonly refusals: Error[];
}

/** A session whose summarizer was asked once, and does what it is told. */
async function stage(...moods: Behavior[]): Promise<Stage> {
  const clock = new SimulatedClock();
  const records = await openMemoryStore();
  const summarizer = scriptedSummarizer(moods, { clock });
  const facts: SessionFact[] = [];
  const refusals: Error[] = [];
  const open: RecordStore = {
    ...records,
    commit: (changes, options) =>
      refusals.length === 0 ? records.commit(changes, options) : Promise.reject(refusals[0]!),
  };
  const store = await openOver(open, { clock });
  const session = await store.open('s', { window: 2_000, summarizer });
  session.on('*', (fact) => facts.push(fact));
  for (let n = 0; n < 60 && summarizer.calls.length === 0; n += 1) {
    await session.append({ role: 'assistant', content: `Read src/part${n}.ts. `.repeat(12) });
    await quiet();
  }
  return { store, clock, session, facts, summarizer, refusals };
}

const unavailable = (retryable: boolean): Error =>
  new EngineError('STORE_UNAVAILABLE', 'The store is away', {
    detail: { location: 'notes' },
    retryable,
  });

const types = (facts: readonly SessionFact[]): string[] => facts.map(({ type }) => type);

const said = (session: Session): Promise<unknown> =>
  session.append({ role: 'user', content: 'Go on' });

/** The rest of a wait that a failed call leads to. */
async function wait({ clock }: Stage): Promise<void> {
  clock.increment(1_000);
  await quiet();
}

/** Makes each step with an input of these types throw. */
function breakSteps(...broken: readonly Input['type'][]): void {
  const real = LiveSession.prototype.stepInParts;
  vi.spyOn(LiveSession.prototype, 'stepInParts').mockImplementation(function (
    this: LiveSession,
    input,
    options,
  ) {
    if (broken.includes(input.type)) throw new TypeError(`No step for ${input.type}`);
    return real.call(this, input, options);
  });
}

test('a store that fails for good when a timer fires is told to the next command, and to who waits', async () => {
  const staged = await stage({ fail: 'busy' });
  const { session, facts } = staged;
  await until(() => types(facts).includes('timer.set'));
  const settled = session.settled();
  settled.catch(() => undefined);
  staged.refusals.push(unavailable(false));
  await wait(staged);
  const code = { code: 'STORE_UNAVAILABLE' };
  expect(await isOver(settled)).toBe(true);
  await expect(settled).rejects.toMatchObject(code);
  await expect(said(session)).rejects.toMatchObject(code);
  expect(await isOver(session.settled().catch(() => undefined))).toBe(true);
});

test.each([
  ['a timer', [{ fail: 'busy' }, { say: honest }]],
  ['a summary', [{ hold: true }, { say: honest }]],
] as const)('%s that a store refuses for now is taken in when it is back', async (what, moods) => {
  const staged = await stage(...moods);
  const { session, facts, summarizer, clock } = staged;
  await until(() => types(facts).includes(what === 'a timer' ? 'timer.set' : 'effect.requested'));
  staged.refusals.push(unavailable(true));
  if (what === 'a summary') summarizer.calls[0]!.answer(honest(summarizer.calls[0]!.task));
  await wait(staged);
  const settled = session.settled();
  settled.catch(() => undefined);
  for (let n = 0; n < 3; n += 1) await wait(staged);
  await expect(settled).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  const asked = summarizer.calls.length;
  for (let n = 0; n < 10; n += 1) await wait(staged);
  expect(summarizer.calls.length).toBe(asked);
  staged.refusals.pop();
  await pass(clock, session.settled());
  expect(types(facts).filter((type) => type === 'compression.finished')).toHaveLength(1);
  expect(summarizer.calls).toHaveLength(what === 'a timer' ? 2 : 1);
  expect(session.state).toMatchObject({ phase: 'open', pending: [] });
});

test.each([
  ['a timer', 'fire', [{ fail: 'busy' }]],
  ['a failure', 'fail', [{ fail: 'busy' }]],
] as const)('%s that cannot be decided on is given up, and told', async (_, type, moods) => {
  breakSteps(type);
  const staged = await stage(...moods);
  const { session, facts, clock, summarizer } = staged;
  await wait(staged);
  await until(() => types(facts).includes('effect.abandoned'));
  expect(facts.find((fact) => fact.type === 'effect.abandoned')).toMatchObject({
    reason: `No step for ${type}`,
  });
  expect(types(facts)).toContain('compression.cancelled');
  await pass(clock, session.settled());
  expect(session.state).toMatchObject({ phase: 'open', pending: [] });
  expect(summarizer.calls).toHaveLength(1);
  await said(session);
  expect((await session.assemble()).messages.length).toBeGreaterThan(1);
});

test('an answer that cannot be decided on counts as a failed attempt', async () => {
  breakSteps('settle');
  const { session, facts, clock } = await stage({ say: honest });
  await pass(clock, session.settled());
  const failed = facts.filter((fact) => fact.type === 'compression.failed');
  expect(failed).toHaveLength(4);
  expect(failed[0]).toMatchObject({ reason: 'Its answer could not be taken in' });
  expect(facts.filter((fact) => fact.type === 'compression.finished')).toMatchObject([
    { by: 'fallback' },
  ]);
});

test('what can neither be taken in nor given up is told to the next command', async () => {
  breakSteps('fire', 'abandon');
  const staged = await stage({ fail: 'busy' });
  const { session, facts } = staged;
  await until(() => types(facts).includes('timer.set'));
  const settled = session.settled();
  settled.catch(() => undefined);
  await wait(staged);
  expect(await isOver(settled)).toBe(true);
  await expect(settled).rejects.toThrow('No step for abandon');
  await expect(said(session)).rejects.toThrow('No step for abandon');
});

test('a store closes while what was refused waits to be tried again', async () => {
  const staged = await stage({ fail: 'busy' });
  staged.refusals.push(unavailable(true));
  await wait(staged);
  expect(await isOver(staged.store.close())).toBe(true);
});
