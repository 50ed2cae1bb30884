import { toOpenAI } from '../../core/formats/openai.ts';
import type { ChatModel, ChatRequest } from '../chat-model.ts';
import { listModels } from '../server/model-call.ts';
import { toEndpoint, type OpenAIOptions } from './call.ts';
import { converse, type OpenAIQuestion } from './chat.ts';
import { factsOf } from './model-info.ts';
import { openaiSummarizer } from './summarizer.ts';

/** How a model is asked, beside what it is asked. */
export interface OpenAIModelOptions extends OpenAIOptions {
  readonly temperature?: number;
  /** Whether neighbors of one role go as one message; false unless told. */
  readonly merge?: boolean;
}

/**
 * A model on a server that speaks chat completions: llama.cpp, vLLM, LM Studio,
 * OpenRouter and others. Answers stream; what a server refuses by name
 * (`stream_options`, `max_tokens`) and does without is left out or said otherwise
 * from then on.
 * Throws `OPTION_INVALID` where the base URL is none or no header can carry the key.
 */
export function openaiModel(options: OpenAIModelOptions): ChatModel {
  const endpoint = toEndpoint(options);
  return {
    name: options.model,
    server: endpoint.asked.server,
    async reply(request, listener = {}) {
      const call = { endpoint, signal: listener.signal };
      return converse(call, questionOf(request, options), listener);
    },
    facts: async ({ signal } = {}) => factsOf({ endpoint, signal }),
    models: async ({ signal } = {}) => (await listModels({ endpoint, signal })).map(({ id }) => id),
    summarizer() {
      const { temperature: _, ...where } = options;
      return openaiSummarizer(where);
    },
  };
}

function questionOf(
  { assembly, tools = [], think }: ChatRequest,
  { temperature, merge = false }: OpenAIModelOptions,
): OpenAIQuestion {
  return {
    ...toOpenAI(assembly, { tools, merge }),
    temperature,
    chat_template_kwargs: think === undefined ? undefined : { enable_thinking: think },
  };
}
