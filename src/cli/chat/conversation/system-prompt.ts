import { readFile } from 'node:fs/promises';
import { EngineError, isEngineError } from '../../../index.ts';
import { clean } from '../../paper/clean.ts';
import { withInstructions, withoutInstructions } from '../tools/own-tools.ts';
import { ownOf, toolsOf } from './chat-tools.ts';
import type { Chat } from './chat.ts';

/** The default system prompt. */
export const defaultSystem =
  'You are a careful, concise assistant in a terminal. Answer in plain text; use Markdown sparingly.';

/** The text of `--system`: as it stands, or of a file after `@`; throws `OPTION_INVALID` for a file that cannot be read. */
export async function systemText(option: string): Promise<string> {
  if (!option.startsWith('@')) return option;
  const file = option.slice(1);
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new EngineError('OPTION_INVALID', `The file "${file}" for the system prompt ${why}`, {
      cause,
      detail: { option: 'system', value: option },
    });
  });
  return text.trim();
}

/** Shows the system prompt, or sets another one. */
export async function systemCommand(chat: Chat, rest: string): Promise<void> {
  const { session, teller } = chat;
  if (rest !== '') {
    await session.configure({ system: withInstructions(await systemText(rest), ownOf(chat)) });
    return teller.tell({ type: 'note', text: 'The system prompt is another one from now on.' });
  }
  const text = await systemOf(chat);
  const lines = text === '' ? ['There is no system prompt.'] : clean(text).split('\n');
  return teller.tell({ type: 'lines', lines });
}

/** Has the system prompt speak of those tools of the session that the model is told of. */
export async function tellOfTools(chat: Chat): Promise<void> {
  const { session } = chat;
  const before = await systemOf(chat).catch((error: unknown) => {
    if (isEngineError(error, 'CONTEXT_OVERFLOW')) return null;
    throw error;
  });
  if (before === null) return;
  const own = ownOf(chat);
  const system = withInstructions(withoutInstructions(before), own);
  if (system !== before) await session.configure({ system });
  chat.now.own = own;
}

/** The system prompt as it is sent; '' for none. */
async function systemOf(chat: Chat): Promise<string> {
  const { messages } = await chat.session.assemble({ tools: toolsOf(chat) });
  const [first] = messages;
  return first?.role === 'system' ? first.content : '';
}
