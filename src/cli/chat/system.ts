import { readFile } from 'node:fs/promises';
import type { Session, ToolSpec } from '../../index.ts';
import { clean } from '../render/clean.ts';
import { toolsOf } from './answer.ts';
import type { Chat } from './chat.ts';

/** What a new session is told unless a person says something else. */
export const defaultSystem =
  'You are a careful, concise assistant in a terminal. Answer in plain text; use Markdown sparingly.';

/** The text of `--system`: as it stands, or of a file after `@`. */
export async function systemText(given: string): Promise<string> {
  return given.startsWith('@') ? (await readFile(given.slice(1), 'utf8')).trim() : given;
}

/** Shows the system prompt, or sets another one. */
export async function systemPrompt(chat: Chat, rest: string): Promise<void> {
  const { session, teller, instructions } = chat;
  if (rest !== '') {
    await session.configure({ system: withInstructions(await systemText(rest), instructions) });
    return teller.tell({ type: 'note', text: 'The system prompt is another one from now on.' });
  }
  const text = await systemOf(session, toolsOf(chat));
  const lines = text === '' ? ['There is no system prompt.'] : clean(text).split('\n');
  return teller.tell({ type: 'lines', lines });
}

/** A system prompt with what is said of frames and tools after it. */
export function withInstructions(system: string, instructions: string): string {
  return [system, instructions].filter((text) => text !== '').join('\n\n');
}

/** The system prompt of a session that is used with these tools; '' for none. */
export async function systemOf(session: Session, tools: readonly ToolSpec[]): Promise<string> {
  const { messages } = await session.assemble({ tools });
  const [first] = messages;
  return first?.role === 'system' ? first.content : '';
}
