import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  durable,
  isEngineError,
  type DurableMachine,
  type DurablePorts,
  type DurableStep,
  type StoreHost,
} from '../../src/index.ts';
import { machineRows, parseOutboxKey, sessionRange } from '../../src/store/key.ts';
import { openStoreOver } from '../../src/store/format.ts';
import { mortalFolder } from '../../src/testing/harness/mortal-folder.ts';
import { simulatedClock, type SimulatedClock } from '../../src/testing/simulated-clock.ts';
import { draws } from '../draws.ts';
import { orderMachine } from '../engine/durable/order.ts';
import { revive, type Write } from '../store/faulty-level.ts';

// A stranger's machine is played a script, and its process dies at a write, before, in or after it, as often as
// is told. Another process opens what is left, and what was not answered is sent again. In the end all is as
// it would have been without a crash: the state, the steps that led there, and what ports did in the world.

type Order = DurableMachine<typeof orderMachine>;

/** What a person does with an order, or time that passes, in milliseconds. */
type Act = 'pay' | 'cancel' | 'note' | number;

/** What is outside: ports do things there, each call at most once by its key. */
interface World {
  readonly done: Map<string, string>;
  /** Calls that were made, with those made again. */
  calls: number;
}

/** Scripts that are crashed. */
const scripts = Number(process.env['CRASH_SCRIPTS'] ?? draws(35));
const isLong = scripts > draws(35);

const acts = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Act>('pay', 'pay', 'note', 'cancel') },
    { weight: 2, arbitrary: fc.constantFrom<Act>(1, 999, 1_000, 2_000, 5_000, 3_600_000) },
  ),
  { minLength: 1, maxLength: 8 },
);
/** Whether the first calls of a port fail. */
const moods = fc.array(fc.boolean(), { maxLength: 6 });

/** Ports that fail as `moods` say, by what is asked and not by how often. */
function portsIn(world: World, moods: readonly boolean[]): DurablePorts<typeof orderMachine> {
  const does = (key: string, fails: boolean): string => {
    world.calls += 1;
    const known = world.done.get(key);
    const result = known ?? (fails ? 'fails' : `done ${world.done.size}`);
    world.done.set(key, result);
    if (result === 'fails') throw new Error('not this time');
    return 'done';
  };
  let shipped = 0;
  const ships = new Map<string, number>();
  return {
    charge: ({ tries }, { key }) => does(key, moods[tries - 1] ?? false),
    ship: async (_, { key }) => {
      if (!ships.has(key)) ships.set(key, (shipped += 1));
      return does(key, moods[2 + ships.get(key)!] ?? false);
    },
    bill: async (_, { key }) => {
      does(key, moods[0] ?? false);
      return null;
    },
  };
}

interface Played {
  readonly state: Order['state'];
  /** What led there, in words, in any order: of two ports that run side by side either may be first. */
  readonly steps: readonly string[];
  readonly emitted: readonly unknown[];
  readonly world: World;
  readonly told: readonly unknown[];
}

/** A place whose process may die; `next` begins another life there, over what is left. */
interface MortalPlace {
  /** The host of this life. */
  life(): Promise<StoreHost>;
  /** Whether this life is over. */
  isOver(): boolean;
  /** Checks what is left after a life. */
  next(): Promise<void>;
}

/** Plays a script in as many lives as it takes. */
async function play(
  script: readonly Act[],
  given: {
    readonly moods: readonly boolean[];
    readonly place: MortalPlace;
    readonly clock: SimulatedClock;
  },
): Promise<Played> {
  const { moods, place, clock } = given;
  const world: World = { done: new Map(), calls: 0 };
  const ports = portsIn(world, moods);
  const answered = new Map<string, number>();
  const told: unknown[] = [];
  const left = [...script];
  for (let lives = 0; lives < 10; lives += 1) {
    const host = await place.life();
    let order: Order | null = null;
    try {
      order = await durable(orderMachine, { host, id: 'o', ports, input: { item: 'lamp' }, clock });
      order.on('*', (emitted) => told.push(emitted));
      await calm(order, clock);
      for (const [key, seq] of answered)
        if (seq > 0) expect(await order.send({ type: 'note', text: '' }, { key })).toEqual({ seq });
      while (left.length > 0 && !place.isOver()) {
        const act = left.shift()!;
        const key = `act ${script.length - left.length}`;
        try {
          const again = await take(order, { act, key }, { clock, answered });
          if (again !== null) left.unshift(again);
        } catch (error) {
          left.unshift(act);
          throw error;
        }
        await calm(order, clock);
      }
      if (!place.isOver()) await clock.until(order.settled());
    } catch (error) {
      if (!isEngineError(error, 'STORE_UNAVAILABLE')) throw error;
    }
    if (order !== null && !place.isOver()) {
      const played = await readPlayed(order, { world, told });
      await order.close();
      return played;
    }
    await order?.close().catch(() => undefined);
    await place.next();
  }
  throw new Error('It never came to an end');
}

