import { parse } from 'smol-toml';
import type { ProgramWords } from './program-words.ts';
import { refusal, type Settings } from './settings.ts';

// Only the lines between the two comments are ever written or taken away: the rest of the file is a person's.

const begin = '# flamestack: written by `flamestack install codex`';
const end = '# flamestack: end';

/** The file with a table for the server, in place of the one that was put there; throws `OPTION_INVALID` where there is another of that name, or the file cannot be read. */
export function withServerTable(settings: Settings, { command, args }: ProgramWords): Settings {
  const { file, text } = withoutServerTable(settings);
  if (serverIn({ file, text }) !== undefined)
    throw refusal(file, 'have a server "flamestack" that was not put there by this command');
  const lines = [
    begin,
    '[mcp_servers.flamestack]',
    `command = ${JSON.stringify(command)}`,
    `args = [${[...args, 'mcp'].map((arg) => JSON.stringify(arg)).join(', ')}]`,
    end,
  ];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  const result = { file, text: `${text}${gap}${lines.join(eol)}${eol}` };
  serverIn(result);
  return result;
}

/** The file without that table. */
export function withoutServerTable({ file, text }: Settings): Settings {
  const from = text.lastIndexOf(begin);
  const to = from === -1 ? -1 : text.indexOf(end, from);
  if (to === -1) return { file, text };
  return { file, text: text.slice(0, from) + text.slice(to + end.length).replace(/^\r?\n/, '') };
}

/** The server of that name; throws `OPTION_INVALID` for a file that cannot be read. */
function serverIn({ file, text }: Settings): unknown {
  try {
    const servers = parse(text)['mcp_servers'];
    return (servers as Record<string, unknown> | undefined)?.['flamestack'];
  } catch {
    throw refusal(file, 'cannot be read as TOML, or could not be with a server added');
  }
}
