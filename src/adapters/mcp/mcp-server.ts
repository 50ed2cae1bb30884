import type { McpServer } from '@modelcontextprotocol/server';
import type { Store } from '../../index.ts';
import { memoryServer } from './memory-server.ts';
import { servedStore, type ServedStore } from './served-session.ts';

/** What {@link mcpServer} serves. */
export interface McpOptions {
  /** A folder or an address, opened for moments; or a store that is open, and stays yours to close. */
  readonly store: string | Store;
  /** The id of the session; the latest unless told. Where there is none, the first note begins it. */
  readonly session?: string | undefined;
  /**
   * Answers have `structuredContent`, too, and tools an `outputSchema`; for a client that is a program. Claude Code and
   * Codex would show a model this JSON in place of the text.
   */
  readonly structured?: boolean | undefined;
}

/**
 * A server of the Model Context Protocol whose tools read and keep the memory of a store, for a program to
 * connect to a transport and to add tools of its own to. One for each connection, as the SDK wants it:
 * those of one process share a store.
 */
export function mcpServer({ store, ...options }: McpOptions): McpServer {
  return memoryServer({
    store: typeof store === 'string' ? storeAt(store) : servedStore(store),
    ...options,
  });
}

const stores = new Map<string, ServedStore>();

/** The store at a location, one for all servers; one in memory is each server's own. */
function storeAt(location: string): ServedStore {
  const store = stores.get(location) ?? servedStore(location);
  if (location !== ':memory:') stores.set(location, store);
  return store;
}