/** Does one act of a script; time passes from timer to timer, so that none passes after a death. Gives what is left of it. */
async function take(
  order: Order,
  { act, key }: { readonly act: Act; readonly key: string },
  { clock, answered }: { readonly clock: SimulatedClock; readonly answered: Map<string, number> },
): Promise<Act | null> {
  if (typeof act === 'number') {
    const { due } = order.state;
    const now = due === null ? act : Math.max(0, Math.min(act, due - clock.now()));
    await clock.advance(now);
    return now === act ? null : act - now;
  }
  const event = {
    pay: { type: 'pay', card: key },
    cancel: { type: 'cancel' },
    note: { type: 'note', text: key },
  } as const;
  try {
    const { seq } = await order.send(event[act], { key });
    answered.set(key, seq);
  } catch (error) {
    if (!isEngineError(error, 'MACHINE_ENDED')) throw error;
  }
  return null;
}

/** Lets all run that waits for no time. */
async function calm(order: Order, clock: SimulatedClock): Promise<void> {
  for (let seq = -1; seq !== order.state.seq;) {
    ({ seq } = order.state);
    await clock.advance(0);
  }
}

async function readPlayed(
  order: Order,
  { world, told }: { world: World; told: readonly unknown[] },
): Promise<Played> {
  const steps: DurableStep[] = [];
  for await (const step of order.history()) steps.push(step);
  const keys = steps.flatMap(({ input }) =>
    input.type === 'event' && input.key !== undefined ? [input.key] : [],
  );
  expect(new Set(keys).size).toBe(keys.length);
  for await (const { difference } of order.replay()) expect(difference).toBeNull();
  const emitted = steps.flatMap(({ emitted = [] }) => emitted);
  const words = steps
    .map(({ input, at }) => JSON.stringify([at, { ...input, asked: 0, run: 0 }]))
    .sort();
  return { state: order.state, steps: words, emitted, world, told };
}

/** What must hold of the rows that a life left. */
async function checkRows(host: StoreHost): Promise<void> {
  const records = await host.open({ durability: 'process', create: true });
  const [state] = await rowsOf(records, 'state');
  const journal = await rowsOf(records, 'journal');
  const owed = (await rowsOf(records, 'outbox')).map(([key]) => parseOutboxKey(key).effect);
  if (state === undefined) expect([...journal, ...owed]).toEqual([]);
  else {
    const { seq, ports, timers } = state[1] as Record<string, [string][]> & { seq: number };
    expect(journal.map(([, value]) => (value as DurableStep).seq)).toEqual(
      Array.from({ length: seq }, (_, index) => index + 1),
    );
    const names = [
      ...ports!.map(([port]) => `port ${port}`),
      ...timers!.map(([timer]) => `timer ${timer}`),
    ];
    expect(owed.sort()).toEqual(names.sort());
  }
  await records.close();
}

async function rowsOf(
  records: Awaited<ReturnType<StoreHost['open']>>,
  kind: 'state' | 'journal' | 'outbox',
) {
  const rows: (readonly [string, unknown])[] = [];
  for await (const row of records.range(kind, sessionRange(machineRows('o')))) rows.push(row);
  return rows;
}

