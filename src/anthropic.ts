// The Messages API of Anthropic, both ways. Pure: it runs wherever JavaScript does.

/** An assembly as `messages.create` takes it. */
export {
  toAnthropic,
  type AnthropicOptions,
  type AnthropicRequest,
} from './core/formats/anthropic/anthropic.ts';

/** What it answered, as a message to append, and what it counted. */
export { fromAnthropic, usageOf } from './core/formats/anthropic/from-anthropic.ts';

/** What a message may be, and what a provider's own spelling of one is. */
export type {
  AssistantMessage,
  Message,
  UserMessage,
  ToolMessage,
} from './core/messages/message.ts';
export type { ProviderMessage } from './core/messages/provider-message.ts';
