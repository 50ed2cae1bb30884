import type { ToolCall, ToolMessage } from '../../../index.ts';
import { cleanLine } from '../../paper/clean.ts';
import { failedEvent } from '../output/chat-event.ts';
import { redacted } from '../model/server-key.ts';
import type { ChatTool, ToolArguments } from '../tools/chat-tool.ts';
import { McpError } from '../mcp/mcp-error.ts';
import { answer } from './answer.ts';
import type { Chat } from './chat.ts';

/** How often a model may call tools before somebody is asked again. */
const mostRounds = 25;

/** Asks the model until it has nothing more to do; false where it went wrong. */
export async function turn(chat: Chat): Promise<boolean> {
  try {
    await chat.person.during((signal) => answerRounds(chat, signal));
    return true;
  } catch (error) {
    chat.teller.tell(failedEvent(error, chat.call));
    return false;
  }
}

async function answerRounds(chat: Chat, signal: AbortSignal): Promise<void> {
  const tellGoal = goalNews(chat);
  for (let round = 0; round < mostRounds; round += 1) {
    const answered = await answer(chat, signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    tellGoal();
    if (answered === null || answered.isStopped) return;
    const { message, toolNames } = answered;
    const calls = message.toolCalls ?? [];
    if (calls.length === 0) return;
    for (const call of calls) {
      const result = await resultOf(chat, call, { toolNames, signal });
      tellGoal();
      if (result === null) return chat.teller.tell({ type: 'note', text: 'stopped' });
      await chat.session.append(result);
    }
  }
  const text = `Stopped after ${mostRounds} rounds of tools. Say "go on" to let it.`;
  chat.teller.tell({ type: 'note', text });
}

/** Tells of a goal that the model put in the place of another. */
function goalNews({ session, teller, call }: Chat): () => void {
  const now = (): string | null => session.state.goal?.description ?? null;
  let before = now();
  return () => {
    const after = now();
    const { to } = call.paper().glyphs;
    if (before !== null && after !== null && after !== before)
      teller.tell({
        type: 'note',
        text: `goal: ${cleanLine(before)} ${to} ${cleanLine(after)}`,
      });
    before = after;
  };
}

/** The result of a call; null where it was stopped. `told` are the tools that the model knows. */
async function resultOf(
  chat: Chat,
  call: ToolCall,
  { toolNames, signal }: { readonly toolNames: readonly string[]; readonly signal: AbortSignal },
): Promise<ToolMessage | null> {
  const { name, id } = call;
  const result = (text: string, isError: boolean): ToolMessage => {
    const content = redacted(text, chat.call.io.env);
    chat.teller.tell({ type: 'result', name, isError, text: content });
    const to = id === undefined ? { name } : { toolCallId: id, name };
    return { role: 'tool', ...to, content, ...(isError ? { isError } : {}) };
  };
  const tool = chat.tools.get(name);
  if (tool === undefined) {
    const others = toolNames.length === 0 ? 'There is none.' : `There are: ${toolNames.join(', ')}`;
    return result(`There is no tool "${name}". ${others}`, true);
  }
  if (typeof call.arguments === 'string')
    return result('The arguments were no JSON object. Call it again.', true);
  try {
    return result(await runCall(chat, tool, { args: call.arguments, signal }), false);
  } catch (error) {
    if (signal.aborted) return null;
    return result(errorText(error), true);
  }
}

function errorText(error: unknown): string {
  if (error instanceof McpError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

async function runCall(
  chat: Chat,
  tool: ChatTool,
  { args, signal }: { args: ToolArguments; signal: AbortSignal },
): Promise<string> {
  signal.throwIfAborted();
  const { name } = tool;
  const about = tool.about(args);
  const ask = await tool.ask(args);
  const consent = ask === null ? 'free' : await chat.consent(name, ask);
  signal.throwIfAborted();
  if (consent === 'refused') throw new Error(refusal(chat));
  chat.teller.tell({ type: 'call', name, about, asked: consent === 'asked' });
  return tool.run(args, signal);
}

/** The result of a call that was refused. */
function refusal({ person }: Chat): string {
  return person.isThere
    ? 'The person refused this. Ask what to do instead.'
    : 'Nobody is there to allow this.';
}
