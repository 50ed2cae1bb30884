import type { Content, Message, Part, ToolCall } from '../../core/messages/message.ts';
import { splitByAuthor } from './origin.ts';
import { isJson, recordAt, stringAt, type Json } from './record.ts';
import { fromArguments } from '../../core/formats/wire.ts';

/** The media type of an image of which only an address is known. */
const anyImage = 'image/*';

/** Parts as content: one text alone is a string, none is empty text. */
function toContent(parts: readonly Part[]): Content {
  const [first] = parts;
  if (first === undefined) return '';
  return parts.length === 1 && first.type === 'text' ? first.text : parts;
}

/** Content that came as text, as blocks, or not at all; a block of an unknown kind stays as its JSON. */
export function contentOf(value: unknown): Content {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return toContent(value.map(partOf));
  return JSON.stringify(value);
}

/** One block of any of the formats as a part. */
export function partOf(block: unknown): Part {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (!isJson(block)) return { type: 'text', text: JSON.stringify(block) };
  if (typeof block['text'] === 'string') return { type: 'text', text: block['text'] };
  if (typeof block['refusal'] === 'string') return { type: 'text', text: block['refusal'] };
  return fileOf(block) ?? { type: 'text', text: JSON.stringify(block) };
}

function fileOf(block: Json): Part | undefined {
  const source = recordAt(block, 'source');
  if (source !== undefined) return sourceFile(block, source);
  const data = stringAt(block, 'data');
  if (data !== undefined) return file(stringAt(block, 'mimeType') ?? anyImage, data);
  const image = block['image_url'];
  const url = isJson(image) ? stringAt(image, 'url') : image;
  if (typeof url === 'string') return urlFile(url);
  const audio = recordAt(block, 'input_audio');
  const sound = audio === undefined ? undefined : stringAt(audio, 'data');
  if (audio !== undefined && sound !== undefined)
    return file(`audio/${stringAt(audio, 'format') ?? '*'}`, sound);
  const fileBlock = recordAt(block, 'file');
  const bytes = fileBlock === undefined ? undefined : stringAt(fileBlock, 'file_data');
  if (fileBlock === undefined || bytes === undefined) return undefined;
  return named(urlFile(bytes, 'application/octet-stream'), stringAt(fileBlock, 'filename'));
}

/** An image or document block of Anthropic's API. */
function sourceFile(block: Json, source: Json): Part | undefined {
  const data = stringAt(source, 'data');
  const url = stringAt(source, 'url');
  const name = stringAt(block, 'title');
  if (source['type'] === 'text' && data !== undefined) return { type: 'text', text: data };
  if (data !== undefined)
    return named(file(stringAt(source, 'media_type') ?? anyImage, data), name);
  return url === undefined ? undefined : named(urlFile(url), name);
}

function urlFile(url: string, otherwise: string = anyImage): Part {
  const inline = /^data:([^;,]{1,200})(?:;[^;,]{0,200})*?;base64,/.exec(url);
  if (inline === null) return file(otherwise, url);
  return file(inline[1] ?? otherwise, url.slice(inline[0].length));
}

function file(mediaType: string, data: string): Part {
  return { type: 'file', mediaType, data };
}

function named(part: Part, name: string | undefined): Part {
  return part.type === 'file' && name !== undefined ? { ...part, name } : part;
}

/** A tool call of OpenAI's chat API. */
export function callOf(call: Json): ToolCall {
  const id = stringAt(call, 'id');
  const named = namedCall(recordAt(call, 'function') ?? recordAt(call, 'custom') ?? call);
  return id === undefined ? named : { id, ...named };
}

/** Name and arguments of a call, without its id. */
export function namedCall(call: Json): ToolCall {
  return {
    name: stringAt(call, 'name') ?? 'unknown',
    arguments: fromArguments(call['arguments'] ?? call['input'] ?? call['args']),
  };
}

/** Machine text in the user role. */
export function machineMessage(content: Content): Message {
  return { role: 'user', content, origin: 'machine' };
}

/**
 * The messages that content in the user role makes: what was typed and what a
 * machine said, each on its own and in order; files stand with what precedes
 * them, or with the person.
 */
export function userMessages(content: Content): readonly Message[] {
  const runs: { readonly origin: 'person' | 'machine'; readonly parts: Part[] }[] = [];
  const add = (part: Part, origin: 'person' | 'machine'): void => {
    const last = runs.at(-1);
    if (last?.origin === origin) last.parts.push(part);
    else runs.push({ origin, parts: [part] });
  };
  for (const part of typeof content === 'string' ? [partOf(content)] : content) {
    if (part.type === 'file') add(part, runs.at(-1)?.origin ?? 'person');
    else
      for (const { text, origin } of splitByAuthor(part.text)) add({ type: 'text', text }, origin);
  }
  return runs.map(({ origin, parts }) =>
    origin === 'machine'
      ? machineMessage(toContent(parts))
      : { role: 'user', content: toContent(parts) },
  );
}
