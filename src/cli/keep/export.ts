import type { LogEntry, Session } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { many } from '../paper/size.ts';
import { messageText } from '../render/message.ts';
import { newLeftOut } from '../sessions/left-out.ts';
import { readSession } from '../sessions/with-session.ts';

/** Options of `export` alone. */
export interface ExportOptions {
  readonly as?: 'jsonl' | 'md' | undefined;
}

/** Writes all that was said to stdout, as lines that `import` reads or as text to read; gives the exit code. */
export async function exportLog(
  said: string | undefined,
  options: ExportOptions,
  call: CommandCall,
): Promise<number> {
  return readSession(call, said, async (session) => {
    const { signal } = call.io;
    const leftOut = newLeftOut(call);
    const { onLost } = leftOut;
    const write = (text: string): void => void call.io.stdout.write(`${text}\n`);
    if (options.as === 'md' && !call.json) {
      write(await headOf(session));
      for await (const entry of session.log({ signal, onLost })) write(asText(entry));
    } else for await (const line of session.export({ signal, onLost })) write(JSON.stringify(line));
    return leftOut.settle(session.id);
  });
}

/** Title, model, compressions and tokens of a session. */
async function headOf(session: Session): Promise<string> {
  for await (const line of session.export()) {
    if (line.type !== 'flamestack') break;
    const { title, model, provider, compressions = 0, tokens = 0 } = line;
    const served = provider === undefined ? '' : ` (${provider})`;
    const named = model === undefined ? '' : `${model}${served} · `;
    return `# ${title}\n\n${named}${many(compressions, 'compression')} · ${many(tokens, 'token')}`;
  }
  return '';
}

/** An entry under a heading, fenced so that its own markup stays what it is. */
function asText(entry: LogEntry): string {
  const { id, frame, role, at } = entry;
  const text = messageText(entry);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const time = new Date(at).toISOString();
  return `\n## ${id} · ${role} · ${frame} · ${time}\n\n${fence}text\n${text}\n${fence}`;
}
