import { isObject } from '../../core/values/json.ts';

// Many servers speak this protocol by heart, and some of them from another page.

/** A piece of a call; or all of it, where the answer is whole. */
export interface CallDelta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

/** A text, or its parts. */
type ContentDelta = string | readonly (string | { readonly text?: string })[] | null;

/** A piece of a message, or all of it. */
interface Delta {
  readonly content?: ContentDelta;
  readonly reasoning_content?: ContentDelta;
  readonly reasoning?: ContentDelta;
  readonly tool_calls?: readonly CallDelta[] | null;
}

/** One event of a stream, or a whole answer. */
export interface StreamChunk {
  readonly choices?:
    | readonly {
        readonly index?: number;
        readonly delta?: Delta | null;
        readonly message?: Delta | null;
        readonly finish_reason?: string | null;
      }[]
    | null;
  readonly usage?: {
    readonly prompt_tokens?: number | null;
    readonly completion_tokens?: number | null;
    readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
  } | null;
}

/** The text of what was said; of other parts than text nothing. */
export function textOf(said: ContentDelta | undefined): string {
  if (typeof said === 'string' || said === null || said === undefined) return said ?? '';
  return said
    .map((part) => (typeof part === 'string' ? part : part.text))
    .filter((part) => typeof part === 'string')
    .join('');
}

/** Whether a value has the shape of an answer, as far as one is read. */
export function isChunk(value: unknown): value is StreamChunk {
  if (!isObject(value)) return false;
  const { choices, usage } = value;
  return (isNone(choices) || isListOf(choices, isChoice)) && (isNone(usage) || isObject(usage));
}

function isChoice(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { delta, message, finish_reason: finish } = value;
  return [delta, message].every((said) => isNone(said) || isDelta(said)) && isText(finish);
}

function isDelta(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { content, reasoning_content, reasoning, tool_calls: calls } = value;
  return (
    [content, reasoning_content, reasoning].every(isSaid) &&
    (isNone(calls) || isListOf(calls, isCall))
  );
}

function isCall(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, function: called } = value;
  return isText(id) && (isNone(called) || (isObject(called) && isText(called['name'])));
}

const isSaid = (value: unknown): boolean =>
  isText(value) || isListOf(value, (part) => typeof part === 'string' || isObject(part));

const isText = (value: unknown): boolean => isNone(value) || typeof value === 'string';

const isNone = (value: unknown): boolean => value === undefined || value === null;

const isListOf = (value: unknown, is: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(is);
