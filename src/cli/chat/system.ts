import { readFile } from 'node:fs/promises';
import { EngineError, frameInstructions, isEngineError } from '../../index.ts';
import { clean } from '../render/clean.ts';
import type { Chat } from './chat.ts';
import { toolsOf } from './tools-of.ts';

/** What a new session is told unless a person says something else. */
export const defaultSystem =
  'You are a careful, concise assistant in a terminal. Answer in plain text; use Markdown sparingly.';

/** The text of `--system`: as it stands, or of a file after `@`; throws `OPTION_INVALID` for a file that cannot be read. */
export async function systemText(given: string): Promise<string> {
  if (!given.startsWith('@')) return given;
  const file = given.slice(1);
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new EngineError('OPTION_INVALID', `The file "${file}" for the system prompt ${why}`, {
      cause,
      detail: { option: 'system', value: given },
    });
  });
  return text.trim();
}

/** A system prompt, and after it how to work in frames where the model has the tools for it. */
export function withFrames(system: string, hasFrames: boolean): string {
  return [system, ...(hasFrames ? [frameInstructions.trim()] : [])]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Shows the system prompt, or sets another one. */
export async function systemCommand(chat: Chat, rest: string): Promise<void> {
  const { session, teller } = chat;
  if (rest !== '') {
    await session.configure({ system: withFrames(await systemText(rest), hasFrames(chat)) });
    return teller.tell({ type: 'note', text: 'The system prompt is another one from now on.' });
  }
  const text = await systemOf(chat);
  const lines = text === '' ? ['There is no system prompt.'] : clean(text).split('\n');
  return teller.tell({ type: 'lines', lines });
}

/** Has the system prompt speak of frames if, and only if, the model has the tools for them. */
export async function tellOfFrames(chat: Chat): Promise<void> {
  const { session } = chat;
  const before = await systemOf(chat).catch((error: unknown) => {
    if (isEngineError(error, 'CONTEXT_OVERFLOW')) return null;
    throw error;
  });
  if (before === null) return;
  const bare = before.replace(frameInstructions.trim(), '').trim();
  const system = withFrames(bare, hasFrames(chat));
  if (system !== before) await session.configure({ system });
}

/** Whether the model has the tools of the session. */
function hasFrames({ now, tools }: Chat): boolean {
  return now.hasTools && [...tools.values()].some((tool) => tool.isOwn);
}

/** The system prompt as it is sent; '' for none. */
async function systemOf(chat: Chat): Promise<string> {
  const { messages } = await chat.session.assemble({ tools: toolsOf(chat) });
  const [first] = messages;
  return first?.role === 'system' ? first.content : '';
}
