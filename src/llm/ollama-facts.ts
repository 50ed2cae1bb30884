import type { ShowResponse } from 'ollama';
import { isEngineError } from '../core/error.ts';
import type { ModelFacts } from './chat-model.ts';
import { ask, listedIn, type Call } from './ollama-call.ts';

/** What the server has on file of a model. */
export interface Shown {
  readonly facts: Omit<ModelFacts, 'loaded'>;
  /** Whether it thinks only if it may, or whatever it is told; null where it does not think, as far as the server says. */
  readonly thinking: 'optional' | 'always' | null;
}

/** Asks what the server has on file of a model. */
export async function shownOf(call: Call): Promise<Shown> {
  const { model } = call.asked;
  const shown = await ask(call, (client) => client.show({ model }));
  const told = (shown.model_info ?? {}) as unknown as Readonly<Record<string, unknown>>;
  const can = shown.capabilities as readonly string[] | undefined;
  const family = String(told['general.architecture']);
  const thinking = can?.includes('thinking') ?? null;
  const facts = {
    name: model,
    trained: positive(told[`${family}.context_length`]),
    configured: positive(Number(/^num_ctx\s+(\d+)/m.exec(shown.parameters ?? '')?.[1])),
    size: sizeOf(shown, told),
    tools: can?.includes('tools') ?? null,
    thinking,
  };
  return { facts, thinking: thinking === true ? manner(family) : null };
}

/** The gpt-oss models think whatever they are told; they only know how hard. */
function manner(family: string): Shown['thinking'] {
  return family === 'gptoss' ? 'always' : 'optional';
}

/** Window that the model is loaded with, in tokens; null while it is not, or where the server does not say. */
export async function loadedWindow(call: Call): Promise<number | null> {
  const told: unknown = await ask(call, (client) => client.ps()).catch(nothingTold);
  const wanted = fullName(call.asked.model);
  const running = listedIn(told).find(({ name }) => fullName(name) === wanted);
  return positive((running as { context_length?: unknown } | undefined)?.context_length);
}

/** Nothing, where a server does not know the question; others than Ollama speak some of its words. */
function nothingTold(error: unknown): null {
  if (isEngineError(error, 'MODEL_FAILED') && error.detail['status'] === 404) return null;
  throw error;
}

/** A name with its tag, as the server compares it. */
function fullName(name: string): string {
  const lower = name.toLowerCase();
  return lower.slice(lower.lastIndexOf('/') + 1).includes(':') ? lower : `${lower}:latest`;
}

/** Parameters in billions, of "3.2B", "137M" or a number of them. */
function sizeOf(shown: ShowResponse, told: Readonly<Record<string, unknown>>): number | null {
  const [, number, unit] = /^([\d.]+)\s*([KMBT])$/i.exec(shown.details?.parameter_size ?? '') ?? [];
  if (number !== undefined && unit !== undefined)
    return positive(Number(number) * billions[unit.toUpperCase()]!);
  const count = positive(told['general.parameter_count']);
  return count === null ? null : count / 1e9;
}

const billions: Readonly<Record<string, number>> = { K: 1e-6, M: 1e-3, B: 1, T: 1e3 };

function positive(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
