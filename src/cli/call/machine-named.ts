import { durableMachines } from '../../reader.ts';
import { storeFolder, type CommandCall } from './call.ts';
import type { Failure } from './exit.ts';

/** A failure as it is, or where a durable machine of the store has the name of a session that is not there, with that. */
export async function withMachineNamed(failure: Failure, call: CommandCall): Promise<Failure> {
  const { session } = failure.detail;
  if (failure.code !== 'SESSION_NOT_FOUND' || typeof session !== 'string') return failure;
  if (!(await isMachine(session, call))) return failure;
  return {
    ...failure,
    message: `${failure.message}; a durable machine has this name`,
    advice: `No command shows one: the program that runs it reads it by durable(…).history().\n${failure.advice}`,
  };
}

/** Whether a durable machine of the store has this id; not where nothing of it can be read. */
async function isMachine(id: string, call: CommandCall): Promise<boolean> {
  try {
    for await (const machine of durableMachines(storeFolder(call)))
      if (machine.id === id) return true;
  } catch {
    // The failure that there is stays the one that is told.
  }
  return false;
}
