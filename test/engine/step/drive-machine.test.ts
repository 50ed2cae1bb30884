import fc from 'fast-check';
import { createActor, fromPromise, type AnyStateMachine, type EventObject } from 'xstate';
import { expect, test } from 'vitest';
import { compressionMachine } from '../../../machines/index.ts';
import {
  drive,
  type MachineInput,
  type MachineState,
} from '../../../src/engine/step/drive-machine.ts';
import { entryId, frameId } from '../../../src/core/values/id.ts';
import { atOnce } from '../../../src/core/values/parts.ts';
import type { CompressionRange } from '../../../src/core/checkpoints/compression-state.ts';
import { portsOf, rest } from '../../machines/stage.ts';
import { draws } from '../../draws.ts';

// The engine drives machines purely; XState would run them as actors. For any
// script both must ask the same ports for the same things, say the same and
// come to rest in the same states. The oracle is the actor: slow, and right.

const stretch: CompressionRange = {
  frame: frameId(0),
  from: entryId(1),
  to: entryId(10),
  entries: 10,
  tokens: 900,
};

/** What the ports that answer at once say from now on. */
interface Answers {
  readonly due: boolean;
  readonly stretch: CompressionRange | null;
  readonly accepted: boolean;
  /** The summary of a summarizer that needs no time; null for one that does. */
  readonly embedded: string | null;
}

type Move =
  | { readonly type: 'request'; readonly force: boolean; readonly focus: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'fallback' }
  | { readonly type: 'elapse' }
  | { readonly type: 'summary'; readonly text: string }
  | { readonly type: 'failure'; readonly reason: string };

type Step = { readonly answers: Answers; readonly move: Move };

/** What can be seen of a machine after a step. */
interface Sight {
  readonly value: string;
  readonly memory: unknown;
  /** Ports asked in the step, each with its input, in order. */
  readonly asked: readonly unknown[];
  readonly heard: readonly EventObject[];
}

const answers: fc.Arbitrary<Answers> = fc.record({
  due: mostly(true, fc.boolean()),
  stretch: mostly<CompressionRange | null>(stretch, fc.constant(null)),
  accepted: fc.boolean(),
  embedded: mostly<string | null>(null, fc.string()),
});

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ type: fc.constant('request' as const), force: fc.boolean(), focus: fc.string() }),
  fc.record({ type: fc.constant('failure' as const), reason: fc.string() }),
  fc.record({ type: fc.constant('elapse' as const) }),
  fc.record({ type: fc.constant('summary' as const), text: fc.string() }),
  fc.record({ type: fc.constantFrom('cancel' as const, 'fallback' as const) }),
);

const script = fc.array(fc.record({ answers, move }), { minLength: 1, maxLength: 30, size: 'max' });

/** Each move with each end: some are seldom drawn. */
const walk: Step[] = (
  [
    { type: 'request', force: true, focus: '' },
    { type: 'failure', reason: 'busy' },
    { type: 'request', force: true, focus: '' },
    { type: 'summary', text: 'too early' },
    { type: 'elapse' },
    { type: 'summary', text: '' },
    { type: 'summary', text: 'what was done' },
    { type: 'summary', text: 'too late' },
    { type: 'elapse' },
    { type: 'failure', reason: 'late' },
    { type: 'fallback' },
    { type: 'cancel' },
    { type: 'request', force: false, focus: '' },
  ] as const
).map((one) => ({
  answers: {
    due: one.type !== 'request' || one.force,
    stretch,
    accepted: true,
    embedded: null,
  },
  move: one,
}));

test('a machine driven purely does what a live actor does, whatever comes back', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const pure = driven();
      const live = acted();
      for (const step of steps) {
        const sight = pure.play(step);
        expect(await live.play(step)).toEqual(sight);
        seen.add(`${step.move.type} → ${sight.value}`);
      }
      live.stop();
    }),
    { numRuns: draws(400), examples: [[walk]] },
  );
  expect(seen).toEqual(new Set(every));
});

test('a machine waits for one thing at a time, and between steps only where time must pass', () => {
  fc.assert(
    fc.property(script, (steps) => {
      const pure = driven();
      for (const step of steps) {
        const { value } = pure.play(step);
        expect([value, pure.open()]).toEqual(waits[value]);
      }
    }),
  );
});

