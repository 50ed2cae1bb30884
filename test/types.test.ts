import { expectTypeOf, test } from 'vitest';
import {
  openStore,
  type Assembly,
  type Message,
  type OutMessage,
  type Session,
  type SessionFact,
  type Summarizer,
} from '../src/index.ts';

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
