import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { shellScripts, type Shell } from './shell-scripts.ts';

/** Prints the script of a shell; gives the exit code. */
export function completion(shell: Shell, call: CommandCall): number {
  const script = shellScripts[shell];
  if (call.json) call.emit('flamestack.completion/1', { shell, script });
  else call.print(script.trimEnd());
  return exits.done;
}
