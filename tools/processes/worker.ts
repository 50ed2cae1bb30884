import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  countTokens,
  isEngineError,
  openStore,
  postgresHost,
  type Session,
} from '../../src/index.ts';
import type { RecordStore, StoreHost } from '../../src/testing/index.ts';
import { messageOf, retried, type Orders, type Told } from './work.ts';

// One of several processes over one store: node worker.js <address> <sessions>
//
// It appends to any session of them, a few at once, and says on a synchronous pipe what it is about to
// say and what was acknowledged: what the parent can read was so. It is killed at any moment. What the
// process before it left without an answer comes in with its name, a line of its input that it waits for,
// and is said again first. At the end of its input it ends.

const [, , address, count] = process.argv;
const callers = 8;
const say = (told: Told): void => void writeSync(1, `${JSON.stringify(told)}\n`);
const store = await openStore(counting(postgresHost({ connectionString: address! })));
/** Sessions that stay open, and so are behind what others write: every other one. */
const held = new Map<string, Promise<Session>>();
let said = 0;
const over = new AbortController();
const input = createInterface({ input: process.stdin }).on('close', () => over.abort());
const ordered = once(input, 'line') as Promise<[line: string]>;

/** Sends one message, as often as it takes. */
async function send(session: string, key: string): Promise<void> {
  say({ is: 'sent', session, key });
  for (;;) {
    try {
      const handle = await handleOf(session);
      const { id } = await handle.append(messageOf(key), { key });
      say({ is: 'kept', session, key, id });
      if (said % 9 === 0) await lookAround(handle);
      if (!held.has(session)) await handle.close();
      return;
    } catch (error) {
      if (!isEngineError(error) || !retried.includes(error.code)) throw error;
      say({ is: 'refused', code: error.code });
    }
  }
}

function handleOf(session: string): Promise<Session> {
  if (Number(session.slice(1)) % 2 === 1) return store.open(session);
  const handle = held.get(session) ?? store.open(session);
  held.set(session, handle);
  return handle;
}

/** A host that tells how often a commit was refused, which the engine sees to by itself. */
function counting(host: StoreHost): StoreHost {
  return {
    async open(options) {
      const records = await host.open(options);
      const commit: RecordStore['commit'] = async (changes, expect) =>
        records.commit(changes, expect).catch((error: unknown) => {
          if (isEngineError(error, 'CONFLICT')) say({ is: 'behind' });
          throw error;
        });
      return Object.assign(Object.create(records) as RecordStore, { commit });
    },
  };
}

/** What else a host does between two messages. */
async function lookAround(handle: Session): Promise<void> {
  const { messages, budget } = await handle.assemble();
  if (messages.length === 0 || budget.total > budget.limit) throw new Error('It does not fit');
  if (said % 27 === 0) await handle.goal.set({ description: `What is wanted of ${said}` });
  if (said % 36 === 0) await handle.snapshots.create(`Snapshot ${said}`);
}

await countTokens('loads the vocabulary');
say({ is: 'open' });
const { name, left } = JSON.parse((await ordered)[0]) as Orders;
await Promise.all(left.map(([session, key]) => send(session, key)));
await Promise.all(
  Array.from({ length: callers }, async () => {
    while (!over.signal.aborted) {
      said += 1;
      await send(`s${Math.floor(Math.random() * Number(count))}`, `${name}.${said}`);
    }
  }),
);
for (const handle of held.values()) await (await handle).close();
await store.close();
