import assert from 'node:assert/strict';
import { assign, fromPromise, setup } from 'xstate';
import { isEngineError } from '../../core/values/error.ts';
import { durable } from '../../engine/durable/durable.ts';
import type { DurableMachine, DurablePorts } from '../../engine/durable/durable-machine.ts';
import type { OpenOptions, StoreHost } from '../../store/store.ts';

/** A machine that adds up what it is told, and asks for a receipt at the end. */
const till = setup({
  types: {
    context: {} as { readonly sum: number },
    events: {} as { readonly type: 'add'; readonly amount: number } | { readonly type: 'close' },
    output: {} as { readonly sum: number; readonly receipt: string },
  },
  actors: {
    print: fromPromise<string, { readonly sum: number }>(() =>
      Promise.reject(new Error('no body')),
    ),
  },
}).createMachine({
  id: 'till',
  context: { sum: 0 },
  initial: 'open',
  states: {
    open: {
      on: {
        add: { actions: assign({ sum: ({ context, event }) => context.sum + event.amount }) },
        close: 'printing',
      },
    },
    printing: {
      invoke: {
        src: 'print',
        input: ({ context }) => context,
        onDone: {
          target: 'closed',
          actions: assign(({ context, event }) => ({ ...context, receipt: event.output })),
        },
      },
    },
    closed: { type: 'final' },
  },
  output: ({ context }) => ({ sum: context.sum, receipt: String(Object(context).receipt) }),
});

/** One more who runs the machine over a host. */
const owner = (
  host: StoreHost,
  print: DurablePorts<typeof till>['print'] = ({ sum }) => `for ${sum}`,
): Promise<DurableMachine<typeof till>> =>
  durable(till, {
    host: { open: (how: OpenOptions) => host.open(how) },
    id: 'till',
    ports: { print },
  });

async function checkHistory(machine: DurableMachine<typeof till>): Promise<void> {
  const keys: string[] = [];
  for await (const { input } of machine.history())
    if (input.type === 'event' && input.key !== undefined) keys.push(input.key);
  assert.equal(new Set(keys).size, keys.length);
  for await (const { difference } of machine.replay()) assert.equal(difference, null);
}

/** What those who run the same machine over one host may rely on. */
export const machineChecks: Readonly<Record<string, (host: StoreHost) => Promise<void>>> = {
  'of a machine that two run each event is taken in once, and each answer': async (host) => {
    const asked: string[] = [];
    const print: DurablePorts<typeof till>['print'] = (_, { key }) => `${asked.push(key)}`;
    await using one = await owner(host, print);
    await using other = await owner(host, print);
    const sends = Array.from({ length: 20 }, async (_, n) => {
      const event = { type: 'add', amount: n } as const;
      const both = [one, other].map((each) => each.send(event, { key: `${n}` }));
      const [mine, theirs] = await Promise.all(both);
      assert.deepEqual(mine, theirs);
    });
    await Promise.all(sends);
    await one.send({ type: 'close' });
    const { sum } = await one.done;
    assert.equal(sum, 190);
    assert.equal(new Set(asked).size, 1);
    await other.send({ type: 'add', amount: 1 }).catch((error: unknown) => {
      assert.ok(isEngineError(error, 'MACHINE_ENDED'));
    });
    assert.deepEqual(await other.done, await one.done);
    await checkHistory(other);
  },
  'a machine that is opened again asks again, with the same key': async (host) => {
    const keys: string[] = [];
    const first = await owner(host, (_, { key }) => {
      keys.push(key);
      return new Promise(() => undefined);
    });
    await first.send({ type: 'add', amount: 7 });
    await first.send({ type: 'close' });
    await using second = await owner(host, (_, { key }) => `${keys.push(key)}`);
    assert.deepEqual(await second.done, { sum: 7, receipt: '2' });
    assert.equal(keys[0], keys[1]);
    await first.close();
  },
};

/** What of that holds where connections end at any moment. */
export const cutMachineChecks: Readonly<
  Record<string, (host: StoreHost, cut: (location: string) => Promise<void>) => Promise<void>>
> = {
  'connections cut at any moment lose no event of a machine, and take none in twice': async (
    host,
    cut,
  ) => {
    const records = await host.open({ durability: 'process', create: true });
    await using machine = await owner(host);
    const over = new AbortController();
    const cutting = (async () => {
      while (!over.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, 15));
        await cut(records.location);
      }
    })();
    const until = async <T>(work: () => Promise<T>): Promise<T> => {
      for (;;)
        try {
          return await work();
        } catch (error) {
          assert.ok(isEngineError(error) && error.retryable, String(error));
        }
    };
    for (let n = 0; n < 40; n += 1)
      await until(() => machine.send({ type: 'add', amount: n }, { key: `${n}` }));
    await until(() => machine.send({ type: 'close' }, { key: 'close' }));
    const { sum } = await machine.done;
    over.abort();
    await cutting;
    assert.equal(sum, 780);
    await until(() => checkHistory(machine));
    await records.close();
  },
};
