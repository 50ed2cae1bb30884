import type { ProgramWords } from './program-words.ts';

// Only the lines between the two comments are ever written or taken away: the rest of the file is a person's.

const begin = '# begin flamestack';
const end = '# end flamestack';
const ours = new RegExp(String.raw`\n*${begin}\n[^]*?${end}\n?`);

/** The file with a table for the server, in place of the one that was put there. */
export function withServerTable(text: string, { command, args }: ProgramWords): string {
  const lines = [
    begin,
    '[mcp_servers.flamestack]',
    `command = ${JSON.stringify(command)}`,
    `args = [${[...args, 'mcp'].map((arg) => JSON.stringify(arg)).join(', ')}]`,
    end,
  ];
  const others = withoutServerTable(text);
  return `${others === '' ? '' : `${others.trimEnd()}\n\n`}${lines.join('\n')}\n`;
}

/** The file without that table. */
export function withoutServerTable(text: string): string {
  return text.replace(ours, text.trimStart().startsWith(begin) ? '' : '\n');
}
