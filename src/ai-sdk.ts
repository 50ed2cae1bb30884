// The AI SDK, versions 5 to 7, both ways. Pure: it runs wherever JavaScript does.

/** A session that records what `generateText` and `streamText` do, and gives each step a prompt that fits. */
export { flamestack } from './adapters/ai-sdk/flamestack.ts';
export type {
  Flamestack,
  FlamestackOptions,
  FlamestackTool,
  FlamestackToolName,
} from './adapters/ai-sdk/flamestack.ts';

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
