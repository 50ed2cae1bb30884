import { expect } from 'vitest';
import {
  openStore,
  type Assembly,
  type Message,
  type Session,
  type ToolSpec,
  type Usage,
} from '../../src/index.ts';
import type { Provider } from './provider.ts';

// The life of an agent, whoever serves its model: turns of several calls at once until the window was
// compressed twice, a host that ends and begins again, a refusal for length, an image, calls of another model.

export const tools: readonly ToolSpec[] = [
  {
    name: 'read',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
];

/** What the model answered, and what that cost. */
export interface Answered {
  readonly messages: readonly Message[];
  readonly usage: Usage;
}

const image = {
  type: 'file',
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
} as const;

/** Lives a life at `location`; `ask` sends an assembly and reads the answer. Gives facts that were told. */
export async function live(
  location: string,
  given: {
    readonly provider: Pick<Provider, 'overflow' | 'refused'>;
    readonly ask: (assembly: Assembly) => Promise<Answered>;
    readonly model: string;
    /** What the provider says of a prompt that is too long. */
    readonly overflow: string;
    readonly turns?: number;
  },
): Promise<{ readonly compressions: number }> {
  const { turns = 24, provider } = given;
  let compressions = 0;
  for (let turn = 0; turn < turns;) {
    await using store = await openStore(location);
    const session = await store.open('life', {
      window: 8_000,
      reserve: 1_000,
      model: given.model,
      system: 'You are careful.',
    });
    for (const end = turn + turns / 2; turn < end; turn += 1) {
      if (turn === 3) provider.overflow(given.overflow);
      await takeTurn(session, turn, given.ask);
    }
    compressions = session.state.compressions;
  }
  expect(provider.refused).toEqual([]);
  return { compressions };
}

async function takeTurn(
  session: Session,
  turn: number,
  ask: (assembly: Assembly) => Promise<Answered>,
): Promise<void> {
  // Another model begins some turns: its ids are not allowed everywhere, it thought elsewhere, and it may say nothing.
  const isForeign = turn % 4 === 1;
  if (isForeign) await session.append({ role: 'assistant', content: '' });
  await session.append({ role: 'user', content: `Turn ${turn}: read two files.` });
  const id = `call.${turn}:0`;
  if (isForeign)
    await session.append([
      { role: 'assistant', content: '', toolCalls: [{ id, name: 'read', arguments: {} }] },
      { role: 'tool', toolCallId: id, content: 'ok' },
    ]);
  for (let step = 0; step < 6; step += 1) {
    const calls = await takeStep(session, ask);
    if (calls.length === 0) return;
    for (const [n, { id }] of calls.entries()) {
      const text = {
        type: 'text',
        text: `file ${turn}.${n}\n${'const line = 1; '.repeat(60)}`,
      } as const;
      const content = turn === 2 && n === 0 ? [text, image] : [text];
      await session.append({ role: 'tool', content, ...(id !== undefined && { toolCallId: id }) });
    }
  }
  throw new Error(`turn ${turn} does not end`);
}

async function takeStep(session: Session, ask: (assembly: Assembly) => Promise<Answered>) {
  for (let attempt = 0; ; attempt += 1) {
    const assembly = await session.assemble({ tools });
    try {
      const { messages, usage } = await ask(assembly);
      await session.append(messages, { assembly: assembly.id, usage });
      return messages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []));
    } catch (error) {
      const { truncation } = await session.report({ assembly: assembly.id, error });
      if (truncation !== 'certain' || attempt > 1) throw error;
    }
  }
}

/** All that was said is in the log: each turn of two answers and two results once, and the one that was broken off. */
export async function expectAllSaid(session: Session, turns: number): Promise<void> {
  const counts = new Map<string, number>();
  const add = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  for await (const entry of session.log()) {
    if (entry.role === 'user' && entry.origin !== 'machine') add('people');
    if (entry.role === 'tool') add('results');
    if (entry.role !== 'assistant') continue;
    add('answers');
    if (entry.finish === 'aborted') add('aborted');
  }
  expect(Object.fromEntries(counts)).toEqual({
    people: turns + 1,
    answers: 2 * turns + 1,
    results: 2 * turns + 1,
    aborted: 1,
  });
  expect(session.frames.tree().children.map(({ status }) => status)).toEqual(['in_progress']);
}
