import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from './call/call.ts';
import { version } from './call/version.ts';
import { common } from './command-line/options.ts';

const examples = `
Examples
  flamestack version
  flamestack version --json
`;

/** Adds `version`. */
export function addVersion(program: Command, { call }: CommandSetup): void {
  const command = program.command('version').description('Say which version this is.');
  common(command, examples, null).action((options: CommonOptions) => {
    const one = call(options);
    if (one.json) one.emit('flamestack.version/1', { version: version() });
    else one.print(version());
  });
}
