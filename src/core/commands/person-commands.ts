import { textOf, type ToolCall, type ToolMessage, type UserMessage } from '../messages/message.ts';
import { readOnce } from '../values/read-once.ts';

// Commands that a person runs through the host, which tells the model of them in the
// user role:
//
//   Claude Code   <bash-input>git push</bash-input>, and in the next message
//                 <bash-stdout>…</bash-stdout><bash-stderr>…</bash-stderr>
//   Codex         <user_shell_command><command>git push</command>
//                 <result>Exit code: 0 …</result></user_shell_command>

/** A command of a person, as a call; its result where the same message has it. */
export interface PersonCommand {
  readonly call: ToolCall;
  readonly result: ToolMessage | undefined;
}

const commandTags =
  /^\s*(?:<bash-input>([^]*?)<\/bash-input>|<user_shell_command>\s*<command>([^]*?)<\/command>(?:\s*<result>([^]*)<\/result>)?)/;

/** The command that a message of a host says a person ran; null for another message. */
export const personCommand: (message: UserMessage) => PersonCommand | null = readOnce(
  ({ content }: UserMessage) => {
    const [match, typed, codexCommand, result] = commandTags.exec(textOf(content)) ?? [];
    const command = (typed ?? codexCommand ?? '').trim();
    if (match === undefined || command === '') return null;
    return {
      call: { name: 'bash', arguments: { command } },
      result: result === undefined ? undefined : resultOf(result),
    };
  },
);

const printed =
  /^\s*<bash-stdout>([^]*?)<\/bash-stdout>(?:\s*<bash-stderr>([^]*?)<\/bash-stderr>)?/;

/** What a message of a host says that the command before it printed; null for another message. */
export function personOutput({ content }: UserMessage): ToolMessage | null {
  const [match, out = '', err = ''] = printed.exec(textOf(content)) ?? [];
  return match === undefined ? null : resultOf([out, err].filter((one) => one !== '').join('\n'));
}

const resultOf = (content: string): ToolMessage => ({
  role: 'tool',
  name: 'bash',
  content: content.trim(),
});
