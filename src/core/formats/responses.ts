import type { Assembly } from '../assembly/assembly.ts';
import type { Part } from '../messages/message.ts';
import { isUrl, shownText } from '../messages/message-text.ts';
import { toolsIn, type ToolSpec } from '../messages/tool-spec.ts';
import { longestName } from './openai.ts';
import { visible } from './provider-parts.ts';
import { addressOf, isImage, rawOf, toWire, type WireMessage } from './wire.ts';

/** A part of a user message, or of a result. */
type ResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'low' | 'high' | 'auto' }
  | { type: 'input_file'; filename: string; file_data: string }
  | { type: 'input_file'; file_url: string };

/** An item as the Responses API takes it; what it spelled itself is among them as it came. */
export type ResponsesItem =
  | { role: 'user'; content: string | ResponsesPart[] }
  | { role: 'developer'; content: string }
  | { role: 'assistant'; content: string }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | {
      type: 'function_call_output' | 'custom_tool_call_output';
      call_id: string;
      output: string | ResponsesPart[];
    };

/** A tool as the Responses API takes it. */
export interface ResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: { [name: string]: unknown };
  strict: boolean;
}

/** What `responses.create` takes beside the model. */
export interface ResponsesRequest {
  instructions?: string;
  input: ResponsesItem[];
  tools?: ResponsesTool[];
  /** The most that may be answered, in tokens. */
  max_output_tokens?: number;
}

/** How a request is spelled. */
export interface ResponsesOptions {
  readonly tools?: readonly ToolSpec[];
  /** Where the system prompt stands: in `instructions`, or as the first item of the role `developer`; `instructions` unless told. */
  readonly role?: 'instructions' | 'developer';
}

/** The name under which the spelling of the Responses API is kept. */
export const openaiResponses = 'openai-responses';

/** Ids as the Responses API takes them. */
export const responsesIds = { longest: 64 } as const;

/**
 * An assembly as `client.responses.create({ model, ...toResponses(assembly) })` takes it. Items that
 * it spelled itself, what was thought first of all, go back as they came: with `store: false`, ask for
 * `include: ['reasoning.encrypted_content']`, or nobody knows them. A file that is no image or PDF is
 * a line of text. Names of tools are respelled as by `toOpenAI`.
 */
export function toResponses(
  assembly: Pick<Assembly, 'messages' | 'budget'>,
  options: ResponsesOptions = {},
): ResponsesRequest {
  const { reserve } = assembly.budget;
  const { role = 'instructions' } = options;
  const tools = toolsIn(options);
  const custom = new Set<string>();
  const input: ResponsesItem[] = [];
  let instructions = '';
  for (const message of toWire(assembly, responsesIds, { longest: longestName, tools })) {
    if (message.role === 'system') {
      if (role === 'instructions') instructions = message.text;
      else input.push({ role, content: message.text });
      continue;
    }
    const raw = rawOf(message, openaiResponses);
    const items = Array.isArray(raw) ? (raw as ResponsesItem[]) : toItems(message, custom);
    for (const id of customCalls(items)) custom.add(id);
    input.push(...items);
  }
  return {
    ...(instructions !== '' && { instructions }),
    input,
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...(reserve > 0 && { max_output_tokens: reserve }),
  };
}

/** The ids of calls whose arguments are no JSON, in items that the API spelled itself. */
const customCalls = (items: readonly object[]): readonly string[] =>
  (items as readonly { readonly type?: string; readonly call_id?: string }[]).flatMap(
    ({ type, call_id }) => (type === 'custom_tool_call' && call_id !== undefined ? [call_id] : []),
  );

/** A message as our fields say it; results of `custom` calls have a type of their own. */
export function toItems(
  message: Exclude<WireMessage, { role: 'system' }>,
  custom: ReadonlySet<string> = new Set(),
): ResponsesItem[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(message.parts) }];
    case 'assistant': {
      const { text, calls } = message;
      const said = text.trim() === '' && calls.length > 0 ? [] : [visible(text)];
      return [
        ...said.map((content) => ({ role: 'assistant', content }) as const),
        ...calls.map(({ id: call_id, name, json }) => {
          return { type: 'function_call', call_id, name, arguments: json } as const;
        }),
      ];
    }
    case 'tool': {
      const { id: call_id } = message.call;
      const type = custom.has(call_id) ? 'custom_tool_call_output' : 'function_call_output';
      return [{ type, call_id, output: contentOf(message.parts) }];
    }
  }
}

/** A text where there is nothing else. */
function contentOf(parts: readonly Part[]): string | ResponsesPart[] {
  if (parts.every((part) => ownPart(part) === null)) return shownText(parts);
  return parts.map((part) => ownPart(part) ?? { type: 'input_text', text: shownText([part]) });
}

/** A file as the Responses API takes it; null for what it takes as text. */
function ownPart(part: Part): ResponsesPart | null {
  if (part.type === 'text') return null;
  const { mediaType, data, name = 'file.pdf', detail = 'auto' } = part;
  if (isImage(part)) return { type: 'input_image', image_url: addressOf(part), detail };
  if (mediaType !== 'application/pdf') return null;
  if (isUrl(data)) return { type: 'input_file', file_url: data };
  return { type: 'input_file', filename: name, file_data: addressOf(part) };
}

function toTool({ name, description, parameters }: ToolSpec): ResponsesTool {
  return { type: 'function', name, description, parameters: { ...parameters }, strict: false };
}
