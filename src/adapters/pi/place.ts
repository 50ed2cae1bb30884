import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectStore } from '../project-store.ts';
import type { PiContext } from './host.ts';

/**
 * Where a session of pi is kept: in the store of its project, where that has one, else in one for all projects in pi's
 * own folder. What pi keeps nowhere is kept in memory.
 */
export function storePlace(
  { cwd, sessionManager }: PiContext,
  location: string | undefined,
): string {
  if (sessionManager.getSessionFile() === undefined) return ':memory:';
  const own = process.env['PI_CODING_AGENT_DIR'] ?? join(homedir(), '.pi', 'agent');
  return location ?? projectStore(cwd) ?? join(own, 'flamestack');
}
