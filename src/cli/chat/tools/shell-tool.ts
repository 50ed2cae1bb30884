import type { ChatTool } from './chat-tool.ts';
import { text } from './file-tools.ts';
import { runCommand } from './run-command.ts';

/** Its name. */
export const commandTool = 'run_command';

/** Longest that a command may take unless told, and at all, in seconds. */
const seconds = { usual: 120, most: 900 } as const;

/** A tool that runs commands in a folder; results have at most `longest` characters. */
export function shellTool(folder: string, longest: () => number): ChatTool {
  return {
    name: commandTool,
    isOwn: false,
    description:
      'Run a shell command in the working folder. Returns its output and exit code. It gets no input, and whatever it started is ended with it.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        timeout_seconds: { type: 'integer', description: `${seconds.usual} unless told.` },
      },
      required: ['command'],
    },
    about: (given) => text(given, 'command'),
    async ask(given) {
      const command = text(given, 'command');
      return { right: `run ${command}`, question: 'Run this', preview: [{ text: `“${command}”` }] };
    },
    async run(given, signal) {
      const asked = Number(given['timeout_seconds'] ?? seconds.usual) || seconds.usual;
      const timeout = Math.min(Math.max(1, asked), seconds.most);
      const ran = await runCommand(text(given, 'command'), {
        folder,
        signal,
        timeout: timeout * 1_000,
        longest: longest(),
      });
      const end = ran.isLate ? `stopped after ${timeout} s` : `exit code ${ran.code ?? 'none'}`;
      return `${ran.output}${ran.output === '' || ran.output.endsWith('\n') ? '' : '\n'}[${end}]`;
    },
  };
}

/** How a command ended, as the last line of its result says. */
export function endOf(result: string): string {
  return /\[([^\]\n]*)\]$/.exec(result)?.[1] ?? '';
}
