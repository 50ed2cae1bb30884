import { Argument, Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common, paged } from '../../command-line/options.ts';
import type { MachineName, MachineOptions } from '../machine.ts';

const examples = `
mermaid is for docs, json is the chart for createMachine(), scxml is the W3C's
State Chart XML, xstate is a module for an editor of statecharts. Guards,
actions, ports and functions stand in all of them by their names; what they do
is not in them.

Examples
  flamestack machine                                   which there are
  flamestack machine compression                       as a Mermaid diagram
  flamestack machine frame --as scxml > frame.scxml
`;

/** Adds `machine`. */
export function addMachine(program: Command, { call, settle }: CommandSetup): void {
  const names = ['session', 'frame', 'compression', 'recovery', 'tracker'];
  const command = program
    .command('machine')
    .description('Draw a state machine of the engine.')
    .addArgument(new Argument('[name]', 'which; unless told, all are listed').choices(names))
    .addOption(
      new Option('--as <form>', 'unless told, mermaid').choices([
        'mermaid',
        'json',
        'scxml',
        'xstate',
      ]),
    );
  common(paged(command), examples, null).action(
    async (name: MachineName | undefined, options: MachineOptions & CommonOptions) => {
      const { machine } = await import('../machine.ts');
      settle(machine(name, options, call(options)));
    },
  );
}
