import { callText, type Said } from './said.ts';

/** A whole context as one text, each message under who says it, each call on a line of its own. */
export function contextText(messages: readonly Said[]): string {
  return messages
    .map(({ role, tool, content, calls }) =>
      [
        `[${role}${tool === undefined ? '' : ` ${tool}`}]`,
        ...(content === '' ? [] : [content]),
        ...calls.map((call) => `[call] ${callText(call)}`),
      ].join('\n'),
    )
    .join('\n\n');
}
