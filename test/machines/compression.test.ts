import {
  assign,
  createActor,
  setup,
  waitFor,
  type AnyMachineSnapshot,
  type EventObject,
  type Snapshot,
} from 'xstate';
import { getShortestPaths, getSimplePaths } from 'xstate/graph';
import { expect, test } from 'vitest';
import { body, compressionMachine, retries } from '../../machines/index.ts';
import { entryId, frameId } from '../../src/core/values/id.ts';
import type {
  CompressionRange,
  SummaryRequest,
} from '../../src/core/checkpoints/compression-state.ts';
import { machineEvents, simulatedClock } from '../../src/testing/index.ts';
import { portsOf, rest, stage, type Stage } from './stage.ts';
import { reachable, walk, walks, type Search } from './walk.ts';

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
const backoff = answered('pause', undefined);
const broken = failed('summarize', 'no connection');
const found = answered('measure', { due: true, stretch });
const written = answered('summarize', 'what was done');
const refused = answered('summarize', { refused: 'degenerate' });
const committed = answered('commit', null);

/** Ports that reject where none should; what follows is told of below. */
const rejected = [failed('measure', 'gone'), failed('pause', 'no clock'), failed('commit', 'full')];

/** What else can happen to a compression; attempts and strictness make a difference. */
const search: Search = {
  events: machineEvents.compression,
  tell: ({ value, context }: AnyMachineSnapshot) =>
    [value, context.attempt, context.strict].join(' '),
};

test('every state can be reached but the end of one that is asked once', () => {
  const states = Object.keys(compressionMachine.states);
  expect(reachable(compressionMachine, search)).toEqual(
    new Set(['idle', 'measuring', 'summarizing', 'waiting', 'aging']),
  );
  expect(states).toEqual(['idle', 'measuring', 'summarizing', 'waiting', 'aging', 'over']);
});

test('the tests try every event that the machine knows', () => {
  const tried = new Set([...search.events!, ...rejected].map(({ type }) => type));
  expect(tried).toEqual(new Set(compressionMachine.events));
});

test.each(walks(compressionMachine, search))('a live actor goes %s', async (_, path) => {
  await walk(compressionMachine, path);
});

test('it works alone, given its ports', async () => {
  const seen: string[] = [];
  const machine = compressionMachine.provide({
    actors: {
      measure: body(() => ({ due: true, working: 900, threshold: 800, stretch })),
      summarize: body(async ({ stretch, focus }) => `${stretch.entries} entries about ${focus}`),
      commit: body(({ memory, key }) => {
        seen.push(`${memory.by} wrote under ${key}: ${memory.summary}`);
        return null;
      }),
    },
  });
  const actor = createActor(machine).start();
  actor.send({ type: 'compression.request', focus: 'tests' });
  await waitFor(actor, (snapshot) => snapshot.matches('idle'));
  expect(seen).toEqual(['summarizer wrote under f0/e1-e10: 10 entries about tests']);
  actor.stop();
});

test.each(['alone', 'as a child'])('it waits by the clock of its actor, %s', async (how) => {
  const clock = simulatedClock();
  let calls = 0;
  const machine = compressionMachine.provide({
    actors: {
      measure: body(() => ({ due: true, working: 900, threshold: 800, stretch })),
      summarize: body(() => Promise.reject(new Error(`no ${(calls += 1)}`))),
      commit: body(() => null),
    },
  });
  const parent = setup({ actors: { machine } }).createMachine({
    invoke: { src: 'machine', input: { once: {} } },
  });
  const actor =
    how === 'alone'
      ? createActor(machine, { clock, input: { once: {} } })
      : createActor(parent, { clock });
  actor.start();
  await clock.advance(249);
  expect([calls, clock.waiting]).toEqual([1, 1]);
  await clock.advance(1);
  expect(calls).toBe(2);
  await clock.advance(1_500);
  expect([calls, clock.waiting]).toEqual([4, 0]);
  actor.stop();
});

test('one that is asked once is done with it, and says how it ended', async () => {
  const parent = setup({
    types: { context: {} as { end: unknown } },
    actors: {
      compression: compressionMachine.provide({
        actors: {
          measure: body(({ force }) => ({ due: force, working: 9, threshold: 8, stretch })),
          summarize: body(({ focus }) => focus),
          commit: body(() => null),
        },
      }),
    },
  }).createMachine({
    context: { end: null },
    initial: 'compressing',
    states: {
      compressing: {
        invoke: {
          src: 'compression',
          input: { once: { force: true, focus: 'tests' } },
          onDone: { target: 'done', actions: assign({ end: ({ event }) => event.output }) },
        },
      },
      done: { type: 'final' },
    },
  });
  const actor = createActor(parent).start();
  await waitFor(actor, ({ status }) => status === 'done');
  expect(actor.getSnapshot().context.end).toEqual({
    type: 'compression.finished',
    stretch,
    by: 'summarizer',
  });
});

test.each(['measure', 'commit'] as const)(
  'a %s port that rejects is told, and leaves an actor that goes on',
  async (broken) => {
    const live = stage(compressionMachine);
    await play(live, broken === 'measure' ? [request] : [request, found, written]);
    await play(live, [failed(broken, 'disk full')]);
    expect(live.error()).toBeUndefined();
    expect(live.emitted.at(-1)).toEqual({
      type: 'compression.stopped',
      port: broken,
      reason: 'disk full',
    });
    await play(live, [request, found, written, committed]);
    expect(live.emitted.at(-1)).toMatchObject({ type: 'compression.finished', by: 'summarizer' });
    live.stop();
  },
);

