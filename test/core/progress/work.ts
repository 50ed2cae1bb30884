import { linesOf } from '../../../src/core/chronicle/lines.ts';
import { isHuman, textOf, type Message } from '../../../src/core/messages/message.ts';
import type { SessionWork } from '../../../src/core/progress/session-work.ts';
import { words } from '../../notation/state.ts';

// The work of a session in lines, one an entry from e1 on:
//
//   u what a person says      m what a machine says in the place of one
//   a what the model says     c text | tool: argument     r what came out     r! what failed

/** The work that these lines tell. */
export function workIn(lines: readonly string[], more: Partial<SessionWork> = {}): SessionWork {
  const entries = lines.map((line, at) => ({ n: at + 1, message: messageOf(line, at) }));
  const said = entries.flatMap(({ n, message }) =>
    isHuman(message) ? [{ n, text: textOf(message.content) }] : [],
  );
  return {
    said,
    edits: [],
    lines: linesOf(entries, { turn: 0, root: '', count: words }),
    list: [],
    entries,
    moves: [],
    root: '',
    recovered: null,
    ...more,
  };
}

function messageOf(line: string, at: number): Message {
  const [, kind, content] = /^(\S+) (.*)$/s.exec(line)!;
  switch (kind!) {
    case 'u':
      return { role: 'user', content: content! };
    case 'm':
      return { role: 'user', content: content!, origin: 'machine' };
    case 'a':
      return { role: 'assistant', content: content! };
    case 'c': {
      const [, text, name, argument] = /^(.*?) ?\| (\w+): (.*)$/s.exec(content!)!;
      const key = name === 'bash' ? 'command' : 'path';
      const call = { id: `call${at}`, name: name!, arguments: { [key]: argument, content: 'x' } };
      return { role: 'assistant', content: text!, toolCalls: [call] };
    }
    default:
      return {
        role: 'tool',
        toolCallId: `call${at - 1}`,
        content: content!,
        isError: kind === 'r!',
      };
  }
}
