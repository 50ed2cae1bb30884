import { expectTypeOf, test } from 'vitest';
import {
  openStore,
  type Assembly,
  type DurableMachine,
  type DurablePorts,
  type Message,
  type OutMessage,
  type Session,
  type SessionFact,
  type Summarizer,
} from '../src/index.ts';
import { orderPorts, type orderMachine } from './engine/durable/order.ts';

// Checked by `tsc -p test`; running it only proves that it parses.

declare const session: Session;

test('one message answers with its id, several with theirs', () => {
  const message: Message = { role: 'user', content: 'hi' };
  expectTypeOf(() => session.append(message)).returns.resolves.toEqualTypeOf<{ id: string }>();
  expectTypeOf(() => session.append([message])).returns.resolves.toEqualTypeOf<{ ids: string[] }>();
});

test('a message has one of three roles', () => {
  expectTypeOf<Message['role']>().toEqualTypeOf<'user' | 'assistant' | 'tool'>();
  // @ts-expect-error the system prompt is an option of the session
  const wrong: Message = { role: 'system', content: '' };
  expectTypeOf(wrong).not.toBeAny();
});

test('what comes out says what it is', () => {
  expectTypeOf<Assembly['messages'][number]>().toEqualTypeOf<OutMessage>();
  expectTypeOf<OutMessage['kind']>().toEqualTypeOf<'entry' | 'shortened' | 'made'>();
});

test('a listener hears the fact that it asked for', () => {
  const listen = (): (() => void) =>
    session.on('checkpoint.created', (fact) => {
      expectTypeOf(fact.checkpoint.tokens).toBeNumber();
      expectTypeOf(fact.seq).toBeNumber();
    });
  expectTypeOf(listen).returns.toEqualTypeOf<() => void>();
  expectTypeOf<SessionFact>().toHaveProperty('seq');
});

test('a summarizer is a name and a function', () => {
  const own: Summarizer = { name: 'own', summarize: async ({ entries }) => `${entries.length}` };
  expectTypeOf(() => openStore(':memory:', { summarizers: [own] })).toBeFunction();
});

test('a durable machine has the types of its machine', () => {
  const listen = (order: DurableMachine<typeof orderMachine>): void => {
    order.on('paid', ({ receipt }) => expectTypeOf(receipt).toBeString());
    order.on('*', ({ type }) => expectTypeOf(type).toEqualTypeOf<'paid' | 'refused'>());
    expectTypeOf(order.state.context.tries).toBeNumber();
    expectTypeOf(order.done).resolves.toHaveProperty('receipts');
    void order.send({ type: 'pay', card: '1' });
    // @ts-expect-error the machine takes no such event
    void order.send({ type: 'pray' });
    // @ts-expect-error nor does it emit one
    order.on('prayed', () => undefined);
  };
  type Ports = DurablePorts<typeof orderMachine>;
  // @ts-expect-error a receipt is a text
  const wrong: Ports = { ...orderPorts, charge: () => 1 };
  // @ts-expect-error each port has a body
  const missing: Ports = { charge: orderPorts.charge };
  expectTypeOf([wrong, missing]).toBeArray();
  expectTypeOf(listen).toBeFunction();
});
