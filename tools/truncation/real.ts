import { openStore, type Message } from '../../src/index.ts';

/** What came before an answer, and the answer, where it is known. */
export interface Turn {
  readonly messages: readonly Message[];
  readonly answer?: Message;
}

/** A window in which any file can be imported, in tokens. */
const endless = 100_000_000;

/** Most turns of a file that are played. */
const mostTurns = 200;

/** The first turns of a session file, each up to an answer of the model. */
export async function turnsOf(file: string): Promise<readonly Turn[]> {
  await using store = await openStore(':memory:');
  const { id } = await store.import(file, { window: endless });
  const session = await store.open(id);
  const turns: Turn[] = [];
  let messages: Message[] = [];
  for await (const {
    id: _id,
    frame: _frame,
    at: _at,
    tokens: _tokens,
    ...message
  } of session.log()) {
    if (message.role !== 'assistant' || messages.length === 0) {
      messages.push(message);
      continue;
    }
    turns.push({ messages, answer: message });
    messages = [];
    if (turns.length === mostTurns) break;
  }
  return turns;
}
