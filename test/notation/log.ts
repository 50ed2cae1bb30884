import type { Assembly, Message } from '../../src/index.ts';

// A log on one line: `u200 a800 call:read result:read m50`. Letters say who
// (user, assistant, machine), numbers how many words; `call:x,y` makes calls,
// `result:x` answers the oldest open one of that name, `result:x:90` in 90 words.

/** The messages of a line of log notation; each text is distinct, so that order shows. */
export function parseLog(line: string): Message[] {
  let serial = 0;
  return line
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word): Message => {
      serial += 1;
      const [kind, name = '', size] = word.split(':');
      if (kind === 'call')
        return {
          role: 'assistant',
          content: '',
          toolCalls: name
            .split(',')
            .map((name) => ({ id: `${name}-${serial}`, name, arguments: { serial } })),
        };
      if (kind === 'result') {
        const content = size === undefined ? `result ${serial} of ${name}` : words(size, serial);
        return { role: 'tool', name, content };
      }
      const text = words(word.slice(1), serial);
      if (word[0] === 'u') return { role: 'user', content: text };
      if (word[0] === 'm') return { role: 'user', content: text, origin: 'machine' };
      return { role: 'assistant', content: text };
    });
}

function words(count: string, serial: number): string {
  return Array.from({ length: Number(count) }, (_, index) => `w${serial}x${index}`).join(' ');
}

/** An assembly on one line: section, kind and entry of each message. */
export function printAssembly({ messages }: Pick<Assembly, 'messages'>): string {
  return messages
    .map(({ section, kind, entry }) =>
      kind === 'made' ? section : `${kind === 'entry' ? '' : '~'}${entry}`,
    )
    .join(' ');
}
