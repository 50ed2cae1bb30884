import { llamaTemplate, type Rendered } from './template.ts';

/** What a model can do, in Ollama's words. */
export type Capability = 'completion' | 'tools' | 'thinking' | 'vision' | 'insert' | 'embedding';

/** A model on a scripted Ollama server. */
export interface OllamaModel {
  /** Largest window it was trained for, in tokens; 131,072 unless told. */
  readonly contextLength?: number;
  /** Window of its Modelfile, in tokens; none unless told. */
  readonly numCtx?: number;
  /** Largest window that the server's memory allows, in tokens; no limit unless told. */
  readonly fits?: number;
  /** `completion` and `tools` unless told. */
  readonly capabilities?: readonly Capability[];
  /** 8,030,261,248 unless told. */
  readonly parameterCount?: number;
  /** `llama` unless told. */
  readonly family?: string;
  /** System prompt of its Modelfile, for requests without one. */
  readonly system?: string;
  /**
   * Who renders a chat: `native` leaves it to llama-server, which refuses what
   * is too long; `rendered` is Ollama's own template, whose prompts are cut.
   * `native` unless told, and `rendered` always before 0.30.
   */
  readonly mode?: 'native' | 'rendered';
  /** Whether its tokenizer puts a token before each text; true unless told. */
  readonly bos?: boolean;
  /** Whether its window can shift; true unless told. */
  readonly shifts?: boolean;
  /** Whether its template refuses a chat without a user message; false unless told. */
  readonly needsUser?: boolean;
  /** The server's own, in the manner of Llama 3, unless told. */
  readonly template?: (chat: Rendered) => string;
  /** Tokens of a text; the server's unless told. */
  readonly count?: (text: string) => number;
}

/** A model with everything told, under its full name. */
export type Served = Required<Omit<OllamaModel, 'numCtx' | 'fits' | 'system' | 'count'>> & {
  readonly name: string;
  readonly numCtx: number | null;
  readonly fits: number;
  readonly system: string | null;
  readonly count: (text: string) => number;
};

/** Name with its tag, `latest` where it has none. */
export function fullName(name: string): string {
  return name.includes(':') ? name : `${name}:latest`;
}

/** Fills in what `model` leaves out; counts are rounded to whole tokens. */
export function toServed(
  name: string,
  model: OllamaModel,
  count: (text: string) => number,
): Served {
  const own = model.count ?? count;
  return {
    name: fullName(name),
    contextLength: model.contextLength ?? 131_072,
    numCtx: model.numCtx ?? null,
    fits: model.fits ?? Number.POSITIVE_INFINITY,
    capabilities: model.capabilities ?? ['completion', 'tools'],
    parameterCount: model.parameterCount ?? 8_030_261_248,
    family: model.family ?? 'llama',
    system: model.system ?? null,
    mode: model.mode ?? 'native',
    bos: model.bos ?? true,
    shifts: model.shifts ?? true,
    needsUser: model.needsUser ?? false,
    template: model.template ?? llamaTemplate,
    count: (text) => Math.round(own(text)),
  };
}

/** Models by full name. */
export function toShelf(
  models: Readonly<Record<string, OllamaModel>>,
  count: (text: string) => number,
): Map<string, Served> {
  const served = Object.entries(models).map(([name, model]) => toServed(name, model, count));
  return new Map(served.map((model) => [model.name, model]));
}

/** Least window that a server gives, in tokens. */
const leastWindow = 4;

/** The window that is allocated when `asked` is asked for, in tokens. */
export function allocated(model: Served, asked: number): number {
  return Math.max(leastWindow, Math.min(asked, model.contextLength, model.fits));
}

/** Details as lists and `show` give them. */
export function details(model: Served): Readonly<Record<string, unknown>> {
  return {
    parent_model: '',
    format: 'gguf',
    family: model.family,
    families: [model.family],
    parameter_size: parameterSize(model.parameterCount),
    quantization_level: 'Q4_K_M',
  };
}

function parameterSize(count: number): string {
  return count < 1e9 ? `${(count / 1e6).toFixed(2)}M` : `${(count / 1e9).toFixed(1)}B`;
}

/** Answer of `/api/show`. */
export function shown(model: Served): Readonly<Record<string, unknown>> {
  const parameters = ['stop                           "<|eot_id|>"'];
  if (model.numCtx !== null) parameters.push(`num_ctx                        ${model.numCtx}`);
  return {
    license: '',
    modelfile: `FROM ${model.name}`,
    parameters: parameters.join('\n'),
    template: '{{ .Prompt }}',
    ...(model.system !== null && { system: model.system }),
    details: details(model),
    model_info: {
      'general.architecture': model.family,
      'general.parameter_count': model.parameterCount,
      [`${model.family}.context_length`]: model.contextLength,
      [`${model.family}.embedding_length`]: 4096,
      [`${model.family}.block_count`]: 32,
    },
    capabilities: model.capabilities,
    modified_at: '2026-01-01T00:00:00Z',
  };
}
