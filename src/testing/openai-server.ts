import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../engine/live/clock.ts';
import { objectIn } from './http/connection.ts';
import { listen } from './http/loopback.ts';
import { errorOf, pageOf, type OpenAIDialect } from './openai/dialect.ts';
import {
  openExchange,
  type Exchange,
  type OpenAIBody,
  type OpenAIExchanged,
} from './openai/exchange.ts';
import type { OpenAIScript } from './openai/reply.ts';
import { respond, type Host } from './openai/respond.ts';

/** How a scripted OpenAI-compatible server is set up. */
export interface OpenAIServerOptions {
  /** Whose lists, errors and habits it has; `openai` unless told. */
  readonly dialect?: OpenAIDialect;
  /** Name of its model; `scripted` unless told. */
  readonly model?: string;
  /** What the model answers; `ok` unless told. */
  readonly reply?: OpenAIScript;
  /** Window in force, in tokens; none unless told, and then LM Studio has the model not loaded. */
  readonly window?: number;
  /** Largest window it was trained for, in tokens; 131,072 unless told. */
  readonly trained?: number;
  /** Parameters; 8,030,261,248 unless told. */
  readonly parameters?: number;
  /** Tokens of a text; a quarter of its UTF-8 bytes unless told. */
  readonly count?: (text: string) => number;
  /** Key that all requests must carry; none unless told. */
  readonly key?: string;
  /** Fields of a request that it refuses by their name, such as `stream_options`. */
  readonly refuses?: readonly string[];
  /** Port on the loopback; a free one unless told. */
  readonly port?: number;
  /** Whose time delays are of; this machine's unless told. */
  readonly clock?: Clock;
}

/** A scripted OpenAI-compatible server on the loopback. */
export interface OpenAIServer extends AsyncDisposable {
  /** Base URL of its API, without a slash at the end. */
  readonly url: string;
  /** Each request, in the order in which they were whole. */
  readonly log: readonly OpenAIExchanged[];
  /** The requests for chat completions among them. */
  readonly chats: readonly OpenAIExchanged[];
  /** Resolves once no request is under way. */
  idle(): Promise<void>;
  /** Drops all connections and listens no more. */
  close(): Promise<void>;
}

const chatPath = '/v1/chat/completions';

/**
 * Starts an HTTP server that speaks chat completions as OpenAI, llama.cpp, vLLM or
 * LM Studio do, with one model whose answers are scripted. A prompt that does not fit the
 * window is refused in their words. Rejects if the port is taken.
 */
export async function startOpenAIServer(options: OpenAIServerOptions = {}): Promise<OpenAIServer> {
  const host = toHost(options);
  const log: OpenAIExchanged[] = [];
  const { port, idle, close } = await listen(
    (request, response) => serve({ host, log, key: options.key ?? null }, request, response),
    options.port,
  );
  return {
    url: `http://127.0.0.1:${port}/v1`,
    log,
    get chats() {
      return log.filter(({ path }) => path === chatPath);
    },
    idle,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function toHost(options: OpenAIServerOptions): Host {
  return {
    served: {
      dialect: options.dialect ?? 'openai',
      model: options.model ?? 'scripted',
      window: options.window ?? null,
      trained: options.trained ?? 131_072,
      parameters: options.parameters ?? 8_030_261_248,
    },
    script: options.reply ?? 'ok',
    count: options.count ?? ((text) => Math.ceil(Buffer.byteLength(text) / 4)),
    clock: options.clock ?? systemClock,
    refuses: options.refuses ?? [],
    answered: 0,
  };
}

interface Service {
  readonly host: Host;
  readonly log: OpenAIExchanged[];
  readonly key: string | null;
}

/** Serves one request; resolves when its connection has nothing more to hear. */
async function serve(
  { host, log, key }: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = openExchange(request, response);
  try {
    const text = await exchange.text();
    log.push(exchange.call);
    if (key !== null && request.headers.authorization !== `Bearer ${key}`)
      exchange.send(401, errorOf(401));
    else await route(host, exchange, text);
  } catch (error) {
    if (!exchange.signal.aborted) exchange.send(500, errorOf(500, String(error)));
  }
  await exchange.ended;
}

async function route(host: Host, exchange: Exchange, text: string): Promise<void> {
  const { method, path } = exchange.call;
  const page = method === 'GET' ? pageOf(host.served, path) : null;
  if (page !== null) return exchange.send(200, page);
  if (method !== 'POST' || path !== chatPath)
    return exchange.send(404, errorOf(404, `Unknown request URL: ${method} ${path}`));
  const body: OpenAIBody | null = objectIn(text);
  if (body === null) return exchange.send(400, errorOf(400, 'The body is not JSON'));
  exchange.call.body = body;
  await respond(host, exchange);
}
