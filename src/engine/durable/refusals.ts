import { EngineError, fail } from '../../core/values/error.ts';
import type { DecidedMachine } from './decide-machine.ts';
import type { RestingMachine } from './machine-record.ts';

/** The refusal of a call on a closed handle. */
export const closed = (id: string): EngineError =>
  fail('MACHINE_CLOSED', `This handle of machine "${id}" is closed`, { machine: id });

/** The refusal of a machine that is not there any more, though another may have its name. */
export const machineDeleted = (id: string): EngineError =>
  fail('MACHINE_ENDED', `Machine "${id}" was deleted`, { machine: id, status: 'deleted' });

/** The refusal of an event to a machine that is over. */
export function ended({ snapshot: { status } }: RestingMachine, id: string): EngineError {
  const how = status === 'done' ? 'done' : 'over, with an error';
  return fail('MACHINE_ENDED', `Machine "${id}" is ${how}, and takes no more events`, {
    machine: id,
    status,
  });
}

/** The refusal to begin a machine anew that is open as it was. */
export function stillOpen(id: string, resting: RestingMachine, handles: number): EngineError {
  const message = `Machine "${id}" is open in this program as ${nameOf(resting)}; close it first`;
  return new EngineError('BUSY', message, { retryable: true, detail: { machine: id, handles } });
}

/** The refusal to go on with a machine that is not as it was. */
export function machineChanged(
  { machine }: Pick<DecidedMachine, 'machine'>,
  id: string,
  resting: RestingMachine,
): EngineError {
  const to = nameOf({ machine: machine.id, version: machine.version ?? null });
  const { version, snapshot } = resting;
  const message = `Machine "${id}" rests in ${JSON.stringify(snapshot.value)} of ${nameOf(resting)}, and ${to} does not go on from there; open it with the machine that it was, or tell with the option restart what it begins anew with`;
  return fail('MACHINE_CHANGED', message, {
    machine: id,
    state: snapshot.value,
    version,
    given: machine.version ?? null,
  });
}

/** A machine with its version, in words. */
const nameOf = ({ machine, version }: Pick<RestingMachine, 'machine' | 'version'>): string =>
  `"${machine}"${version === null ? '' : ` of version ${version}`}`;
