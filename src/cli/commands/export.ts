import type { LogEntry, Session } from '../../index.ts';
import type { Call } from '../call.ts';
import { exits } from '../exit.ts';
import { messageText } from '../render/message.ts';
import { withSession } from '../with-session.ts';

/** Options of `export` alone. */
export interface ExportOptions {
  readonly as?: 'jsonl' | 'md' | undefined;
}

/** Writes all that was said to stdout, as lines that `import` reads or as text to read; gives the exit code. */
export async function exportLog(
  said: string | undefined,
  options: ExportOptions,
  call: Call,
): Promise<number> {
  return withSession(call, said, async (session) => {
    const isText = options.as === 'md' && !call.json;
    const write = (text: string): void => void call.io.stdout.write(`${text}\n`);
    write(isText ? `# ${titleOf(session)}` : JSON.stringify(headerOf(session)));
    for await (const entry of session.log({ signal: call.io.signal }))
      write(isText ? asText(entry) : asLine(entry));
    return exits.done;
  });
}

function titleOf(session: Session): string {
  return session.frames.tree().title;
}

function headerOf(session: Session): object {
  return { type: 'flamestack', version: 1, id: session.id, title: titleOf(session) };
}

function asLine(entry: LogEntry): string {
  const { id: _, frame: __, tokens: ___, at, ...message } = entry;
  return JSON.stringify({ type: 'append', message, at });
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
