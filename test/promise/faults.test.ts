import fc from 'fast-check';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { textOf } from '../../src/core/messages/message.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { isEngineError, type Message, type Session, type Store } from '../../src/index.ts';
import { openStoreOver } from '../../src/store/format.ts';
import {
  scriptedSummarizer,
  type ScriptedSummarizer,
} from '../../src/testing/scripted-summarizer.ts';
import { say } from '../../src/testing/laws/move.ts';
import { playMoves } from '../../tools/laws/play.ts';
import { lines, model, person, prose, result, call } from '../../src/testing/made-text.ts';
import { behavior } from '../../src/testing/fast-check/behavior.ts';
import { script, type Step } from '../engine/script.ts';
import { pass } from '../engine/turn.ts';
import { fill, type Write } from '../store/faulty-level.ts';
import { imageOf, UnsteadyLevel, type Weather } from '../store/unsteady-level.ts';
import { checkIdle, checkImage, doStep, messagesOf, type Promised } from './life.ts';
import { command as move, refusals } from '../../src/testing/fast-check/commands.ts';

// The driver goes wrong now and then, while a session works: reads and writes fail, come late, come back short
// or empty, fail and took effect. Each call is answered right, or refused with a code. After each life the rows
// are looked at with a sound driver: all that was acknowledged is there, once, and the next life goes on.

const runs = Number(process.env['FAULT_RUNS'] ?? 3);

/** A find is made smaller only as long as a test has time; `npm run faults` has more. */
const limits = { numRuns: runs, interruptAfterTimeLimit: runs * 10_000 } as const;

/** What a caller may be refused with where a driver goes wrong. */
const codes = ['RECORD_DAMAGED', 'SEQUENCE_GAP', 'STORE_DAMAGED', 'STORE_UNAVAILABLE'];

const weather: fc.Arbitrary<Weather> = fc.record({
  seed: fc.nat(),
  reads: fc.constantFrom(8, 20, 60, 1_000_000),
  writes: fc.constantFrom(5, 12, 1_000_000),
});

/** What work was refused with; null where it was done. Fails for what has no code of the store. */
async function refusalOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isEngineError(error) && codes.includes(error.code)) return error.code;
    throw error;
  }
}

interface Life {
  readonly clock: SimulatedClock;
  readonly summarizer: ScriptedSummarizer;
  readonly promised: Promised;
  /** Assemblies that were given, as JSON, by the record after which they were made. */
  readonly seen: Map<number, string>;
}

/** Works on a script until a step is refused for good; gives what was not answered, and what is on the disk. */
async function live(
  life: Life,
  db: UnsteadyLevel,
  steps: readonly (readonly [at: number, step: Step])[],
): Promise<readonly (readonly [number, Step])[]> {
  const { clock, summarizer, promised } = life;
  const left = [...steps];
  const work = async (): Promise<void> => {
    const records = await openStoreOver(db, { location: 'unsteady', sync: false });
    const store = await openOver(records, { clock, effects: { timeout: 3_000 } });
    const session = await store.open('s', { window: 1_500, summarizer });
    session.on('*', (heard) => {
      const { seq, at: _, ...fact } = heard;
      if (fact.type === 'snapshot.failed') return;
      promised.heard.set(seq, [...(promised.heard.get(seq) ?? []), JSON.stringify(fact)]);
    });
    while (left.length > 0) {
      const { length } = left;
      for (let tries = 0; tries < 4 && left.length === length; tries += 1)
        if ((await refusalOf(doStep(session, left[0]!, promised))) === null) left.shift();
      if (left.length === length) break;
      // Asked again by its key, an append is what it was.
      const done = steps[steps.length - left.length - 1]!;
      if (done[1].do === 'append') await refusalOf(doStep(session, done, promised));
      await probe(life, store, session);
    }
    if (left.length === 0) await refusalOf(session.settled());
    await refusalOf(store.close());
  };
  await pass(clock, refusalOf(work()), { step: 400 });
  return left;
}

/** Asks all that can be asked of a session; what it answers is right. */
async function probe({ promised, seen }: Life, store: Store, session: Session): Promise<void> {
  const told = said.get(promised)!;
  await refusalOf(
    (async () => {
      let n = 0;
      for await (const entry of session.log()) checkEntry(told, entry, (n += 1));
    })(),
  );
  const newest = session.state.entries;
  if (newest > 0) {
    const n = 1 + ((newest * 7) % newest);
    await refusalOf(session.entry(`e${n}`).then((entry) => checkEntry(told, entry, n)));
  }
  await refusalOf(
    session.recall('part src w7').then((found) => {
      for (const hit of found)
        if (hit.role === 'user')
          expect(told.some(({ content }) => textOf(content).includes(hit.text))).toBe(true);
    }),
  );
  await refusalOf(
    (async () => {
      for await (const { id } of store.sessions()) expect(id).toBe('s');
    })(),
  );
  const { seq } = session.state;
  const made = await session.assemble().catch((error: unknown) => {
    if (isEngineError(error) && [...codes, 'CONTEXT_OVERFLOW'].includes(error.code)) return null;
    throw error;
  });
  const isDurable = (await refusalOf(session.append([]))) === null;
  if (made !== null && isDurable && session.state.seq === seq)
    seen.set(seq, JSON.stringify(made.messages));
}

