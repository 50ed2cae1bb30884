import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import {
  AIMessage,
  createMiddleware,
  SystemMessage,
  tool,
  ToolMessage,
  type AgentMiddleware,
} from 'langchain';
import type { Assembly, Session, SessionOptions, SessionTool, Store } from '../../index.ts';
import { askRecorded, record, warnedOnce, type OnFault } from '../recorded-call.ts';
import { fromLangChain, usageIn } from './from-langchain.ts';
import { threadSessions } from './thread-sessions.ts';
import { toLangChain } from './to-langchain.ts';

/** What is known where a model or a tool is called. */
export interface FlamestackRuntime {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly context?: unknown;
}

/** Which sessions an agent of LangChain works in. */
export interface FlamestackMiddlewareOptions {
  readonly store: Store;
  /** The id of the session of a call; `thread_id` of its configuration unless told. */
  readonly threadId?: (runtime: FlamestackRuntime) => string;
  /** Options of each session; the agent's system prompt is its own unless it is among them. */
  readonly session?: SessionOptions;
  /** Which tools of its session the model gets: those that fit its window, all, or none; `fitting` unless told. */
  readonly sessionTools?: 'fitting' | 'all' | 'none';
  /** Sessions that stay open at once, about; 64 unless told. */
  readonly open?: number;
  /** Hears what went wrong with the recording, by which no call is lost; the console is warned once unless told. */
  readonly onFault?: OnFault;
}

/**
 * Middleware for `createAgent({ model, tools, middleware: [flamestackMiddleware({ store })] })`: each
 * thread has a session, which records all that is said. The model is asked with its assembly, not with
 * the messages of the state, and gets its tools.
 */
export function flamestackMiddleware({
  store,
  threadId = threadOf,
  session: options = {},
  sessionTools = 'fitting',
  open: most = 64,
  onFault = warnedOnce(),
}: FlamestackMiddlewareOptions): AgentMiddleware {
  const sessions = threadSessions(store, { most, options, onFault });
  const prompts = new WeakMap<Session, string>();
  /** Makes the system prompt of the agent the session's, unless it has one. */
  const takePrompt = async (session: Session, system: string): Promise<void> => {
    if (options.system !== undefined || prompts.get(session) === system) return;
    await session.configure({ system });
    prompts.set(session, system);
  };
  const toolsOf = (session: Session): readonly SessionTool[] => {
    try {
      return sessionTools === 'none' ? [] : session.tools(sessionTools);
    } catch (error) {
      onFault(error);
      return [];
    }
  };
  return createMiddleware({
    name: 'Flamestack',
    wrapModelCall: ({ ...request }, handler) =>
      sessions.use(threadId(request.runtime), async (session) => {
        if (session === null) return handler(request);
        const { systemMessage, state, runtime } = request;
        const own = toolsOf(session).map(({ name, description, parameters }) =>
          tool(() => '', { name, description, schema: parameters }),
        );
        const tools = [...request.tools, ...own];
        const schemas = tools.map((one) =>
          'invoke' in one ? convertToOpenAITool(one as never) : one,
        );
        const call = {
          list: () => fromLangChain(state.messages),
          prepare: () => takePrompt(session, systemMessage.text),
          tools: schemas,
          signal: runtime.signal,
          own: { ...request, tools },
          toRequest: (assembly: Assembly) => {
            const { system, messages } = toLangChain(assembly);
            const isOwn = system === systemMessage.text;
            return {
              ...request,
              tools,
              messages,
              systemMessage: isOwn ? systemMessage : new SystemMessage(system),
            };
          },
          ask: async (asked: object) => handler(asked as never),
        };
        const { answer, assembly } = await askRecorded(session, call, onFault);
        if (AIMessage.isInstance(answer)) {
          const messages = () => fromLangChain([answer]);
          await record(session, { messages, assembly, usage: usageIn(answer), onFault });
        }
        return withOwnId(answer, state.messages);
      }),
    wrapToolCall: (request, handler) =>
      sessions.use(threadId(request.runtime), async (session) => {
        const { id = '', name, args } = request.toolCall;
        const own =
          request.tool === undefined && session !== null
            ? toolsOf(session).find((one) => one.name === name)
            : undefined;
        const result =
          own === undefined
            ? await handler(request)
            : await resultOf(own.execute(args), { id, name });
        if (session !== null && ToolMessage.isInstance(result))
          await record(session, { messages: () => fromLangChain([result]), onFault });
        return result;
      }),
  });
}

function threadOf({ configurable }: FlamestackRuntime): string {
  const thread = configurable?.['thread_id'];
  if (typeof thread === 'string' && thread !== '') return thread;
  throw new TypeError(
    'The configuration of a call names no thread_id, so no session; say threadId',
  );
}

async function resultOf(
  answer: Promise<{ readonly text: string; readonly isError: boolean }>,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<ToolMessage> {
  const { text, isError } = await answer;
  return new ToolMessage({
    content: text,
    tool_call_id: id,
    name,
    status: isError ? 'error' : 'success',
  });
}

/** An answer under an id that no message of the state has: else it would take that message's place. */
function withOwnId<Answer>(
  answer: Answer,
  messages: readonly { readonly id?: string | undefined }[],
): Answer {
  if (!AIMessage.isInstance(answer)) return answer;
  if (messages.some(({ id }) => id === answer.id)) answer.id = crypto.randomUUID();
  return answer;
}
