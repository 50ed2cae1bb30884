// The AI SDK, versions 5 to 7, both ways. Pure: it runs wherever JavaScript does.

/** An assembly as `generateText` and `streamText` take it, or as a list of messages with the system prompt in it. */
export { toAiSdk, toModelMessages } from './core/formats/ai-sdk.ts';
export type { AiSdkModelMessage, AiSdkRequest } from './core/formats/ai-sdk.ts';

/** What it answered, as messages to append, and what it counted. */
export { fromAiSdk, usageOf } from './core/formats/from-ai-sdk.ts';

/** What a message may be, and what a provider's own spelling of one is. */
export type {
  AssistantMessage,
  Message,
  UserMessage,
  ToolMessage,
} from './core/messages/message.ts';
export type { ProviderMessage } from './core/messages/provider-message.ts';
