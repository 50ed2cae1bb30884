import type { LogEntry } from '../../index.ts';
import { many } from '../paper/size.ts';
import { messageText } from '../render/message.ts';
import type { Exporting } from './exporting.ts';

/** A session as text to read. */
export async function* reportOf({
  call,
  session,
  secrets,
  leftOut,
}: Exporting): AsyncGenerator<string> {
  const { signal } = call.io;
  for await (const line of session.export()) {
    if (line.type !== 'flamestack') break;
    const { title, model, provider, compressions = 0, tokens = 0 } = line;
    const served = provider === undefined ? '' : ` (${provider})`;
    const named = model === undefined ? '' : `${model}${served} · `;
    yield secrets.hide(
      `# ${title}\n\n${named}${many(compressions, 'compression')} · ${many(tokens, 'token')}\n`,
    );
    break;
  }
  for await (const entry of session.log({ signal, onLost: leftOut.onLost }))
    yield secrets.hide(asText(entry));
}

/** An entry under a heading, fenced so that its own markup stays what it is. */
function asText(entry: LogEntry): string {
  const { id, frame, role, at } = entry;
  const text = messageText(entry);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const time = new Date(at).toISOString();
  return `\n## ${id} · ${role} · ${frame} · ${time}\n\n${fence}text\n${text}\n${fence}\n`;
}