/** Each place that an actor can be persisted in, and the way there and on to the end. */
const places: readonly [string, readonly EventObject[], readonly EventObject[]][] = [
  ['measuring', [request], [found, written, committed]],
  ['summarizing', [request, found], [written, committed]],
  ['waiting', [request, found, broken], [backoff, written, committed]],
  ['aging', [request, found, written], [committed]],
];

test.each(places)(
  'restored while %s it goes on, and commits under the same key',
  async (value, before, after) => {
    const first = stage(compressionMachine);
    await play(first, before);
    expect(first.value()).toBe(value);
    const key = (live: Stage) =>
      (live.called.findLast(({ port }) => port === 'commit')!.input as { key: string }).key;
    const persisted = JSON.parse(JSON.stringify(first.persisted())) as Snapshot<unknown>;
    await play(first, after);
    const second = stage(compressionMachine, ports, persisted);
    await rest();
    await play(second, after);
    expect(second.value()).toBe('idle');
    expect(second.emitted.at(-1)).toEqual(first.emitted.at(-1));
    expect(key(second)).toBe(key(first));
    first.stop();
    second.stop();
  },
);

test('graphs of it are drawn without a word of help', () => {
  expect(getShortestPaths(compressionMachine).length).toBeGreaterThan(1);
  expect(getSimplePaths(compressionMachine).length).toBeGreaterThan(1);
});

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
  await play(live, [request, answered('measure', { due: false, stretch: null })]);
  await play(live, [request, answered('measure', { due: true, stretch: null })]);
  expect(live.emitted).toEqual([
    { type: 'compression.skipped', reason: 'not due' },
    { type: 'compression.skipped', reason: 'nothing to select' },
  ]);
  expect(live.value()).toBe('idle');
  live.stop();
});

test('a forced compression does not ask whether it is due', async () => {
  const live = stage(compressionMachine);
  await play(live, [asking({ force: true }), answered('measure', { due: false, stretch })]);
  expect(live.value()).toBe('summarizing');
  live.stop();
});

test.each([
  ['measuring', [request]],
  ['summarizing', [request, found]],
  ['waiting', [request, found, broken]],
  ['aging', [request, found, written]],
] as const)(
  'a second request while one is %s is answered, and changes nothing',
  async (at, way) => {
    const live = stage(compressionMachine);
    await play(live, way);
    const before = [live.value(), live.context(), live.called.length];
    await play(live, [asking({ focus: 'other' })]);
    expect([live.value(), live.context(), live.called.length]).toEqual(before);
    expect(live.value()).toBe(at);
    expect(live.emitted.at(-1)).toEqual({ type: 'compression.skipped', reason: 'under way' });
    live.stop();
  },
);

test('a failing summarizer is asked again after 250, 500 and 1,000 ms, then the fallback steps in', async () => {
  const live = await begin();
  for (const wait of [250, 500, 1_000]) {
    await play(live, [broken]);
    expect(live.value()).toBe('waiting');
    expect(live.called.at(-1)).toMatchObject({ port: 'pause', input: { milliseconds: wait } });
    await play(live, [backoff]);
    expect(live.value()).toBe('summarizing');
  }
  await play(live, [broken]);
  expect(live.value()).toBe('aging');
  expect(asked(live).map(({ attempt }) => attempt)).toEqual([0, 1, 2, retries]);
  expect(live.emitted.slice(1)).toEqual(
    [1, 2, 3, 4].map((attempt) => ({
      type: 'compression.failed',
      attempt,
      reason: 'no connection',
    })),
  );
  expect(live.context()).toMatchObject({ summary: '', by: 'fallback' });
  await play(live, [committed]);
  expect(live.value()).toBe('idle');
  live.stop();
});

test('a refused summary gets one strict attempt, then the fallback steps in', async () => {
  const live = await begin();
  await play(live, [refused]);
  expect(live.value()).toBe('summarizing');
  await play(live, [refused]);
  expect(live.value()).toBe('aging');
  expect(asked(live).map(({ strict }) => strict)).toEqual([false, true]);
  live.stop();
});

test.each([null, undefined, {}, 42, '', ' \n'])(
  'a summarizer that gives %j is refused as one that gives nothing',
  async (given) => {
    const live = await begin();
    await play(live, [answered('summarize', given)]);
    expect(live.error()).toBeUndefined();
    expect(live.emitted.at(-1)).toEqual({ type: 'compression.refused', reason: 'empty' });
    await play(live, [written, committed]);
    expect(live.emitted.at(-1)).toMatchObject({ type: 'compression.finished', by: 'summarizer' });
    live.stop();
  },
);

test('a strict attempt that is accepted is committed as the summarizer wrote it', async () => {
  const live = await begin();
  await play(live, [refused, answered('summarize', 'short')]);
  expect(live.value()).toBe('aging');
  expect(live.context()).toMatchObject({ summary: 'short', by: 'summarizer', strict: true });
  live.stop();
});

test('a strict attempt has retries of its own', async () => {
  const live = await begin();
  await play(live, [broken, backoff, broken, backoff, refused]);
  expect(live.context()).toMatchObject({ strict: true, attempt: 0 });
  await play(live, [broken, backoff, broken, backoff, broken, backoff, broken]);
  expect(live.value()).toBe('aging');
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
      [fallback, 'aging'],
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
  await play(live, [broken, backoff, cancel, asking({}), found]);
  expect(asked(live).at(-1)).toEqual({ stretch, strict: false, attempt: 0, focus: '' });
  live.stop();
});

/** A stage on which the summarizer was just asked. */
async function begin(supplied = ports): Promise<Stage> {
  const live = stage(compressionMachine, supplied);
  await play(live, [request, found]);
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
