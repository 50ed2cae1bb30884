import { sizeInName } from '../../core/budget/reliability.ts';
import { isEngineError } from '../../core/values/error.ts';
import type { ModelFacts } from '../chat-model.ts';
import { fieldOf, firstNumber, jsonOf, textsIn } from '../../core/values/json.ts';
import {
  modelsIn,
  listModels,
  send,
  textOf,
  type Call,
  type ListedModel,
} from '../server/model-call.ts';
import { modelNotFound } from '../server/model-error.ts';

// The protocol has no word for a window. Servers tell it in places of their own:
//
//   vLLM and hosted ones   a field of the model in /v1/models
//   llama.cpp              /props, and what it was trained for in /v1/models
//   LM Studio              /api/v0/models

/** Asks all places where a server may say what it knows of the model. */
export async function factsOf(call: Call): Promise<ModelFacts> {
  const { model } = call.endpoint.asked;
  const list = await listModels(call);
  const entry = entryOf(list, model);
  if (entry === undefined && list.length > 0)
    throw modelNotFound(
      call.endpoint.asked,
      list.map(({ id }) => id),
    );
  const meta = fieldOf(entry, 'meta');
  const statedWindow = firstNumber(entry, [
    'max_model_len',
    'context_length',
    'context_window',
    'max_context_length',
  ]);
  const [props, studio] =
    statedWindow === null ? await Promise.all([propsOf(call), studioOf(call)]) : [null, undefined];
  const inForce = statedWindow ?? props ?? firstNumber(meta, ['n_ctx']);
  const abilities = [...textsIn(entry, 'supported_parameters'), ...textsIn(studio, 'capabilities')];
  const parameters = firstNumber(meta, ['n_params']);
  return {
    name: model,
    trained: firstNumber(meta, ['n_ctx_train']) ?? firstNumber(studio, ['max_context_length']),
    configured: inForce,
    loaded: inForce ?? firstNumber(studio, ['loaded_context_length']),
    size: parameters === null ? sizeInName(model) : parameters / 1e9,
    tools: abilities.length === 0 ? null : abilities.some((word) => /^tool(?:s|_use)$/.test(word)),
    thinking: abilities.includes('reasoning') ? true : null,
  };
}

/** The model in a list: under its name, with a tag or a maker before it, or the only one of llama.cpp, which heeds no name. */
function entryOf(list: readonly ListedModel[], model: string): ListedModel | undefined {
  const found =
    list.find(({ id }) => id === model) ??
    list.find(({ id }) => id === `${model}:latest` || id.endsWith(`/${model}`));
  if (found !== undefined || list.length !== 1) return found;
  return list[0]?.['owned_by'] === 'llamacpp' ? list[0] : undefined;
}

/** Window of llama.cpp, in tokens. */
async function propsOf(call: Call): Promise<number | null> {
  const page = await pageOf(call, '/props');
  return firstNumber(fieldOf(page, 'default_generation_settings'), ['n_ctx']);
}

/** What LM Studio says of the model. */
async function studioOf(call: Call): Promise<ListedModel | undefined> {
  const page = await pageOf(call, '/api/v0/models');
  return entryOf(modelsIn(page), call.endpoint.asked.model);
}

/** What a page of the server beside its API says; null where there is none that can be read. */
async function pageOf(call: Call, path: string): Promise<unknown> {
  const url = new URL(call.endpoint.base);
  url.pathname = url.pathname.replace(/\/v1$/, '') + path;
  try {
    const response = await send(call, url.href);
    const body = await textOf(call, response);
    return response.ok ? jsonOf(body) : null;
  } catch (error) {
    call.signal?.throwIfAborted();
    if (isEngineError(error)) return null;
    throw error;
  }
}
