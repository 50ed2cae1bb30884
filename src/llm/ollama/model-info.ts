import { isEngineError } from '../../core/values/error.ts';
import type { ModelFacts } from '../chat-model.ts';
import { fieldOf, firstNumber, textsIn } from '../../core/values/json.ts';
import { modelsIn, type Call } from '../server/model-call.ts';
import { requestJson } from './call.ts';

/** What the server has on file of a model. */
export interface ServedModel {
  readonly facts: Omit<ModelFacts, 'loaded'>;
  /** The value of `think` for least thinking: false, or `low` where a model cannot do without; undefined for one that does not think. */
  readonly unthinking: false | 'low' | undefined;
}

/** Asks what the server has on file of a model. */
export async function servedModel(call: Call): Promise<ServedModel> {
  const { model } = call.endpoint.asked;
  const answer = await requestJson(call, '/show', { model });
  const info = fieldOf(answer, 'model_info');
  const family = String(fieldOf(info, 'general.architecture'));
  const can = answer['capabilities'] === undefined ? null : textsIn(answer, 'capabilities');
  const [, window] = /^num_ctx\s+(\d+)/m.exec(String(answer['parameters'])) ?? [];
  const thinking = can?.includes('thinking') ?? null;
  const facts = {
    name: model,
    trained: firstNumber(info, [`${family}.context_length`]),
    configured: Number(window ?? 0) || null,
    size: sizeOf(answer),
    tools: can?.includes('tools') ?? null,
    thinking,
  };
  // The gpt-oss models think whatever they are told; they only know how hard.
  const least = family === 'gptoss' ? 'low' : false;
  return { facts, unthinking: thinking === true ? least : undefined };
}

/** Window that the model is loaded with, in tokens; null while it is not, or where the server does not say. */
export async function loadedWindow(call: Call): Promise<number | null> {
  const running = modelsIn(await requestJson(call, '/ps').catch(nothingTold));
  const wanted = fullName(call.endpoint.asked.model);
  return firstNumber(
    running.find(({ id }) => fullName(id) === wanted),
    ['context_length'],
  );
}

/** Null for a 404: servers that imitate Ollama lack some of its routes. */
function nothingTold(error: unknown): null {
  if (isEngineError(error, 'MODEL_FAILED') && error.detail.status === 404) return null;
  throw error;
}

/** A name with its tag, as the server compares it. */
function fullName(name: string): string {
  const lower = name.toLowerCase();
  return lower.slice(lower.lastIndexOf('/') + 1).includes(':') ? lower : `${lower}:latest`;
}

/** Parameters in billions, of "3.2B", "137M" or a number of them. */
function sizeOf(answer: unknown): number | null {
  const said = String(fieldOf(fieldOf(answer, 'details'), 'parameter_size'));
  const [, number, unit] = /^([\d.]+)\s*([KMBT])$/i.exec(said) ?? [];
  if (number !== undefined && unit !== undefined)
    return Number(number) * billions[unit.toUpperCase()]! || null;
  const count = firstNumber(fieldOf(answer, 'model_info'), ['general.parameter_count']);
  return count === null ? null : count / 1e9;
}

const billions: Readonly<Record<string, number>> = { K: 1e-6, M: 1e-3, B: 1, T: 1e3 };
