import { EngineError } from '../../core/values/error.ts';
import { storeOwner, type StoreOwner } from './owner.ts';

/** The error for a store that this process has open, under the name `openAs`. */
export function openAlready(location: string, openAs: string): EngineError {
  const { pid } = process;
  const message = `Store "${location}" is in use: this process (${pid}) has it open as "${openAs}"`;
  return new EngineError('STORE_IN_USE', message, {
    detail: { location, pid, openAs },
    retryable: true,
  });
}

/** Whether a database did not open because somebody has it. */
export const isLocked = (error: unknown): boolean =>
  ((error as Error).cause as { code?: string } | undefined)?.code === 'LEVEL_LOCKED';

/** The error for a store that another process has open. */
export async function inUse(location: string, cause?: unknown): Promise<EngineError> {
  const owner = await storeOwner(location);
  const { pid, command, session } = owner ?? {};
  const by = owner === undefined ? '' : `: ${nameOf(owner)}`;
  return new EngineError('STORE_IN_USE', `Store "${location}" is in use${by}`, {
    detail: {
      location,
      ...(pid === undefined ? {} : { pid }),
      ...(command === undefined ? {} : { command }),
      ...(session === undefined ? {} : { session }),
    },
    retryable: true,
    cause,
  });
}

/** `your chat "notes", process 22069`. */
function nameOf({ pid, command, session }: StoreOwner): string {
  const name = session === undefined ? '' : `"${session}"`;
  const work = command === undefined ? name && `session ${name}` : `your ${command} ${name}`.trim();
  return work === '' ? `process ${pid}` : `${work}, process ${pid}`;
}
