import {
  compressionMachine,
  frameMachine,
  recoveryMachine,
  sessionMachine,
  toDefinition,
  toMermaid,
  toScxml,
  toSource,
  trackerMachine,
} from '../../../machines/index.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';

/** The name of a machine. */
export type MachineName = 'session' | 'frame' | 'compression' | 'recovery' | 'tracker';

type Machine = Parameters<typeof toMermaid>[0];

const machines: Record<MachineName, Machine> = {
  session: sessionMachine,
  frame: frameMachine,
  compression: compressionMachine,
  recovery: recoveryMachine,
  tracker: trackerMachine,
};

/** What each machine is for. */
const purposes: Record<MachineName, string> = {
  session: 'its phases, and what is taken in each',
  frame: 'the life of one frame',
  compression: 'the oldest units become a checkpoint',
  recovery: 'context was lost, and is rebuilt',
  tracker: 'the issue that an agent works on',
};

/** Forms in which a machine is shown. */
const forms = {
  mermaid: toMermaid,
  json: (machine) => `${JSON.stringify(toDefinition(machine), null, 2)}\n`,
  scxml: toScxml,
  xstate: toSource,
} as const satisfies Record<string, (machine: Machine) => string>;

/** Options of `machine` alone. */
export interface MachineOptions {
  readonly as?: keyof typeof forms;
}

/** Shows a machine in a form, or which there are; gives the exit code. */
export function machine(
  name: MachineName | undefined,
  { as = 'mermaid' }: MachineOptions,
  call: CommandCall,
): number {
  if (name === undefined) {
    const rows = Object.values(machines).map(({ id, version, states }) => ({
      name: id,
      version,
      states: Object.keys(states),
      purpose: purposes[id as MachineName],
    }));
    if (call.json) call.emit('flamestack.machines/1', { machines: rows });
    else
      call.print(
        ...rows.map((row) => `${row.name.padEnd(12)} ${row.states.length} states: ${row.purpose}`),
      );
    return exits.done;
  }
  if (call.json) call.emit('flamestack.machine/1', { machine: toDefinition(machines[name]) });
  else call.print(...forms[as](machines[name]).trimEnd().split('\n'));
  return exits.done;
}
