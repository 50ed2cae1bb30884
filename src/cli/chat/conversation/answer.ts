import {
  isEngineError,
  type Assembly,
  type AssistantMessage,
  type ChatReply,
  type ToolSpec,
} from '../../../index.ts';
import { number } from '../../paper/size.ts';
import { ownOf, toolsOf, withoutTools } from './chat-tools.ts';
import type { Chat } from './chat.ts';
import { tellOfTools } from './system-prompt.ts';

/** One answer of the model, kept in the log. */
export interface ModelAnswer {
  readonly message: AssistantMessage;
  /** Names of the tools that the model was told of. */
  readonly toolNames: readonly string[];
  /** Whether a person stopped it. */
  readonly isStopped: boolean;
}

/**
 * Asks the model once, and appends what it says; what was heard before a stop,
 * or before the answer broke off, is kept too. A prompt that the server refuses as too long is made again
 * within the server's numbers, once; a model without tools is asked without.
 */
export async function answer(chat: Chat, signal: AbortSignal): Promise<ModelAnswer> {
  let hasShrunk = false;
  const canShrink = (error: unknown): boolean =>
    !hasShrunk && isEngineError(error, 'MODEL_OVERFLOW');
  for (;;) {
    if (chat.now.own !== ownOf(chat)) await tellOfTools(chat);
    const tools = toolsOf(chat);
    const assembly = await chat.session.assemble({ tools, signal });
    try {
      const answered = await askOnce(chat, assembly, { tools, signal, canShrink });
      return { ...answered, toolNames: tools.map(({ name }) => name) };
    } catch (error) {
      if (signal.aborted) throw error;
      if (canShrink(error)) {
        hasShrunk = true;
        await chat.session.report({ assembly: assembly.id, error });
        chat.teller.tell({
          type: 'note',
          text: 'The server found the prompt too long; making it shorter by its count.',
        });
      } else if (losesTools(chat, error)) await tellOfTools(chat);
      else throw error;
    }
  }
}

/** Goes on without tools where the error says that the model has none. */
function losesTools({ now, teller }: Chat, error: unknown): boolean {
  const isSo = isEngineError(error, 'MODEL_UNSUPPORTED') && error.detail.ability === 'tools';
  if (!isSo || !now.hasTools) return false;
  now.hasTools = false;
  teller.tell({ type: 'note', text: withoutTools(now.model.name) });
  return true;
}

/** What a model is asked with. */
interface Asking {
  readonly tools: readonly ToolSpec[];
  readonly signal: AbortSignal;
  /** Whether the prompt is made shorter after an error, and asked again. */
  readonly canShrink: (error: unknown) => boolean;
}

/** What came of an answer so far. */
interface Heard {
  text: string;
  thinking: string;
}

async function askOnce(
  chat: Chat,
  assembly: Assembly,
  asking: Asking,
): Promise<Omit<ModelAnswer, 'toolNames'>> {
  const { teller, session } = chat;
  const { signal } = asking;
  const heard: Heard = { text: '', thinking: '' };
  teller.tell({ type: 'asked' });
  let reply: ChatReply;
  try {
    reply = await hear(chat, assembly, { ...asking, heard });
  } catch (error) {
    const message = brokenAnswer(heard);
    // The answer to the shorter prompt stands in its place.
    const isKept = heard.text.trim() !== '' && (signal.aborted || !asking.canShrink(error));
    const entry = isKept ? await keepAnswer(chat, { message, usage: {} }, assembly) : null;
    const isStopped = signal.aborted;
    // What broke off by itself is told by its error.
    const partialMessage = isStopped ? message : { ...message, finish: undefined };
    if (isStopped || heard.text !== '' || heard.thinking !== '')
      tellAnswered(chat, entry, { message: partialMessage, usage: {} });
    if (!isStopped) throw error;
    return { message, isStopped };
  }
  const { message, usage } = reply;
  const isEmpty = isSilent(message);
  // An empty message is kept nowhere: there are servers that refuse a prompt with one.
  const entry = isEmpty ? null : await keepAnswer(chat, reply, assembly);
  tellAnswered(chat, entry, reply);
  if (isEmpty) {
    await session.report({ assembly: assembly.id, usage });
    teller.tell({ type: 'note', text: 'The model answered nothing; /retry asks again.' });
  }
  tellIgnored(chat, reply);
  await checkWindow(chat, signal);
  return { message, isStopped: false };
}

/** Asks the model, and tells what comes as it comes. */
function hear(
  { teller, think, now }: Chat,
  assembly: Assembly,
  { tools, signal, heard }: Asking & { readonly heard: Heard },
): Promise<ChatReply> {
  return now.model.reply(
    {
      assembly,
      ...(tools.length === 0 ? {} : { tools }),
      ...(think === undefined ? {} : { think }),
    },
    {
      signal,
      onText(text) {
        heard.text += text;
        teller.tell({ type: 'text', text });
      },
      onThinking(text) {
        heard.thinking += text;
        teller.tell({ type: 'thinking', text });
      },
    },
  );
}

/** What was heard of an answer that came to no end. */
function brokenAnswer({ text, thinking }: Heard): AssistantMessage {
  const thought = thinking === '' ? {} : { thinking };
  return { role: 'assistant', content: text, finish: 'aborted', ...thought };
}

/** Whether an answer says nothing and calls nothing. */
function isSilent({ content, toolCalls = [] }: AssistantMessage): boolean {
  const isBlank = typeof content === 'string' ? content.trim() === '' : content.length === 0;
  return isBlank && toolCalls.length === 0;
}

/** Appends an answer, with the name of who gave it. */
async function keepAnswer(
  { session, now }: Chat,
  { message, usage }: ChatReply,
  assembly: Assembly,
): Promise<string> {
  const meta = { ...message.meta, chat: now.model.name };
  const counted = usage.inputTokens === undefined ? {} : { usage };
  const { id } = await session.append({ ...message, meta }, { assembly: assembly.id, ...counted });
  return id;
}

function tellAnswered({ teller }: Chat, entry: string | null, { message, usage }: ChatReply): void {
  const { content, finish = null } = message;
  teller.tell({
    type: 'answered',
    entry,
    text: typeof content === 'string' ? content : '',
    finish,
    inputTokens: usage.inputTokens ?? null,
    outputTokens: usage.outputTokens ?? null,
  });
}

/** Says once that a server sends counts that are none. */
function tellIgnored({ now, teller }: Chat, { ignored }: ChatReply): void {
  if (ignored === undefined || now.isUsageTold) return;
  now.isUsageTold = true;
  const said = ignored.join(', ');
  teller.tell({ type: 'note', text: `The server sent ${said}, which is no count; going by ours.` });
}

/** After the first answer: a server that gave a smaller window than it was asked for is believed. */
async function checkWindow(chat: Chat, signal: AbortSignal): Promise<void> {
  const { session, now, teller } = chat;
  if (now.isWindowChecked) return;
  const facts = await now.model.facts({ signal }).catch(() => null);
  // Where it did not say, it is asked again after the next answer.
  if (facts === null) return;
  now.isWindowChecked = true;
  const { window } = session.state.budget;
  const loaded = facts.loaded ?? window;
  if (loaded >= window) return;
  await session.report({ window: loaded });
  const sizes = `${number(loaded)} tokens instead of ${number(window)}`;
  teller.tell({ type: 'note', text: `The server gave a window of ${sizes}; keeping to it.` });
}
