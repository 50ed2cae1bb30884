import { exceedsContext } from '../http/llama-server.ts';

/** Servers whose lists, errors and habits a scripted one can have. */
export type OpenAIDialect = 'openai' | 'llama.cpp' | 'vllm' | 'lm-studio';

/** The model that a server has. */
export interface Served {
  readonly dialect: OpenAIDialect;
  readonly model: string;
  /** Window in force, in tokens; null where none is enforced. */
  readonly window: number | null;
  /** Largest window it was trained for, in tokens. */
  readonly trained: number;
  readonly parameters: number;
}

/** A prompt that does not fit, in tokens. */
interface TooLong {
  readonly tokens: number;
  /** What is asked for the answer; null where the request does not say. */
  readonly answer: number | null;
  readonly window: number;
}

/** Whether it refuses a prompt that leaves less room than the answer may take. */
export function reserves(dialect: OpenAIDialect): boolean {
  return dialect === 'openai' || dialect === 'vllm';
}

/** Body of the error that a prompt is too long. */
export function overflow(dialect: OpenAIDialect, { tokens, answer, window }: TooLong): unknown {
  const room = answer ?? 0;
  const both = `This model's maximum context length is ${window} tokens. However, you requested ${tokens + room} tokens (${tokens} in the messages, ${room} in the completion). Please reduce the length of the messages or completion.`;
  switch (dialect) {
    case 'openai':
      return error(both, { param: 'messages', code: 'context_length_exceeded' });
    case 'vllm':
      return { object: 'error', message: both, type: 'BadRequestError', param: null, code: 400 };
    case 'llama.cpp':
      return exceedsContext(tokens, window);
    case 'lm-studio':
      return error(
        `Trying to keep the first ${tokens} tokens when context the overflows. However, the model is loaded with context length of only ${window} tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`,
      );
  }
}

/** Body of the error that the server has another model. */
export function wrongModel(model = ''): unknown {
  return error(`The model \`${model}\` does not exist.`, { code: 'model_not_found' });
}

/** Body of an error, in words that fit its status unless told. */
export function errorOf(status: number, message?: string): unknown {
  if (message !== undefined) return error(message);
  if (status === 401) return error('Incorrect API key provided', { code: 'invalid_api_key' });
  if (status === 429) return error('Too many requests', { code: 'rate_limit_exceeded' });
  if (status === 503) return error('The server is overloaded', { type: 'server_error' });
  return error(`Scripted error ${status}`, { type: 'server_error' });
}

function error(message: string, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { error: { message, type: 'invalid_request_error', param: null, code: null, ...more } };
}

/** Answer to a GET of `path`; null where there is none. */
export function pageOf(served: Served, path: string): unknown {
  const { dialect, model, window, trained } = served;
  const list = (item: object): unknown => ({
    object: 'list',
    data: [{ id: model, object: 'model', ...item }],
  });
  if (path === '/v1/models') return list(listed(served));
  if (path === '/props' && dialect === 'llama.cpp')
    return {
      default_generation_settings: { id: 0, n_ctx: window ?? trained },
      total_slots: 1,
      model_path: `/models/${model}`,
      chat_template: '',
    };
  if (path === '/api/v0/models' && dialect === 'lm-studio')
    return list({
      type: 'llm',
      state: window === null ? 'not-loaded' : 'loaded',
      max_context_length: trained,
      ...(window !== null && { loaded_context_length: window }),
    });
  return null;
}

function listed({ dialect, model, window, trained, parameters }: Served): object {
  switch (dialect) {
    case 'openai':
      return { created: 1_700_000_000, owned_by: 'scripted' };
    case 'vllm':
      return { owned_by: 'vllm', root: model, max_model_len: window ?? trained };
    case 'llama.cpp':
      return {
        owned_by: 'llamacpp',
        meta: { n_ctx: window ?? trained, n_ctx_train: trained, n_params: parameters },
      };
    case 'lm-studio':
      return { owned_by: 'organization_owner' };
  }
}