/** A place in memory; each life ends at one of these writes, counted from its own first, the last never. */
function placeInMemory(
  faults: readonly { readonly at: number; readonly mode: 'before' | 'after' }[],
) {
  let image: readonly Write[] = [];
  let db: Awaited<ReturnType<typeof revive>> | undefined;
  let lives = 0;
  const fault = () => faults[lives];
  const over = (written: readonly Write[]): StoreHost => ({
    open: async () => openStoreOver(await revive(written), { location: ':memory:', sync: false }),
  });
  return {
    get writes() {
      return db!.attempts - image.length;
    },
    get crashes() {
      return lives;
    },
    life: async (): Promise<StoreHost> => {
      db = await revive(image, fault());
      return { open: () => openStoreOver(db!, { location: ':memory:', sync: false }) };
    },
    isOver: () => fault() !== undefined && db!.attempts > fault()!.at + image.length,
    next: async (): Promise<void> => {
      image = [...db!.journal];
      lives += 1;
      await checkRows(over(image));
    },
  } satisfies MortalPlace & Record<string, unknown>;
}

/** Holds a script that was crashed against the same one without a crash. */
function compare(crashed: Played, whole: Played): void {
  const { seq: _, ...state } = crashed.state;
  const { seq: __, ...expected } = whole.state;
  expect(state).toEqual(expected);
  expect(crashed.steps).toEqual(whole.steps);
  expect(crashed.emitted).toEqual(whole.emitted);
  expect([...crashed.world.done.keys()].length).toBe(whole.world.done.size);
  // Told once at most, and nothing that was not so.
  const left = crashed.emitted.map((event) => JSON.stringify(event));
  for (const event of crashed.told) {
    const found = left.indexOf(JSON.stringify(event));
    expect(found).not.toBe(-1);
    left.splice(found, 1);
  }
}

const inOneLife = (script: readonly Act[], moods: readonly boolean[], place = placeInMemory([])) =>
  play(script, { moods, place, clock: simulatedClock() });

test('whichever write of a machine fails, it comes to where it would have come', async () => {
  await fc.assert(
    fc.asyncProperty(acts, moods, async (script, moods) => {
      const place = placeInMemory([]);
      const whole = await inOneLife(script, moods, place);
      for (let at = 1; at < place.writes; at += 1)
        for (const mode of ['before', 'after'] as const) {
          const mortal = placeInMemory([{ at, mode }]);
          compare(await inOneLife(script, moods, mortal), whole);
          expect(mortal.crashes).toBe(1);
        }
    }),
    { numRuns: Math.max(draws(3), Math.floor(scripts / 10)) },
  );
});

test('a machine that crashes again while it recovers from a crash comes there, too', async () => {
  const fault = fc.record({
    at: fc.integer({ min: 1, max: 6 }),
    mode: fc.constantFrom('before' as const, 'after' as const),
  });
  await fc.assert(
    fc.asyncProperty(
      acts,
      moods,
      fc.array(fault, { minLength: 2, maxLength: 5 }),
      async (script, moods, faults) => {
        const whole = await inOneLife(script, moods);
        compare(await inOneLife(script, moods, placeInMemory(faults)), whole);
      },
    ),
    { numRuns: scripts },
  );
});

test('a process that dies before, in or after any write to its disk leaves a machine that comes there', async () => {
  const script: readonly Act[] = ['note', 'pay', 999, 'note', 1, 5_000];
  const moods = [true, false, false, true];
  const counted = placeInMemory([]);
  const whole = await inOneLife(script, moods, counted);
  expect(whole.state.value).toBe('completed');
  const fates = ['before', 'in', 'after'] as const;
  // In `npm test` each write meets one of them.
  for (let write = 1; write < counted.writes; write += 1)
    for (const fate of isLong ? fates : [fates[write % fates.length]!]) {
      const folder = await mortalFolder();
      onTestFinished(() => folder.remove());
      folder.set({ fate, write });
      let deaths = 0;
      const place: MortalPlace = {
        life: async () => folder,
        isOver: () => folder.isOver,
        next: async () => {
          deaths += 1;
          folder.revive();
          await checkRows(folder);
        },
      };
      const clock = simulatedClock({ isBusy: () => folder.isBusy });
      compare(await play(script, { moods, place, clock }), whole);
      expect(deaths).toBe(1);
    }
});