/** What was said by each script, in the order in which it may be in the log. */
const said = new WeakMap<Promised, readonly Message[]>();

function checkEntry(told: readonly Message[], given: { readonly id: string }, n: number): void {
  const { id, frame: _, at: __, tokens: ___, ...message } = given as Record<string, unknown>;
  expect(id).toBe(`e${n}`);
  expect(told.map((one) => JSON.stringify(one))).toContain(JSON.stringify(message));
}

test('whatever befalls the driver, each call is answered right or refused, and nothing is lost or done twice', async () => {
  let [played, mishaps] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      script(16, 6),
      fc.array(behavior, { maxLength: 4 }),
      fc.array(weather, { minLength: 2, maxLength: 4 }),
      async (given, moods, weathers) => {
        played += 1;
        const clock = new SimulatedClock();
        const promised: Promised = { ids: new Map(), heard: new Map() };
        const steps = given.map((step, at) => [at, step] as const);
        const told = steps.flatMap(([at, step]) =>
          step.do === 'append' ? messagesOf(at, step) : [],
        );
        said.set(promised, told);
        const summarizer = scriptedSummarizer(moods, { clock });
        const life: Life = { clock, summarizer, promised, seen: new Map() };
        let left: readonly (readonly [number, Step])[] = steps;
        let image: readonly Write[] = [];
        for (const one of [...weathers, null]) {
          const db = new UnsteadyLevel(one ?? weathers[0]!);
          await fill(db, image);
          db.calm = one === null;
          left = await live(life, db, left);
          mishaps += db.mishaps.length;
          image = imageOf(db);
          const state = await checkImage(image, { promised, steps });
          if (one !== null) continue;
          expect(left).toEqual([]);
          checkIdle(state!);
        }
        await checkSeen(image, life);
      },
    ),
    limits,
  );
  // A few draws may all be of calm weather, or of few steps.
  if (played >= 50) expect(mishaps).toBeGreaterThan(played * 3);
});

/** The assemblies that were given are those of their moments. */
async function checkSeen(image: readonly Write[], { seen, clock }: Life): Promise<void> {
  const db = new UnsteadyLevel({ seed: 0, reads: 1, writes: 1 });
  await fill(db, image);
  const store = await openOver(await openStoreOver(db, { location: 'm', sync: false }), { clock });
  const session = await store.open('s');
  for (const [seq, messages] of seen) {
    const view = await session.at({ seq });
    expect(JSON.stringify((await view.assemble()).messages), `assembly after ${seq}`).toBe(
      messages,
    );
  }
  await store.close();
}

test('a host that hands over its own list is told right or refused, and each message is there once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 8 }),
      weather,
      async (rounds, one) => {
        const db = new UnsteadyLevel(one);
        await db.open();
        const list: Message[] = [];
        const opened = async (): Promise<Session> => {
          const records = await openStoreOver(db, { location: 'unsteady', sync: false });
          return (await openOver(records)).open('s', { window: 2_000 });
        };
        let session = await opened();
        for (const [round, count] of rounds.entries()) {
          for (let n = 0; n < count; n += 1)
            list.push(
              n % 2 === 0 ? person(prose(20, round * 9 + n)) : model(prose(90, round * 9 + n)),
            );
          db.calm = false;
          let refused = 0;
          while ((await refusalOf(session.sync(list))) !== null) {
            refused += 1;
            if (refused % 3 !== 0) continue;
            db.calm = true;
            session = await opened();
            db.calm = refused > 20;
          }
          db.calm = true;
          session = await opened();
          const log: unknown[] = [];
          for await (const { id: _, frame: __, at: ___, tokens: ____, ...message } of session.log())
            log.push(message);
          expect(log).toEqual(list);
        }
      },
    ),
    limits,
  );
});

/** Moves with a sound driver: one that opens the session anew, and one of which a part stays done where it is broken off. */
const calmly: ReadonlySet<string> = new Set(['reopen', 'redact']);

test('every law holds after every step though reads go wrong between', async () => {
  const opening = [person('Build it'), model(prose(40), call('c1')), result('c1', lines(200))];
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { minLength: 8, maxLength: 20, size: 'max' }),
      fc.nat(),
      async (moves, seed) => {
        const db = new UnsteadyLevel({ seed, reads: 6, writes: 1_000_000_000 });
        await db.open();
        const { found } = await playMoves([...opening.map((one) => say(one)), ...moves], {
          limit: 2_000,
          every: 10,
          allowed: [...refusals, 'RECORD_DAMAGED', 'STORE_UNAVAILABLE', 'SEQUENCE_GAP'],
          host: { open: () => openStoreOver(db, { location: 'unsteady', sync: false }) },
          onMove: (one) => void (db.calm = one === null || calmly.has(one.type)),
        });
        expect(found).toEqual([]);
      },
    ),
    limits,
  );
});
