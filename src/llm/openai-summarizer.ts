import { isEngineError } from '../core/error.ts';
import { textOf } from '../core/message.ts';
import { keptParts } from './kept-parts.ts';
import { toEndpoint, type Call, type OpenAIOptions } from './openai-call.ts';
import { converse, type OpenAIQuestion } from './openai-chat.ts';
import { factsOf } from './openai-facts.ts';
import { calmTemperature, modestWindow, thinkingRoom } from './summary-defaults.ts';
import type { Summarizer } from './summarizer.ts';
import { writeSummary, type Ask, type Question } from './write.ts';

/** How summaries are asked for. */
export interface OpenAISummarizerOptions extends OpenAIOptions {
  /** The model's window, in tokens; unless told what the server says, else 8,192. */
  readonly window?: number;
  /** 0.2 unless told. */
  readonly temperature?: number;
}

/**
 * Writes summaries with a model of an OpenAI-compatible server. Its name is
 * `openai/` and the model's. A model is told not to think; where it does so
 * nevertheless, it gets room for it, and what it thought is dropped. What it wrote
 * of parts is kept for another attempt. Throws `OPTION_INVALID` as `openaiModel` does.
 */
export function openaiSummarizer(options: OpenAISummarizerOptions): Summarizer {
  const endpoint = toEndpoint(options);
  const desk = { thinks: false, temperature: options.temperature ?? calmTemperature };
  const kept = keptParts();
  let known = options.window ?? null;

  return {
    name: `openai/${options.model}`,
    async summarize(task, { signal }) {
      const call = { endpoint, signal };
      known ??= await windowOf(call);
      const window = known ?? modestWindow;
      return writeSummary(task, asking(call, desk, window), { window, signal, kept });
    },
  };
}

/** The window in force; null where the server does not tell, or lists the model under another name. */
async function windowOf(call: Call): Promise<number | null> {
  try {
    const { loaded, configured } = await factsOf(call);
    return loaded ?? configured;
  } catch (error) {
    if (isEngineError(error, 'MODEL_NOT_FOUND') || isEngineError(error, 'MODEL_FAILED'))
      return null;
    throw error;
  }
}

interface Desk {
  /** Whether the model has thought though it was told not to. */
  thinks: boolean;
  readonly temperature: number;
}

function asking(call: Call, desk: Desk, window: number): Ask {
  return async function ask(question, { signal }) {
    const { thinks } = desk;
    const room = thinks ? thinkingRoom(window) : 0;
    const { message } = await converse({ ...call, signal }, toQuestion(question, desk, room));
    const text = textOf(message.content);
    desk.thinks ||= message.thinking !== undefined;
    if (text === '' && desk.thinks && !thinks) return ask(question, { signal });
    return { text, cut: message.finish === 'length' };
  };
}

function toQuestion(
  { system, prompt, most, format }: Question,
  { temperature }: Desk,
  room: number,
): OpenAIQuestion {
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ],
    max_tokens: most + room,
    temperature,
    chat_template_kwargs: { enable_thinking: false },
    ...(format !== undefined && {
      response_format: { type: 'json_schema', json_schema: { name: 'summary', schema: format } },
    }),
  };
}
