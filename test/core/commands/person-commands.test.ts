import { expect, test } from 'vitest';
import { personCommand, personOutput } from '../../../src/core/commands/person-commands.ts';
import { callsOf } from '../../../src/core/commands/scripted-calls.ts';
import type { UserMessage } from '../../../src/core/messages/message.ts';

const host = (content: string): UserMessage => ({ role: 'user', origin: 'machine', content });

test('what a person ran in Claude Code is a call, and what it printed its result in the next message', () => {
  const ran = host('<bash-input>git push origin main</bash-input>');
  expect(personCommand(ran)).toEqual({
    call: { name: 'bash', arguments: { command: 'git push origin main' } },
    result: undefined,
  });
  expect(callsOf(ran)).toEqual([personCommand(ran)!.call]);
  expect(
    personOutput(host('<bash-stdout>done</bash-stdout><bash-stderr>warning: x</bash-stderr>')),
  ).toEqual({ role: 'tool', name: 'bash', content: 'done\nwarning: x' });
});

test('what a person ran in Codex is a call with its result', () => {
  const ran = host(
    '<user_shell_command>\n<command>\nls tea\n</command>\n<result>\nExit code: 1\nOutput:\nls: tea: no such file\n</result>\n</user_shell_command>',
  );
  expect(personCommand(ran)).toEqual({
    call: { name: 'bash', arguments: { command: 'ls tea' } },
    result: { role: 'tool', name: 'bash', content: 'Exit code: 1\nOutput:\nls: tea: no such file' },
  });
});

test.each([
  'Run it: <bash-input>git push</bash-input>',
  '<bash-input> </bash-input>',
  '<command-name>/clear</command-name>',
  'git push',
])('%j is no command that a person ran', (content) => {
  expect(personCommand(host(content))).toBeNull();
  expect(callsOf(host(content))).toEqual([]);
  expect(personOutput(host(content))).toBeNull();
});
