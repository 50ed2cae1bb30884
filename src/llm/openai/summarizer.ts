import { isEngineError } from '../../core/values/error.ts';
import {
  answerOf,
  calmTemperature,
  messagesOf,
  modelSummarizer,
  modestWindow,
  thinkingRoom,
} from '../prompt/model-summarizer.ts';
import type { AskModel, Question } from '../prompt/write-summary.ts';
import type { Call } from '../server/model-call.ts';
import type { Summarizer } from '../summarizer.ts';
import { toEndpoint, type OpenAIOptions } from './call.ts';
import { converse, type OpenAIQuestion } from './chat.ts';
import { factsOf } from './model-info.ts';

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
  const { temperature = calmTemperature } = options;
  let known = options.window ?? null;
  /** Whether the model has thought though it was told not to. */
  let thinks = false;

  return modelSummarizer(`openai/${options.model}`, async (signal) => {
    const call = { endpoint, signal };
    known ??= await windowOf(call);
    const window = known ?? modestWindow;
    const ask: AskModel = async (question) => {
      const hadRoom = thinks;
      const room = hadRoom ? thinkingRoom(window) : 0;
      const { message } = await converse(call, toQuestion(question, temperature, room));
      thinks ||= message.thinking !== undefined;
      const answer = answerOf(message);
      return answer.text === '' && thinks && !hadRoom ? ask(question) : answer;
    };
    return { window, ask };
  });
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

function toQuestion(question: Question, temperature: number, room: number): OpenAIQuestion {
  return {
    messages: messagesOf(question),
    max_tokens: question.most + room,
    temperature,
    chat_template_kwargs: { enable_thinking: false },
  };
}
