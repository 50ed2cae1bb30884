// The chat of Ollama's own interface, both ways. Pure: it runs wherever JavaScript does.

/** An assembly as `chat()` takes it. */
export {
  toOllama,
  type OllamaCall,
  type OllamaMessage,
  type OllamaRequest,
} from './core/formats/ollama.ts';

/** What it answered, as a message to append, and what it counted. */
export { fromOllama, usageOf } from './core/formats/ollama.ts';

/** What a message may be. */
export type {
  AssistantMessage,
  Message,
  UserMessage,
  ToolMessage,
} from './core/messages/message.ts';
