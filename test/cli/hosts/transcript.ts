import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '../../store/folder.ts';

/** A message of a person, or of the model, as Claude Code writes it into its session file. */
export const said = (role: 'user' | 'assistant', text: string) => ({ role, text });

/** Writes a session file of Claude Code; what stands in it first is written the same again. */
export async function writeTranscript(
  file: string,
  session: string,
  messages: readonly ReturnType<typeof said>[],
): Promise<void> {
  const lines = messages.map(({ role, text }, at) => ({
    type: role,
    uuid: `u${at}`,
    parentUuid: at === 0 ? null : `u${at - 1}`,
    sessionId: session,
    timestamp: new Date(Date.UTC(2026, 2, 1, 9, 0, at)).toISOString(),
    cwd: '/home/ada/ledger',
    version: '2.1.0',
    message: role === 'user' ? { role, content: text } : assistantMessage(at, text),
  }));
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const assistantMessage = (at: number, text: string) => ({
  id: `m${at}`,
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
});

/** A project with a store, and a session file of an agent. */
export async function workedIn(messages: Parameters<typeof writeTranscript>[2]) {
  const project = await newFolder();
  const [store, transcript] = [join(project, '.flamestack'), join(project, 'session.jsonl')];
  await mkdir(store);
  await writeTranscript(transcript, 's1', messages);
  return { project, store, transcript };
}

/** What an agent tells its hook. */
export const event = (name: string, given: Readonly<Record<string, string>>): string =>
  JSON.stringify({ hook_event_name: name, session_id: 's1', ...given });
