import { Argument, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { common } from '../command-line/options.ts';
import { shells, type Shell } from './shell-scripts.ts';

const examples = `
Tab then completes commands, options, their values, sessions (by id, or by what
stands in their title) and agents. The script asks this program each time, so it
is written once and fits every version. Open a new shell afterwards.

Examples
  flamestack completion bash > \\
    ~/.local/share/bash-completion/completions/flamestack
  flamestack completion zsh > "\${fpath[1]}/_flamestack"
  flamestack completion fish > ~/.config/fish/completions/flamestack.fish
  eval "$(flamestack completion bash)"     for this shell only; zsh alike
`;

/** Adds `completion`. */
export function addCompletion(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('completion')
    .description('Print a script by which a shell completes what is typed.')
    .addArgument(new Argument('<shell>', 'which').choices(shells));
  common(command, examples, null).action(async (shell: Shell, options: CommonOptions) => {
    const { completion } = await import('./completion.ts');
    settle(completion(shell, call(options)));
  });
}
