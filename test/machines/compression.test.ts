import { createActor, waitFor, type AnyMachineSnapshot, type EventObject } from 'xstate';
import { expect, test } from 'vitest';
import { body, compressionMachine, retries } from '../../machines/index.ts';
import { entryId, frameId } from '../../src/core/values/id.ts';
import type {
  CompressionRange,
  SummaryRequest,
} from '../../src/core/checkpoints/compression-state.ts';
import { portsOf, rest, stage, type Stage } from './stage.ts';
import { eventsTo, reachable, walk, walks, type Search } from './walk.ts';

const ports = portsOf(compressionMachine);
const stretch: CompressionRange = {
  frame: frameId(0),
  from: entryId(1),
  to: entryId(10),
  entries: 10,
  tokens: 900,
};
const request = asking({ focus: 'tests' });
const cancel = { type: 'compression.cancel' };
const fallback = { type: 'compression.fallback' };
const backoff = { type: 'xstate.after.backoff.compression.waiting' };
const broken = failed('summarize', 'no connection');
const due = answered('measure', { due: true });
const found = answered('select', stretch);
const written = answered('summarize', 'what was done');
const accepted = answered('check', { accepted: true });
const refused = answered('check', { accepted: false, reason: 'degenerate' });
const harvested = answered('harvest', 'what the lines say');
const aged = answered('age', null);
const committed = answered('commit', null);

/** Everything that can happen to a compression; attempts and strictness make a difference. */
const search: Search = {
  events: [
    request,
    cancel,
    fallback,
    backoff,
    broken,
    due,
    answered('measure', { due: false }),
    found,
    answered('select', null),
    written,
    accepted,
    refused,
    harvested,
    aged,
    committed,
  ],
  tell: ({ value, context }: AnyMachineSnapshot) =>
    [value, context.attempt, context.strict].join(' '),
};

test('every state can be reached, and there are at most a dozen', () => {
  const states = Object.keys(compressionMachine.states);
  expect(reachable(compressionMachine, search)).toEqual(new Set(states));
  expect(states.length).toBeLessThanOrEqual(12);
});

test('the search tries every event that the machine knows', () => {
  const tried = new Set(search.events?.map(({ type }) => type));
  expect(tried).toEqual(new Set(compressionMachine.events));
});

test.each(walks(compressionMachine, search))('a live actor goes %s', async (_, path) => {
  await walk(compressionMachine, path);
});

test('it works alone, given its ports', async () => {
  const seen: string[] = [];
  const machine = compressionMachine.provide({
    actors: {
      measure: body(() => ({ due: true, working: 900, threshold: 800 })),
      select: body(() => stretch),
      summarize: body(async ({ stretch, focus }) => `${stretch.entries} entries about ${focus}`),
      check: body(({ memory }) =>
        memory.summary === '' ? { accepted: false, reason: 'empty' } : { accepted: true },
      ),
      age: body(() => {
        seen.push('aged');
        return null;
      }),
      commit: body(({ memory }) => {
        seen.push(`${memory.by} wrote: ${memory.summary}`);
        return null;
      }),
    },
  });
  const actor = createActor(machine).start();
  actor.send({ type: 'compression.request', focus: 'tests' });
  await waitFor(actor, (snapshot) => snapshot.matches('idle'));
  expect(seen).toEqual(['aged', 'summarizer wrote: 10 entries about tests']);
  actor.stop();
});

test.each(ports.filter((port) => port !== 'summarize'))(
  'a %s port without a body is an error that names it',
  async (missing) => {
    const live = stage(compressionMachine, without(missing));
    for (const event of eventsTo(compressionMachine, search, missing)) await live.play(event);
    expect(live.error()).toEqual(
      new Error(`Port "${missing}" has no body; supply it with machine.provide()`),
    );
  },
);

test('a summarize port without a body is a summarizer that fails, and is named', async () => {
  const live = await begin(without('summarize'));
  await rest();
  expect(live.value()).toBe('waiting');
  expect(live.emitted.at(-1)).toEqual({
    type: 'compression.failed',
    attempt: 1,
    reason: 'Port "summarize" has no body; supply it with machine.provide()',
  });
  live.stop();
});

test('a compression that is not due, or finds nothing to compress, says so and rests', async () => {
  const live = stage(compressionMachine);
  await play(live, [request, answered('measure', { due: false })]);
  await play(live, [request, due, answered('select', null)]);
  expect(live.emitted).toEqual([
    { type: 'compression.skipped', reason: 'not due' },
    { type: 'compression.skipped', reason: 'nothing to select' },
  ]);
  expect(live.value()).toBe('idle');
  live.stop();
});

test('a forced compression does not ask whether it is due', async () => {
  const live = stage(compressionMachine);
  await play(live, [asking({ force: true }), answered('measure', { due: false })]);
  expect(live.value()).toBe('selecting');
  live.stop();
});

