import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../engine/live/clock.ts';
import { objectIn } from './http/connection.ts';
import { listen } from './http/loopback.ts';
import { openExchange, type Exchange, type OllamaCall } from './ollama/exchange.ts';
import { generate } from './ollama/generate.ts';
import {
  forgetExpired,
  modelOf,
  type Counts,
  type OllamaHost,
  type LoadedModel,
} from './ollama/host.ts';
import { embed, memory, pull, tags } from './ollama/pages.ts';
import { fullName, shown, toServed, toShelf, type OllamaModel } from './ollama/model.ts';
import { toRelease } from './ollama/release.ts';
import type { OllamaScript } from './ollama/reply.ts';
import type { OllamaBody } from './ollama/wire.ts';

/** How a scripted Ollama server is set up. */
export interface OllamaServerOptions {
  /** What it has, by name. */
  readonly models?: Readonly<Record<string, OllamaModel>>;
  /** What can be pulled, by name; any name, as a model of the defaults, unless told. */
  readonly library?: Readonly<Record<string, OllamaModel>>;
  /** What its models answer; `ok` unless told. */
  readonly reply?: OllamaScript;
  /** Tokens of a text; a count of its own that is no vocabulary's unless told. */
  readonly count?: (text: string) => number;
  /** The release that it behaves like; 0.33.2 unless told. */
  readonly version?: string;
  /** Window of models that nobody told one, in tokens; 4,096 unless told. */
  readonly defaultNumCtx?: number;
  /** Requests to models served at once; more are refused as busy; no limit unless told. */
  readonly parallel?: number;
  /**
   * What becomes of `prompt_eval_count`: there always, on every other answer,
   * never, or without the tokens that were in the cache; as the release does unless told.
   */
  readonly counts?: Counts;
  /** Port on the loopback; a free one unless told. */
  readonly port?: number;
  /** Whose time it is; this machine's unless told. */
  readonly clock?: Clock;
}

/** A scripted Ollama server on the loopback. */
export interface OllamaServer extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Each request, in the order in which they were whole. */
  readonly log: readonly OllamaCall[];
  /** Models in memory, by full name. */
  readonly loaded: ReadonlyMap<string, LoadedModel>;
  /** Adds a model, or puts another in its place. */
  add(name: string, model: OllamaModel): void;
  /** Resolves once no request is under way. */
  idle(): Promise<void>;
  /** Drops all connections and listens no more. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP server that speaks as Ollama does, with models whose answers are
 * scripted. Prompts are rendered, counted, dropped, cut and refused as by the
 * release it is told to be. Rejects if the port is taken.
 */
export async function startOllamaServer(options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const host = toHost(options);
  const log: OllamaCall[] = [];
  const { port, idle, close } = await listen(
    (request, response) => serve({ host, log }, request, response),
    options.port,
  );
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    loaded: host.loaded,
    add: (name, model) => host.models.set(fullName(name), toServed(name, model, host.count)),
    idle,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function toHost(options: OllamaServerOptions): OllamaHost {
  const { models = {}, reply = 'ok', count = plainCount, version = '0.33.2' } = options;
  const release = toRelease(version);
  return {
    models: toShelf(models, count),
    library: options.library === undefined ? null : toShelf(options.library, count),
    loaded: new Map(),
    release,
    version,
    script: reply,
    clock: options.clock ?? systemClock,
    counts: options.counts ?? (release.countsCached ? 'always' : 'uncached'),
    defaultNumCtx: options.defaultNumCtx ?? 4096,
    parallel: options.parallel ?? Number.POSITIVE_INFINITY,
    count,
    running: 0,
    answered: 0,
  };
}

/** A token for each mark of a template, up to four letters, up to three digits, each sign and run of blanks. */
function plainCount(text: string): number {
  return text.match(/<\|\w+\|>|[a-zA-Z]{1,4}|\d{1,3}|\s{2,}|\n|[^\sa-zA-Z\d]/gu)?.length ?? 0;
}

interface Service {
  readonly host: OllamaHost;
  readonly log: OllamaCall[];
}

/** Serves one request; resolves when its connection has nothing more to hear. */
async function serve(
  { host, log }: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = openExchange(request, response);
  try {
    const text = await exchange.text();
    log.push(exchange.call);
    await route(host, exchange, text);
  } catch (error) {
    if (!response.writableEnded)
      exchange.fail(500, error instanceof Error ? error.message : String(error));
  }
  await exchange.ended;
}

async function route(host: OllamaHost, exchange: Exchange, text: string): Promise<void> {
  const { method, path } = exchange.call;
  if (path === '/') return exchange.plain(200, 'Ollama is running');
  if (path === '/api/version') return exchange.json(200, { version: host.version });
  if (path === '/api/tags') return exchange.json(200, tags(host));
  if (path === '/api/ps') {
    forgetExpired(host);
    return exchange.json(200, memory(host));
  }
  if (method !== 'POST' || !posts.has(path)) return exchange.plain(404, '404 page not found');
  if (text === '') return exchange.fail(400, 'missing request body');
  const body: OllamaBody | null = objectIn(text);
  if (body === null) return exchange.fail(400, 'invalid character in request body');
  exchange.call.body = body;
  if ((body.model ?? body.name ?? '') === '') return exchange.fail(400, 'model is required');
  if (path === '/api/pull') return pull(host, exchange);
  const model = modelOf(host, body);
  if (model === null) return exchange.fail(404, `model '${body.model ?? body.name}' not found`);
  if (path === '/api/show') return exchange.json(200, shown(model));
  if (path === '/api/embed') return embed(host, exchange, model);
  await generate(host, exchange, model);
}

const posts: ReadonlySet<string> = new Set([
  '/api/show',
  '/api/chat',
  '/api/generate',
  '/api/embed',
  '/api/pull',
]);
