// Chat completions and the Responses API of OpenAI, both ways. Pure: it runs wherever JavaScript does.

/** Chat completions: an assembly as they take it, and what they answered. */
export { toChat, type ChatCompletionRequest, type ChatOptions } from './core/formats/chat.ts';
export { fromChat } from './core/formats/from-chat.ts';

/** The Responses API: an assembly as it takes it, and what it answered. */
export {
  toResponses,
  type ResponsesOptions,
  type ResponsesRequest,
} from './core/formats/responses.ts';
export { fromResponses } from './core/formats/from-responses.ts';

/** What either counted. */
export { usageOf } from './core/formats/from-chat.ts';

/** What a message may be, and what a provider's own spelling of one is. */
export type {
  AssistantMessage,
  Message,
  UserMessage,
  ToolMessage,
} from './core/messages/message.ts';
export type { ProviderMessage } from './core/messages/provider-message.ts';
