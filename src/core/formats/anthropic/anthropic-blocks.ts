// The client's own types have mutable lists, and what is made here is handed to it whole; so these have
// them, too.

/** A breakpoint of the cache. */
export interface CacheControl {
  type: 'ephemeral';
  ttl?: '1h';
}

/** Images that the Messages API takes. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** An image, in base64 or at an address. */
interface AnthropicImage {
  type: 'image';
  source: { type: 'base64'; media_type: ImageType; data: string } | { type: 'url'; url: string };
  cache_control?: CacheControl;
}

/** A PDF. */
interface AnthropicDocument {
  type: 'document';
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'url'; url: string };
  title?: string;
  cache_control?: CacheControl;
}

/** A text. */
export interface AnthropicText {
  type: 'text';
  text: string;
  cache_control?: CacheControl;
}

/** What a user message or a result holds. */
export type AnthropicContent = AnthropicText | AnthropicImage | AnthropicDocument;

/** A block as the Messages API takes it; what Anthropic spelled itself is among them as it came. */
export type AnthropicBlock =
  | AnthropicContent
  | { type: 'tool_use'; id: string; name: string; input: { [name: string]: unknown } }
  | {
      type: 'tool_result';
      tool_use_id: string;
      content: AnthropicContent[];
      is_error?: boolean;
      cache_control?: CacheControl;
    };

/** A message as the Messages API takes it. */
export interface AnthropicMessage {
  role: 'user' | 'assistant';
  content: AnthropicBlock[];
}

/** A tool as the Messages API takes it. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [name: string]: unknown };
  cache_control?: CacheControl;
}
