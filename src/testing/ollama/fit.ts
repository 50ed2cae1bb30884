import { exceedsContext } from '../http/llama-server.ts';
import type { Served } from './model.ts';
import type { Release } from './release.ts';
import type { OllamaBody, OllamaMessage } from './wire.ts';

// What Ollama does to a prompt that is longer than the window, in two steps:
//
//   1. messages are dropped from the front, system messages and the last one
//      kept, until the rendered rest fits;
//   2. what is still too long is refused, or loses its middle: the first
//      `num_keep` tokens stay, and as many of the last as bring it to
//
//        num_ctx − max(⌊(num_ctx − keep) / 2⌋, 1)        from 0.30.11 on
//        num_ctx                                         before
//
// Which one follows from the release, from who renders the chat, and from
// `truncate` and `shift` of the request.

/** Tokens that an image is taken for. */
const imageTokens = 768;

/** Tokens at the front that a cut keeps, where the request does not say. */
const numKeep = 4;

/** A prompt that is to be brought into a window. */
export interface Fitting {
  readonly model: Served;
  readonly release: Release;
  readonly body: OllamaBody;
  readonly chat: boolean;
  /** Window in force, in tokens. */
  readonly numCtx: number;
}

/** A prompt as the model reads it, and what was taken from it. */
export interface Fitted {
  /** Messages that are left, oldest first. */
  readonly messages: readonly OllamaMessage[];
  /** Messages that were dropped, oldest first. */
  readonly dropped: readonly OllamaMessage[];
  /** Text that is left; around a cut in the middle it is a little shorter than `tokens` say. */
  readonly prompt: string;
  /** Tokens of the prompt before anything was taken. */
  readonly asked: number;
  /** Tokens that are left. */
  readonly tokens: number;
  /** Tokens cut out of the middle. */
  readonly middle: number;
  /** Why the server does not answer; null where it does. */
  readonly refusal: { readonly status: number; readonly error: string } | null;
}

/** Brings a prompt into its window, or refuses it, as the release does. */
export function fit(fitting: Fitting): Fitted {
  const { model, release, body, chat, numCtx } = fitting;
  const all = conversation(fitting);
  const truncate = !release.heeds || body.truncate !== false;
  const start = chat && truncate ? firstKept(fitting, all) : 0;
  const messages = keptFrom(all, start);
  const prompt = render(fitting, messages);
  const tokens = measure(model, prompt, messages);
  const whole = {
    messages,
    dropped: all.slice(0, start).filter(({ role }) => role !== 'system'),
    prompt,
    asked: start === 0 ? tokens : measure(model, render(fitting, all), all),
    tokens,
    middle: 0,
    refusal: null,
  };
  if (model.needsUser && !messages.some(({ role }) => role === 'user'))
    return { ...whole, refusal: { status: 500, error: 'no user query found in messages' } };
  const limit = release.native ? numCtx - 1 : numCtx;
  if (tokens <= limit) return whole;
  const error = refused(fitting, whole);
  if (error !== null) return { ...whole, refusal: { status: 400, error } };
  return { ...whole, ...cutMiddle(fitting, whole) };
}

/** Tokens that a cut in the middle leaves of a window of `numCtx` when it keeps the first `keep`. */
function halfCut(numCtx: number, keep: number): number {
  return numCtx - Math.max(Math.floor((numCtx - keep) / 2), 1);
}

function conversation({ model, body, chat }: Fitting): readonly OllamaMessage[] {
  if (!chat) {
    const system = body.system ?? model.system;
    const user = { role: 'user', content: body.prompt ?? '', images: body.images ?? [] };
    return system === null ? [user] : [{ role: 'system', content: system }, user];
  }
  const messages = body.messages ?? [];
  if (model.system === null || messages[0]?.role === 'system') return messages;
  return [{ role: 'system', content: model.system }, ...messages];
}

/** The first message that stays, so that the rest fits; the last one always does. */
function firstKept(fitting: Fitting, all: readonly OllamaMessage[]): number {
  const fits = (start: number): boolean => {
    const kept = keptFrom(all, start);
    return measure(fitting.model, render(fitting, kept), kept) <= fitting.numCtx;
  };
  if (all.length === 0 || fits(0)) return 0;
  let [tooEarly, enough] = [0, all.length - 1];
  while (enough - tooEarly > 1) {
    const middle = Math.floor((tooEarly + enough) / 2);
    if (fits(middle)) enough = middle;
    else tooEarly = middle;
  }
  return enough;
}

function keptFrom(all: readonly OllamaMessage[], start: number): readonly OllamaMessage[] {
  return all.filter(({ role }, index) => index >= start || role === 'system');
}

function render({ model, body, chat }: Fitting, messages: readonly OllamaMessage[]): string {
  if (!chat && body.raw === true) return body.prompt ?? '';
  return model.template({ messages, tools: body.tools ?? [] });
}

function measure(model: Served, prompt: string, messages: readonly OllamaMessage[]): number {
  return model.count(prompt) + (model.bos ? 1 : 0) + images(messages) * imageTokens;
}

function images(messages: readonly OllamaMessage[]): number {
  return messages.reduce((sum, message) => sum + (message.images?.length ?? 0), 0);
}

type WholePrompt = Pick<Fitted, 'messages' | 'prompt' | 'tokens'>;

/** What a server says that does not cut; null if it cuts. */
function refused(fitting: Fitting, { messages, tokens }: WholePrompt): string | null {
  const { model, release, body, chat, numCtx } = fitting;
  if (!release.heeds) return null;
  if (!release.native)
    return body.truncate === false ? 'the input length exceeds the context length' : null;
  if (body.truncate === false || images(messages) > 0 || (chat && model.mode === 'native'))
    return JSON.stringify(exceedsContext(tokens, numCtx));
  if (mayShift(fitting)) return null;
  return 'the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length';
}

/** Whether the window moves on when it is full. */
export function mayShift({ model, release, body }: Fitting): boolean {
  return model.shifts && !(release.heeds && body.shift === false);
}

function cutMiddle(
  { model, release, body, numCtx }: Fitting,
  { prompt, tokens }: WholePrompt,
): Pick<Fitted, 'prompt' | 'tokens' | 'middle'> {
  const numKeepAsked = body.options?.num_keep ?? numKeep;
  const keep = Math.min(
    (numKeepAsked < 0 ? tokens : numKeepAsked) + (model.bos ? 1 : 0),
    numCtx - 1,
  );
  const left = release.cut === 'half' ? halfCut(numCtx, keep) : numCtx;
  const share = (part: number): number => Math.floor((prompt.length * part) / tokens);
  const within = (part: number, slice: (size: number) => string): string => {
    let size = share(part);
    while (size > 0 && model.count(slice(size)) > part) size = Math.floor(size * 0.9);
    return slice(size);
  };
  const head = within(keep, (size) => prompt.slice(0, size));
  const tail = within(left - keep, (size) => prompt.slice(prompt.length - size));
  return { prompt: head + tail, tokens: left, middle: tokens - left };
}
