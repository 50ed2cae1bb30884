import type { Ollama, Options } from 'ollama';
import {
  answerOf,
  calmTemperature,
  messagesOf,
  modelSummarizer,
  modestWindow,
  thinkingRoom,
} from '../prompt/model-summarizer.ts';
import type { AskModel } from '../prompt/write-summary.ts';
import type { Summarizer } from '../summarizer.ts';
import { callOf, checkClient, type OllamaCall } from './call.ts';
import { converse } from './chat.ts';
import { loadedWindow, servedModel, type ServedModel } from './model-info.ts';

/** How summaries are asked for. */
export interface OllamaSummarizerOptions {
  /**
   * Window to ask for, in tokens. Unless told, the one that the model is loaded
   * with, so that the server need not load it anew between chat and summaries;
   * else the one it is set up with, else 8,192 or what it was trained for.
   */
  readonly window?: number;
  /** How long the model stays loaded: "10m", seconds, -1 for ever; as the server is set up unless told. */
  readonly keepAlive?: string | number;
  /** 0.2 unless told. */
  readonly temperature?: number;
  /** Any other option of Ollama, under its name there; those that say how it is loaded as in chat (`num_gpu` …). */
  readonly options?: Readonly<Partial<Omit<Options, 'num_ctx' | 'num_predict'>>>;
}

/**
 * Writes summaries with a model of the server that `client` speaks to. Its name
 * is `ollama/` and the model's. Models that think are told not to; what they
 * think nevertheless is dropped; what they wrote of parts is kept for another attempt. Throws
 * `OPTION_INVALID` where the client is none.
 */
export function ollamaSummarizer(
  client: Ollama,
  model: string,
  options: OllamaSummarizerOptions = {},
): Summarizer {
  checkClient(client);
  const { keepAlive, temperature = calmTemperature } = options;
  let known: ServedModel | null = null;
  return modelSummarizer(`ollama/${model}`, async (signal) => {
    const call = callOf(client, model, signal);
    const { facts, unthinking } = (known ??= await servedModel(call));
    const window = options.window ?? (await windowNow(call, facts));
    const room = unthinking === 'low' ? thinkingRoom(window) : 0;
    const ask: AskModel = async (question) => {
      const limits = { num_ctx: window, num_predict: question.most + room };
      const { message } = await converse(call, {
        messages: messagesOf(question),
        options: { ...options.options, temperature, ...limits },
        think: unthinking,
        keep_alive: keepAlive,
      });
      return answerOf(message);
    };
    return { window, ask };
  });
}

async function windowNow(call: OllamaCall, facts: ServedModel['facts']): Promise<number> {
  const loaded = await loadedWindow(call);
  return loaded ?? facts.configured ?? Math.min(facts.trained ?? modestWindow, modestWindow);
}
