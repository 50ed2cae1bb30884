import fc from 'fast-check';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { assemblyOf } from '../../src/engine/step/assembly-cache.ts';
import { decodeState, encodeState } from '../../src/engine/journal/state-codec.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { load } from '../../src/engine/journal/load.ts';
import { replayed } from '../engine/replayed.ts';
import type { State } from '../../src/core/state/state.ts';
import { checkMessage } from '../../src/core/messages/message.ts';
import type { Assembly, Message, Session } from '../../src/index.ts';
import {
  honest,
  scriptedSummarizer,
  type ScriptedSummarizer,
} from '../../src/testing/scripted-summarizer.ts';
import { newDisk, type Disk } from '../engine/disk.ts';
import { act, messageOf, step, type Step } from '../engine/script.ts';
import { isOver, pass, quiet } from '../engine/turn.ts';

// A summarizer that is slow, wrong or silent, and calls that do not wait for
// one another. Whatever the order in which things come back: appends never
// wait, the laws of the assembly hold after each step, and at the end nothing
// is lost, owed or stuck.

type Event =
  | Step
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'answer' | 'refuse'; readonly call: number; readonly text: string };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: step },
  {
    weight: 2,
    arbitrary: fc.constantFrom(100, 250, 600, 2_000).map((ms) => ({ do: 'wait' as const, ms })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('answer' as const, 'answer' as const, 'refuse' as const),
      call: fc.nat({ max: 3 }),
      text: fc.constantFrom(
        'honest',
        'honest',
        'honest',
        '',
        'same '.repeat(300),
        'x'.repeat(9_000),
      ),
    }),
  },
);

const timeout = 2_000;

function answerOne(summarizer: ScriptedSummarizer, given: Event & { call: number; text: string }) {
  const call = summarizer.calls.at(-1 - given.call);
  if (call === undefined) return;
  if (given.do === 'refuse') call.refuse('overloaded');
  else call.answer(given.text === 'honest' ? honest(call.task) : given.text);
}

/** Tool results follow their calls, all of them but at the very end. */
function checkPairs(assembly: Assembly): void {
  let open = 0;
  for (const message of assembly.messages) {
    if (message.role === 'tool') {
      expect(open).toBeGreaterThan(0);
      open -= 1;
      continue;
    }
    expect(open).toBe(0);
    open = message.role === 'assistant' ? (message.toolCalls?.length ?? 0) : 0;
  }
  expect(assembly.openCalls).toHaveLength(open);
}

function checkPrefix(before: Assembly | null, after: Assembly): void {
  if (before === null || before.epoch !== after.epoch) return;
  expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
}

function checkFit({ budget, messages }: Assembly): void {
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  const shown = messages.reduce((sum, { tokens }) => sum + tokens, 0);
  expect(shown + budget.tools).toBe(budget.total);
}

/** What is stored shows the same, as if the process had ended here. */
async function checkStored(disk: Disk, shown: Assembly, state: State): Promise<void> {
  const bytes = JSON.stringify(encodeState(state));
  expect(JSON.stringify(encodeState(decodeState(JSON.parse(bytes))))).toBe(bytes);
  const loaded = (await load(disk.mount(), 's'))!;
  expect(JSON.stringify(encodeState(loaded.state))).toBe(bytes);
  expect(assemblyOf(loaded.state, loaded.bodies, {})).toEqual(shown);
}

async function checkEnd(session: Session, said: readonly Message[]): Promise<void> {
  const { pending, phase } = session.state;
  expect([pending, phase === 'compressing']).toEqual([[], false]);
  const log: unknown[] = [];
  for await (const { id: _, frame: __, at: ___, tokens: ____, ...message } of session.log())
    log.push(message);
  expect(log).toEqual(said.map(checkMessage));
}

test('whatever a summarizer does and whenever, appends do not wait, the laws hold and work ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 10, maxLength: 50, size: 'max' }),
      async (events) => {
        const disk = await newDisk();
        const clock = new SimulatedClock();
        const summarizer = scriptedSummarizer([{ hold: true }], { clock, deaf: true });
        const store = await openOver(disk.mount(), { clock, effects: { timeout } });
        const session = await store.open('s', { window: 2_000, summarizer });
        const live = await store.live('s');
        const said: Message[] = [];
        const waiting: Promise<unknown>[] = [];
        let before: Assembly | null = null;
        for (const [at, one] of events.entries()) {
          if (one.do === 'wait') clock.increment(one.ms);
          else if (one.do === 'answer' || one.do === 'refuse') answerOne(summarizer, one);
          else if (one.do === 'append') {
            const work = act(session, one, at);
            expect(await isOver(work)).toBe(true);
            const messages = one.said.map((line, index) => messageOf(line, at * 10 + index));
            if ((await work) === 'ok') said.push(...messages);
          } else if (one.do === 'assemble') {
            const assembling = session
              .assemble({ tools: [{ name: 'read', n: one.tools }] })
              .then(checkFit);
            assembling.catch(() => undefined);
            waiting.push(assembling);
          } else waiting.push(act(session, one as Step, at));
          await quiet(3);
          const after = live.assembly();
          checkPairs(after);
          checkPrefix(before, after);
          before = after;
          await checkStored(disk, after, live.state);
          expect(summarizer.running).toBeLessThanOrEqual(4);
        }
        await pass(clock, Promise.all([...waiting, session.settled()]), { step: 250 });
        await checkEnd(session, said);
        expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
        await store.close();
      },
    ),
    { numRuns: draws(30) },
  );
});
