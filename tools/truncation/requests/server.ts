import { Ollama } from 'ollama';
import { ollamaModel, type OllamaModel } from '../../../src/index.ts';
import { startOllamaServer, type OllamaServer } from '../../../src/testing/ollama-server.ts';
import { tokenizerNamed } from '../tokenizers/tokenizer.ts';
import type { Random } from '../../random.ts';
import { textOf } from '../text.ts';

/** How a server is set up. */
export interface Setup {
  /** The release that it behaves like. */
  readonly release: string;
  /** Who renders a chat, Ollama or llama-server. */
  readonly mode: 'rendered' | 'native';
  /** Share of answers that leave the count of the prompt out. */
  readonly silent: number;
  /** Whether the window of the server is asked for where that happens. */
  readonly looks: boolean;
  /** Whether `truncate: false` and `shift: false` reach the server; then it refuses where it would cut. */
  readonly heeded: boolean;
  /** Whether the window is as asked for at first, and becomes smaller somewhere in the session. */
  readonly late: boolean;
}

/** A server with one model, and the model as our client speaks to it. */
export interface Served extends AsyncDisposable {
  readonly server: OllamaServer;
  readonly model: OllamaModel;
  /** Loads the model again, with windows of so many tokens at most. */
  shrink(window: number): void;
}

/** Starts a server whose memory allows windows of `window` tokens, whatever it is asked for. */
export async function serve(
  { release, mode, silent, heeded }: Setup,
  window: number,
  random: Random,
): Promise<Served> {
  const server = await startOllamaServer({
    version: release,
    models: { m: { mode, fits: window } },
    count: tokenizerNamed('Llama 3').count,
    reply: () => ({
      content: textOf(random),
      ...(random() < silent ? { promptEvalCount: null } : {}),
    }),
  });
  const client = new Ollama({ host: server.url, ...(heeded ? {} : { fetch: sendCarelessly }) });
  return {
    server,
    model: ollamaModel(client, 'm'),
    shrink: (fits) => server.add('m', { mode, fits }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Sends what a careless client or proxy would: without the fields that ask the server to refuse rather than cut. */
async function sendCarelessly(
  address: Parameters<typeof fetch>[0],
  sent?: RequestInit,
): Promise<Response> {
  if (typeof sent?.body !== 'string') return fetch(address, sent);
  const {
    truncate: _truncate,
    shift: _shift,
    ...body
  } = JSON.parse(sent.body) as object & {
    truncate?: boolean;
    shift?: boolean;
  };
  return fetch(address, { ...sent, body: JSON.stringify(body) });
}
