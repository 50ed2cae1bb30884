import {
  EngineError,
  isEngineError,
  openStore,
  type Assembly,
  type SessionOptions,
  type Store,
} from '../../../../index.ts';
import { ownToolsIn } from '../../tools/own-tools.ts';
import { toolsFor, type ToolsWanted, specsOf, toolsOf } from '../chat-tools.ts';
import type { Chat } from '../chat.ts';

// Whether a window holds what every request of a chat begins with is tried on a
// session in memory, before there is one in the store.

/** What many a server counts for a token of ours, and the tokens that a turn takes. */
const counts = { most: 1.5, turn: 512 } as const;

/** Options of a session for a given window. */
export type OptionsFor = (window: number) => SessionOptions;

/** Windows among which the least one is looked for, in tokens, and the steps between. */
const windows = { most: 131_072, step: 512 } as const;

/** The first assembly of a session with this window; rejects where none fits, with the least sufficient window as `needs`. */
export async function checkRoom(
  window: number,
  { options, tools }: { options: OptionsFor; tools: ToolsWanted },
): Promise<Assembly> {
  await using store = await openStore(':memory:');
  const first = (size: number): Promise<Assembly> =>
    firstAssembly(store, { ...options(size), window: size }, tools);
  try {
    return await first(window);
  } catch (error) {
    if (!isEngineError(error) || !isTooSmall(error)) throw error;
    const needs = await leastWindow((size) => first(size).then(isRoomy, () => false));
    const { code, message, detail } = error;
    const more = { needs, frames: tools.own !== 'none' };
    throw new EngineError(code, message, { cause: error, detail: { ...detail, ...more } });
  }
}

/** Whether there is room for a turn even on a server that counts more than we do. */
export function isRoomy({ budget }: Assembly): boolean {
  const { window, reserve, system, tools } = budget;
  return (system + tools) * counts.most + counts.turn <= window - reserve;
}

function isTooSmall({ code }: EngineError): boolean {
  return code === 'SYSTEM_TOO_LARGE' || code === 'CONTEXT_OVERFLOW' || code === 'WINDOW_TOO_SMALL';
}

async function firstAssembly(
  store: Store,
  options: SessionOptions & { readonly window: number },
  tools: ToolsWanted,
): Promise<Assembly> {
  const { window } = options;
  const session = await store.open(`w${window}`, { ...options, summarizer: 'embedded' });
  await session.append({ role: 'user', content: 'Hello' });
  return session.assemble({
    tools: specsOf(await toolsFor(session, tools), { own: ownToolsIn(tools.own, window), window }),
  });
}

/** The least sufficient window, in tokens; null for none. */
async function leastWindow(does: (window: number) => Promise<boolean>): Promise<number | null> {
  let [low, high]: [number, number] = [1, windows.most / windows.step];
  if (!(await does(windows.most))) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await does(middle * windows.step)) high = middle;
    else low = middle + 1;
  }
  return low * windows.step;
}

/** Has the tools counted before anything is asked. */
export async function measurePrompt(chat: Chat): Promise<void> {
  const { session, person } = chat;
  // What cannot be sent is told when it is to be.
  await person
    .during((signal) => session.assemble({ tools: toolsOf(chat), signal }))
    .catch(() => null);
}