test('a second request while one is under way changes nothing', async () => {
  const live = await begin();
  const before = live.context();
  await play(live, [asking({ focus: 'other' })]);
  expect(live.context()).toEqual(before);
  expect(live.called.map(({ port }) => port)).toEqual(['measure', 'select', 'summarize']);
  live.stop();
});

test('a failing summarizer is asked again after 250, 500 and 1,000 ms, then the fallback steps in', async () => {
  const live = await begin();
  for (const wait of [250, 500, 1_000]) {
    await play(live, [broken]);
    expect(live.value()).toBe('waiting');
    live.clock.increment(wait - 1);
    expect(live.value()).toBe('waiting');
    live.clock.increment(1);
    expect(live.value()).toBe('summarizing');
    await rest();
  }
  await play(live, [broken]);
  expect(live.value()).toBe('harvesting');
  expect(asked(live).map(({ attempt }) => attempt)).toEqual([0, 1, 2, retries]);
  expect(live.emitted.slice(1)).toEqual(
    [1, 2, 3, 4].map((attempt) => ({
      type: 'compression.failed',
      attempt,
      reason: 'no connection',
    })),
  );
  await play(live, [harvested, aged]);
  expect(live.context()).toMatchObject({ summary: 'what the lines say', by: 'fallback' });
  await play(live, [committed]);
  expect(live.value()).toBe('idle');
  live.stop();
});

test('a refused summary gets one strict attempt, then the fallback steps in', async () => {
  const live = await begin();
  await play(live, [written, refused]);
  expect(live.value()).toBe('summarizing');
  await play(live, [written, refused]);
  expect(live.value()).toBe('harvesting');
  expect(asked(live).map(({ strict }) => strict)).toEqual([false, true]);
  live.stop();
});

test('a strict attempt that is accepted is committed as the summarizer wrote it', async () => {
  const live = await begin();
  await play(live, [written, refused, answered('summarize', 'short'), accepted, aged]);
  expect(live.value()).toBe('committing');
  expect(live.context()).toMatchObject({ summary: 'short', by: 'summarizer', strict: true });
  live.stop();
});

test('a strict attempt has retries of its own', async () => {
  const live = await begin();
  await play(live, [broken, backoff, broken, backoff, written, refused]);
  expect(live.context()).toMatchObject({ strict: true, attempt: 0 });
  await play(live, [broken, backoff, broken, backoff, broken, backoff, broken]);
  expect(live.value()).toBe('harvesting');
  expect(asked(live).map(({ strict, attempt }) => `${attempt}${strict ? '!' : ''}`)).toEqual([
    '0',
    '1',
    '2',
    '0!',
    '1!',
    '2!',
    '3!',
  ]);
  live.stop();
});

test.each([
  ['summarizing', []],
  ['waiting', [broken]],
] as const)(
  'while %s, a cancel ends it and the fallback goes on without the summarizer',
  async (state, steps) => {
    for (const [event, next] of [
      [cancel, 'idle'],
      [fallback, 'harvesting'],
    ] as const) {
      const live = await begin();
      await play(live, steps);
      expect(live.value()).toBe(state);
      await play(live, [event]);
      expect(live.value()).toBe(next);
      expect(live.called.find(({ port }) => port === 'summarize')?.signal.aborted).toBe(
        state === 'summarizing',
      );
      if (event === cancel) expect(live.emitted.at(-1)).toEqual({ type: 'compression.cancelled' });
      live.clock.increment(60_000);
      await rest();
      expect(live.value()).toBe(next);
      live.stop();
    }
  },
);

test.each([cancel, fallback])('after a $type, a late result is dropped', async (event) => {
  const live = await begin();
  await play(live, [event]);
  const before = live.value();
  await play(live, [written]);
  expect(live.value()).toBe(before);
  expect(live.context()['summary']).toBe('');
  live.stop();
});

test('a new request starts afresh after a cancel', async () => {
  const live = await begin();
  await play(live, [broken, backoff, cancel, asking({}), due, found]);
  expect(asked(live).at(-1)).toEqual({ stretch, strict: false, attempt: 0, focus: '' });
  live.stop();
});

/** A stage on which the summarizer was just asked. */
async function begin(supplied = ports): Promise<Stage> {
  const live = stage(compressionMachine, supplied);
  await play(live, [request, due, found]);
  return live;
}

function without(port: string): readonly string[] {
  return ports.filter((each) => each !== port);
}

async function play(live: Stage, events: readonly EventObject[]): Promise<void> {
  for (const event of events) await live.play(event);
}

/** What the summarizer was asked, each time. */
function asked(live: Stage): readonly SummaryRequest[] {
  return live.called
    .filter(({ port }) => port === 'summarize')
    .map(({ input }) => input as SummaryRequest);
}

function asking(given: { force?: boolean; focus?: string }): EventObject {
  return { type: 'compression.request', ...given };
}

function answered(port: string, output: unknown): EventObject {
  return { type: `xstate.done.actor.${port}`, output } as EventObject;
}

function failed(port: string, reason: string): EventObject {
  return { type: `xstate.error.actor.${port}`, error: new Error(reason) } as EventObject;
}
