import { assign, emit, fromPromise, raise, setup } from 'xstate';
import type { DurablePorts } from '../../../src/index.ts';

// A stranger's machine: an order that is paid (again after a while, where that fails), shipped and billed side
// by side, and given up where nobody pays.

/** An order that waits for a payment, two more tries and an hour at most. */
export const orderMachine = setup({
  types: {
    context: {} as {
      readonly item: string;
      readonly tries: number;
      readonly receipts: readonly string[];
      readonly notes: readonly string[];
    },
    input: {} as { readonly item: string },
    events: {} as
      | { readonly type: 'pay'; readonly card: string }
      | { readonly type: 'note'; readonly text: string }
      | { readonly type: 'cancel' },
    emitted: {} as
      | { readonly type: 'paid'; readonly receipt: string }
      | { readonly type: 'refused'; readonly tries: number },
    output: {} as { readonly end: string; readonly receipts: readonly string[] },
  },
  actors: {
    charge: fromPromise<string, { readonly item: string; readonly tries: number }>(() =>
      Promise.reject(new Error('no body')),
    ),
    ship: fromPromise<string, { readonly item: string }>(() =>
      Promise.reject(new Error('no body')),
    ),
    bill: fromPromise<null, { readonly item: string }>(() => Promise.reject(new Error('no body'))),
  },
  guards: { mayRetry: ({ context }) => context.tries < 3 },
  delays: { pause: ({ context }) => context.tries * 1_000, patience: 3_600_000 },
}).createMachine({
  id: 'order',
  version: '1',
  context: ({ input }) => ({ item: input.item, tries: 0, receipts: [], notes: [] }),
  initial: 'waiting',
  on: {
    note: {
      actions: assign({ notes: ({ context, event }) => [...context.notes, event.text] }),
    },
  },
  states: {
    waiting: {
      on: { pay: 'paying', cancel: 'cancelled' },
      after: { patience: 'cancelled' },
    },
    paying: {
      entry: assign({ tries: ({ context }) => context.tries + 1 }),
      invoke: {
        src: 'charge',
        input: ({ context: { item, tries } }) => ({ item, tries }),
        onDone: {
          target: 'fulfilling',
          actions: [
            assign({ receipts: ({ context, event }) => [...context.receipts, event.output] }),
            emit(({ event }) => ({ type: 'paid', receipt: event.output })),
          ],
        },
        onError: [{ guard: 'mayRetry', target: 'pausing' }, { target: 'cancelled' }],
      },
      on: { cancel: 'cancelled' },
    },
    pausing: {
      entry: emit(({ context }) => ({ type: 'refused', tries: context.tries })),
      after: { pause: 'paying' },
      on: { cancel: 'cancelled' },
    },
    fulfilling: {
      type: 'parallel',
      states: {
        parcel: {
          initial: 'shipping',
          states: {
            shipping: {
              invoke: {
                src: 'ship',
                input: ({ context }) => ({ item: context.item }),
                onDone: {
                  target: 'shipped',
                  actions: assign({
                    receipts: ({ context, event }) => [...context.receipts, event.output],
                  }),
                },
                onError: 'lost',
              },
            },
            shipped: { type: 'final' },
            lost: { after: { 5_000: 'shipping' } },
          },
        },
        invoice: {
          initial: 'billing',
          states: {
            billing: {
              entry: raise({ type: 'note', text: 'thank you' }),
              invoke: {
                src: 'bill',
                input: ({ context }) => ({ item: context.item }),
                onDone: 'billed',
                onError: 'billed',
              },
            },
            billed: { type: 'final' },
          },
        },
      },
      onDone: 'completed',
    },
    completed: { type: 'final' },
    cancelled: { type: 'final' },
  },
  output: ({ context, event }) => ({
    end: event.type.replace('xstate.done.state.order.', ''),
    receipts: context.receipts,
  }),
});

/** Ports that do at once what they are asked. */
export const orderPorts: DurablePorts<typeof orderMachine> = {
  charge: ({ tries }) => `charged ${tries}`,
  ship: async ({ item }) => `shipped ${item}`,
  bill: () => null,
};
