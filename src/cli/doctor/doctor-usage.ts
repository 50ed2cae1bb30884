import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import {
  common,
  hostOption,
  modelOption,
  openaiOption,
  windowOption,
} from '../command-line/options.ts';
import type { DoctorOptions } from './doctor.ts';

const examples = `
The exit code is 4 if something has to be fixed. The model is loaded, and asked
for one token, to see its window in force and how the server counts.

Examples
  flamestack doctor
  flamestack doctor --model qwen3:8b --window 16k
  flamestack doctor --openai http://127.0.0.1:8080/v1 --json
`;

/** Adds `doctor`. */
export function addDoctor(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('doctor')
    .description('Check server, model, window and store, and say what to fix.')
    .addOption(modelOption('FLAMESTACK_MODEL, or the only one, unless told'))
    .addOption(hostOption())
    .addOption(openaiOption())
    .addOption(windowOption('as for a new chat'))
    .option('--no-load', 'do not load the model to look at its window');
  common(command, examples).action(async (options: DoctorOptions & CommonOptions) => {
    const { doctor } = await import('./doctor.ts');
    settle(await doctor(options, call(options)));
  });
}
