import type { Ollama, Options } from 'ollama';
import { toOllama } from '../../core/formats/ollama.ts';
import type { ChatModel, ChatRequest } from '../chat-model.ts';
import { modelsIn } from '../server/model-call.ts';
import { requestJson, streamJson, callOf } from './call.ts';
import { converse, type OllamaQuestion } from './chat.ts';
import { loadedWindow, servedModel } from './model-info.ts';
import { ollamaSummarizer } from './summarizer.ts';

/** How a model is asked, beside what it is asked. */
export interface OllamaOptions {
  /** How long it stays loaded after a request: "10m", seconds, -1 for ever; as the server is set up unless told. */
  readonly keepAlive?: string | number;
  /** Whether it thinks first, and how hard; as the server does unless told. A request that says so wins. */
  readonly think?: boolean | 'low' | 'medium' | 'high';
  readonly temperature?: number;
  /** Whether neighbors of one role go as one message; false unless told. */
  readonly merge?: boolean;
  /** Any other option of Ollama, under its name there (`num_gpu`, `seed` …). */
  readonly options?: Readonly<Partial<Omit<Options, 'num_ctx' | 'num_predict'>>>;
}

/** What a server says while it downloads a model; sizes in bytes. */
export interface PullProgress {
  readonly status: string;
  readonly completed?: number;
  readonly total?: number;
}

/** A model on an Ollama server. */
export interface OllamaModel extends ChatModel {
  /**
   * Loads the model with a window of so many tokens, by one request for one
   * token; `text` is what it asks. Gives back the window now in force and the
   * tokens of the whole prompt by the server's count, null where it says nothing.
   */
  load(
    window: number,
    options?: { readonly text?: string; readonly signal?: AbortSignal },
  ): Promise<{ readonly window: number | null; readonly inputTokens: number | null }>;
  /** Has the server download the model. */
  pull(options?: {
    readonly onProgress?: (progress: PullProgress) => void;
    readonly signal?: AbortSignal;
  }): Promise<void>;
}

/**
 * A model on the server that `client` speaks to. Answers always stream, with
 * the window of the assembly as `num_ctx`; a prompt that does not fit is
 * `MODEL_OVERFLOW`. A client without a `fetch` of its own is waited for as long
 * as it takes, where Node's fetch gives up after 300 seconds. Throws `OPTION_INVALID` where the
 * client is none.
 */
export function ollamaModel(
  client: Ollama,
  model: string,
  options: OllamaOptions = {},
): OllamaModel {
  const calling = (signal?: AbortSignal) => callOf(client, model, signal);

  return {
    name: model,
    server: calling().endpoint.asked.server,
    async reply(request, listener = {}) {
      return converse(calling(listener.signal), questionOf(request, options), listener);
    },
    async facts({ signal } = {}) {
      const { facts } = await servedModel(calling(signal));
      return { ...facts, loaded: await loadedWindow(calling(signal)) };
    },
    async models({ signal } = {}) {
      return modelsIn(await requestJson(calling(signal), '/tags')).map(({ id }) => id);
    },
    summarizer() {
      const { keepAlive, options: more } = options;
      return ollamaSummarizer(client, model, {
        ...(keepAlive !== undefined && { keepAlive }),
        ...(more !== undefined && { options: more }),
      });
    },
    async load(window, { text = 'Hello', signal } = {}) {
      const call = calling(signal);
      const { usage } = await converse(call, {
        messages: [{ role: 'user', content: text }],
        options: { ...options.options, num_ctx: window, num_predict: 1 },
        keep_alive: options.keepAlive,
      });
      return { window: await loadedWindow(call), inputTokens: usage.inputTokens ?? null };
    },
    async pull({ onProgress, signal } = {}) {
      for await (const { status, completed, total } of streamJson(calling(signal), '/pull', {
        model,
      }))
        onProgress?.({
          status: String(status),
          ...(typeof completed === 'number' && { completed }),
          ...(typeof total === 'number' && { total }),
        });
    },
  };
}

function questionOf(request: ChatRequest, asked: OllamaOptions): OllamaQuestion {
  const { assembly, tools = [], think = asked.think } = request;
  const { keepAlive, temperature, merge = false } = asked;
  const { options, ...sent } = toOllama(assembly, { tools, merge });
  return {
    ...sent,
    options: { ...asked.options, ...(temperature !== undefined && { temperature }), ...options },
    think,
    keep_alive: keepAlive,
  };
}
