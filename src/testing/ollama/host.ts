import type { Clock } from '../../engine/live/clock.ts';
import { allocated, fullName, type Served } from './model.ts';
import type { Release } from './release.ts';
import type { OllamaScript } from './reply.ts';
import type { OllamaBody } from './wire.ts';

/** A model in memory. */
export interface LoadedModel {
  /** Window that was allocated, in tokens. */
  readonly numCtx: number;
  /** When it leaves memory, in milliseconds since 1970; infinite if never. */
  readonly until: number;
  /** The prompt that is in the cache. */
  readonly prompt: string;
}

/** What becomes of `prompt_eval_count`. */
export type Counts = 'always' | 'sometimes' | 'never' | 'uncached';

/** A server's models, its memory and its habits. */
export interface OllamaHost {
  readonly models: Map<string, Served>;
  /** What can be pulled; anything if null. */
  readonly library: ReadonlyMap<string, Served> | null;
  readonly loaded: Map<string, LoadedModel>;
  readonly release: Release;
  readonly version: string;
  readonly script: OllamaScript;
  readonly clock: Clock;
  readonly counts: Counts;
  /** Window of models that nobody told one, in tokens. */
  readonly defaultNumCtx: number;
  /** Requests to models that are served at once. */
  readonly parallel: number;
  readonly count: (text: string) => number;
  /** Requests to models under way. */
  running: number;
  /** Requests that a script was asked to answer. */
  answered: number;
}

/** The model of a body; null where there is none. */
export function modelOf(host: OllamaHost, body: OllamaBody): Served | null {
  return host.models.get(fullName(body.model ?? body.name ?? '')) ?? null;
}

/**
 * Loads a model for a request, again if it has another window, and says whether
 * that took place. It stays as long as `keep_alive` says, five minutes unless told.
 */
export function load(host: OllamaHost, model: Served, body: OllamaBody): boolean {
  forgetExpired(host);
  const asked = body.options?.num_ctx ?? model.numCtx ?? host.defaultNumCtx;
  const numCtx = allocated(model, asked);
  const old = host.loaded.get(model.name);
  const fresh = old?.numCtx !== numCtx;
  const until = host.clock.now() + lifetime(body.keep_alive);
  host.loaded.set(model.name, { numCtx, until, prompt: fresh ? '' : old.prompt });
  return fresh;
}

/** Drops from memory the models whose time is over. */
export function forgetExpired(host: OllamaHost): void {
  for (const [name, { until }] of host.loaded)
    if (until < host.clock.now()) host.loaded.delete(name);
}

const fiveMinutes = 300_000;

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds that a `keep_alive` asks for; infinite where it is negative. */
function lifetime(keepAlive: string | number | undefined): number {
  if (keepAlive === undefined) return fiveMinutes;
  const milliseconds =
    typeof keepAlive === 'number'
      ? keepAlive * 1_000
      : keepAlive.startsWith('-')
        ? -1
        : [...keepAlive.matchAll(/([\d.]+)(ms|s|m|h)/g)].reduce(
            (sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0),
            0,
          );
  return milliseconds < 0 ? Number.POSITIVE_INFINITY : milliseconds;
}
