import { Ollama } from 'ollama';
import {
  EngineError,
  ollamaModel,
  openaiModel,
  type ChatModel,
  type PullProgress,
} from '../../../index.ts';
import type { Io } from '../../io.ts';
import { serverKey } from './server-key.ts';

/** How the server of a model is named on a command line. */
export interface ServerOptions {
  /** Address of an Ollama server. */
  readonly host?: string | undefined;
  /** Base URL of a server of the OpenAI kind, or true for that of the environment. */
  readonly openai?: string | true | undefined;
  readonly keepAlive?: string | undefined;
}

/** A server, for any of its models. */
export interface Server {
  readonly address: string;
  readonly kind: 'ollama' | 'openai';
  model(name: string): ChatModel;
  /** Has it download a model; null where it cannot. */
  readonly pull:
    | ((
        name: string,
        options: { onProgress: (progress: PullProgress) => void; signal: AbortSignal },
      ) => Promise<void>)
    | null;
  /** Loads a model with a window, in tokens; gives back the window in force and the tokens of `text` as a prompt. Null where it cannot. */
  readonly load:
    | ((
        name: string,
        options: { window: number; text: string; signal: AbortSignal },
      ) => Promise<{ readonly window: number | null; readonly inputTokens: number | null }>)
    | null;
  /** Its version; null where it does not say. */
  version(): Promise<string | null>;
}

/** Where Ollama listens unless told. */
const localOllama = 'http://127.0.0.1:11434';

/** The server that options and surroundings name: `--openai`, `--host`, FLAMESTACK_OPENAI, OLLAMA_HOST, or Ollama on this machine. */
export function serverOf(options: ServerOptions, env: Io['env']): Server {
  const setting = options.openai ?? (options.host === undefined ? env['FLAMESTACK_OPENAI'] : '');
  if (setting === undefined || setting === '') return ollamaServer(options, env);
  const base = setting === true ? env['OPENAI_BASE_URL'] : setting;
  if (base !== undefined && base !== '') return openaiServer(base, env);
  throw new EngineError('OPTION_INVALID', '--openai takes the base URL of a server', {
    detail: { option: 'openai' },
  });
}

function ollamaServer(options: ServerOptions, env: Io['env']): Server {
  const host = options.host ?? (env['OLLAMA_HOST'] || localOllama);
  const client = atAddress(host, () => new Ollama({ host }));
  const { keepAlive } = options;
  const model = (name: string) =>
    ollamaModel(client, name, keepAlive === undefined ? {} : { keepAlive });
  return {
    address: model('').server,
    kind: 'ollama',
    model,
    pull: (name, given) => model(name).pull(given),
    load: (name, { window, text, signal }) => model(name).load(window, { text, signal }),
    version: () =>
      client.version().then(
        ({ version }) => version,
        () => null,
      ),
  };
}

/** What `make` makes of an address; throws `OPTION_INVALID` where it is none. */
function atAddress<T>(address: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_INVALID_URL') throw cause;
    throw new EngineError('OPTION_INVALID', `"${address}" is no address of a server`, {
      cause,
      detail: { option: 'host', value: address },
    });
  }
}

function openaiServer(base: string, env: Io['env']): Server {
  atAddress(base, () => new URL(base));
  const apiKey = serverKey(env);
  const model = (name: string): ChatModel => openaiModel({ baseURL: base, model: name, apiKey });
  return {
    address: model('').server,
    kind: 'openai',
    model,
    pull: null,
    load: null,
    version: () => Promise.resolve(null),
  };
}