/** What a resting machine waits for: a port without an answer. */
const waits: Readonly<Record<string, unknown>> = {
  idle: ['idle', []],
  summarizing: ['summarizing', ['summarize']],
  waiting: ['waiting', ['pause']],
};

/** Each move, and where a script can come to rest after it. */
const every = [
  'request → idle',
  'request → summarizing',
  'request → waiting',
  'summary → idle',
  'summary → summarizing',
  'summary → waiting',
  'failure → idle',
  'failure → waiting',
  'elapse → idle',
  'elapse → summarizing',
  'cancel → idle',
  'fallback → idle',
];

/** The compression machine as the engine drives it; what rests goes through JSON, as in the store. */
function driven() {
  let at: MachineState<unknown> = {
    value: 'idle',
    memory: createActor(compressionMachine).getSnapshot().context,
  };
  let open: readonly string[] = [];
  return {
    /** Ports that still owe an answer. */
    open: () => open,
    play({ answers, move }: Step): Sight {
      const asked: unknown[] = [];
      const heard: EventObject[] = [];
      const result = drive<unknown>(
        compressionMachine,
        { at, input: toInput(move) },
        {
          part: atOnce,
          answer(port, input) {
            asked.push({ port, input });
            const output = answerOf(answers, port);
            return output === undefined ? undefined : { output };
          },
          onEmit: (event) => heard.push(event),
        },
      );
      const { value, memory } = result;
      if (asked.length > 0 || value !== at.value) open = result.requests.map(({ port }) => port);
      at = JSON.parse(JSON.stringify({ value, memory })) as MachineState<unknown>;
      return { value, memory, asked, heard };
    },
  };
}

/** The same machine as an actor, on a clock that stands still. */
function acted() {
  let now: Answers;
  let asked: unknown[] = [];
  let heard: EventObject[] = [];
  const pending = new Map<string, { resolve(output: unknown): void; reject(error: Error): void }>();
  const body = (port: string) =>
    fromPromise<unknown, unknown>(({ input }) => {
      asked.push({ port, input });
      const output = answerOf(now, port);
      if (output !== undefined) return Promise.resolve(output);
      return new Promise((resolve, reject) => pending.set(port, { resolve, reject }));
    });
  const actors = Object.fromEntries(portsOf(compressionMachine).map((port) => [port, body(port)]));
  const actor = createActor((compressionMachine as AnyStateMachine).provide({ actors }));
  actor.on('*', (event: EventObject) => heard.push(event));
  actor.start();
  return {
    async play({ answers, move }: Step): Promise<Sight> {
      now = answers;
      [asked, heard] = [[], []];
      act(move);
      await rest();
      const { value, context } = actor.getSnapshot();
      return { value: String(value), memory: context, asked, heard };
    },
    stop: () => actor.stop(),
  };

  function act(move: Move): void {
    if (move.type === 'summary') pending.get('summarize')?.resolve(judged(move.text));
    else if (move.type === 'failure') pending.get('summarize')?.reject(new Error(move.reason));
    else if (move.type === 'elapse') pending.get('pause')?.resolve('');
    else actor.send(toEvent(move));
  }
}

/** What a summarizer gives whose empty summaries are refused. */
const judged = (text: string) => (text === '' ? { refused: 'empty' } : text);

/** What a port answers at once, if it does. */
function answerOf(answers: Answers, port: string): unknown {
  switch (port) {
    case 'measure':
      return { due: answers.due, working: 900, threshold: 800, stretch: answers.stretch };
    case 'summarize':
      return answers.accepted ? (answers.embedded ?? undefined) : { refused: 'degenerate' };
    case 'pause':
      return undefined;
    default:
      return null;
  }
}

function toInput(move: Move): MachineInput {
  switch (move.type) {
    case 'summary':
      return { type: 'answer', port: 'summarize', output: judged(move.text) };
    case 'failure':
      return { type: 'error', port: 'summarize', reason: move.reason };
    case 'elapse':
      return { type: 'answer', port: 'pause', output: undefined };
    case 'request':
    case 'cancel':
    case 'fallback':
      return { type: 'event', event: toEvent(move) };
  }
}

function toEvent({ type, ...given }: Move): EventObject {
  return { type: `compression.${type}`, ...given };
}

/** `value` three times out of four. */
function mostly<T>(value: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: others });
}
