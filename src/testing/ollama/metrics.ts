import type { ChunkedAnswer } from './answer.ts';
import type { Fitted } from './fit.ts';
import type { OllamaHost } from './host.ts';
import type { Served } from './model.ts';
import type { OllamaReply } from './reply.ts';

/** What the numbers of an answer are taken from. */
export interface Measured {
  readonly host: OllamaHost;
  readonly model: Served;
  readonly fitted: Fitted;
  readonly reply: OllamaReply;
  readonly answer: ChunkedAnswer;
  /** How many were answered before. */
  readonly n: number;
  /** Whether the model had to be loaded. */
  readonly loaded: boolean;
}

/** Nanoseconds that work takes here; made up, but always the same. */
const durations = { load: 2e9, warm: 1e7, prompt: 1e6, answer: 2e7 };

/** Counts and durations as the last object of an answer has them; keeps the prompt in the cache. */
export function metrics(measured: Measured): Readonly<Record<string, unknown>> {
  const { reply, answer, loaded } = measured;
  const read = counted(measured);
  const prompt =
    reply.promptEvalCount === undefined ? reportedCount(measured, read) : reply.promptEvalCount;
  const tokens = reply.evalCount === undefined ? answer.tokens : reply.evalCount;
  const load = loaded ? durations.load : durations.warm;
  const times = { prompt: read * durations.prompt, answer: answer.tokens * durations.answer };
  return {
    total_duration: load + times.prompt + times.answer,
    load_duration: load,
    ...(prompt !== null && { prompt_eval_count: prompt }),
    prompt_eval_duration: times.prompt,
    ...(tokens !== null && { eval_count: tokens }),
    eval_duration: times.answer,
  };
}

/** Tokens of the prompt, without those in the cache where the server leaves them out. */
function counted({ host, model, fitted }: Measured): number {
  const memory = host.loaded.get(model.name);
  if (memory === undefined) return fitted.tokens;
  host.loaded.set(model.name, { ...memory, prompt: fitted.prompt });
  const cached = host.counts === 'uncached' ? common(memory.prompt, fitted.prompt) : '';
  if (cached === '') return fitted.tokens;
  return Math.max(0, fitted.tokens - model.count(cached) - (model.bos ? 1 : 0));
}

/** The count as it is told, which Ollama leaves out where it is 0. */
function reportedCount({ host, n }: Measured, read: number): number | null {
  if (read === 0 || host.counts === 'never') return null;
  return host.counts === 'sometimes' && n % 2 === 1 ? null : read;
}

/** The beginning that two texts share. */
function common(a: string, b: string): string {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end += 1;
  return a.slice(0, end);
}
