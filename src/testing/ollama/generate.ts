import { joined, toAnswer, type Answer, type Chunk } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { fit, type Fitted } from './fit.ts';
import { load, type Host } from './host.ts';
import { fullName, type Served } from './model.ts';
import { replyTo, type OllamaAsked, type OllamaReply } from './reply.ts';
import type { OllamaBody } from './wire.ts';

/** Where Ollama says that its models come from; a name that leads nowhere. */
const registry = 'models.invalid';

interface Turn {
  readonly host: Host;
  readonly exchange: Exchange;
  readonly model: Served;
  readonly body: OllamaBody;
  readonly chat: boolean;
}

/** Answers `/api/chat` or `/api/generate` for a model that is there. */
export async function generate(host: Host, exchange: Exchange, model: Served): Promise<void> {
  const { body } = exchange.call;
  const turn = { host, exchange, model, body, chat: exchange.call.path === '/api/chat' };
  const empty = turn.chat ? (body.messages ?? []).length === 0 : (body.prompt ?? '') === '';
  if (empty && isZero(body.keep_alive)) {
    host.loaded.delete(model.name);
    return exchange.json(200, last(turn, { done_reason: 'unload' }));
  }
  const lack = lacking(turn);
  if (lack !== null) return exchange.json(400, { error: lack });
  if (host.running >= host.parallel)
    return exchange.json(503, {
      error: 'server busy, please try again.  maximum pending requests exceeded',
    });
  host.running += 1;
  try {
    exchange.call.loaded = load(host, model, body);
    if (empty) return exchange.json(200, last(turn, { done_reason: 'load' }));
    await respond(turn);
  } finally {
    host.running -= 1;
    if (isZero(body.keep_alive)) host.loaded.delete(model.name);
  }
}

function isZero(keepAlive: string | number | undefined): boolean {
  return keepAlive !== undefined && Number.parseFloat(String(keepAlive)) === 0;
}

function lacking({ model, body, chat }: Turn): string | null {
  const name = body.model ?? '';
  const can = model.capabilities;
  if (!can.includes('completion'))
    return `"${name}" does not support ${chat ? 'chat' : 'generate'}`;
  if ((body.tools ?? []).length > 0 && !can.includes('tools'))
    return `${registry}/library/${fullName(name)} does not support tools`;
  if (isThinking(body.think) && !can.includes('thinking'))
    return `"${name}" does not support thinking`;
  return null;
}

function isThinking(think: boolean | string | undefined): boolean {
  return think !== undefined && think !== false;
}

async function respond(turn: Turn): Promise<void> {
  const { host, exchange, model, body, chat } = turn;
  const numCtx = host.loaded.get(model.name)?.numCtx ?? host.defaultNumCtx;
  const fitted = fit({ model, release: host.release, body, chat, numCtx });
  Object.assign(exchange.call, { numCtx, asked: fitted.asked, dropped: fitted.dropped });
  if (body._debug_render_only === true)
    return exchange.json(200, {
      ...envelope(turn, {}),
      done: false,
      _debug_info: { rendered_template: fitted.prompt },
    });
  if (fitted.refusal !== null)
    return exchange.json(fitted.refusal.status, { error: fitted.refusal.error });
  exchange.call.tokens = fitted.tokens;
  exchange.call.middle = fitted.middle;
  const asked = toAsked(turn, fitted, numCtx);
  const reply = await untilAborted(replyTo(host.script, asked), exchange.signal);
  if (reply === null) return;
  const answer = toAnswer(reply, asked, model.count);
  const metrics = measured(turn, { reply, answer, fitted, n: asked.n });
  await wait(turn, reply.delay);
  if (exchange.signal.aborted) return;
  if (body.stream === false) sendWhole(turn, { reply, answer, metrics });
  else await sendStream(turn, { reply, answer, metrics });
}

function toAsked(turn: Turn, fitted: Fitted, numCtx: number): OllamaAsked {
  const { host, exchange, model, body, chat } = turn;
  const n = host.answered;
  host.answered += 1;
  return {
    path: chat ? '/api/chat' : '/api/generate',
    body,
    messages: fitted.messages,
    prompt: fitted.prompt,
    tokens: fitted.tokens,
    numCtx,
    think: model.capabilities.includes('thinking') && body.think !== false,
    n,
    signal: exchange.signal,
  };
}

interface Sending {
  readonly reply: OllamaReply;
  readonly answer: Answer;
  readonly metrics: Readonly<Record<string, unknown>>;
}

const failure = 'an error was encountered while running the model: CUDA error';

function sendWhole(turn: Turn, { reply, answer, metrics }: Sending): void {
  const { exchange } = turn;
  if (reply.dropAfter !== undefined || reply.endAfter !== undefined) return exchange.drop();
  if (hasFailed(reply))
    return exchange.json(reply.status ?? 500, { error: reply.error ?? failure });
  exchange.json(200, last(turn, { done_reason: answer.reason, ...metrics }, joined(answer.chunks)));
}

function hasFailed(reply: OllamaReply): boolean {
  return reply.error !== undefined || reply.status !== undefined || reply.errorAfter !== undefined;
}

async function sendStream(turn: Turn, { reply, answer, metrics }: Sending): Promise<void> {
  const { exchange } = turn;
  if (hasFailed(reply) && reply.errorAfter === undefined)
    return exchange.json(reply.status ?? 500, { error: reply.error ?? failure });
  const size = answer.chunks.length;
  const reached = (after: number | undefined, sent: number): boolean =>
    after !== undefined && Math.min(after, size) === sent;
  for (let sent = 0; sent <= size; sent += 1) {
    if (sent > 0) await wait(turn, reply.pause);
    await untilAborted(Promise.resolve(reply.before?.(sent)), exchange.signal);
    if (exchange.signal.aborted) return;
    if (reached(reply.dropAfter, sent)) return exchange.drop();
    if (reached(reply.endAfter, sent)) return exchange.end();
    if (reached(reply.errorAfter, sent)) {
      exchange.line({ error: reply.error ?? failure });
      return exchange.end();
    }
    const chunk = answer.chunks[sent];
    if (chunk !== undefined) exchange.line({ ...envelope(turn, chunk), done: false });
  }
  exchange.line(last(turn, { done_reason: answer.reason, ...metrics }));
  exchange.end();
}

/** What each object of an answer has around its chunk. */
function envelope({ host, body, chat }: Turn, chunk: Chunk): Readonly<Record<string, unknown>> {
  const head = { model: body.model, created_at: new Date(host.clock.now()).toISOString() };
  const { content = '', ...rest } = chunk;
  return chat
    ? { ...head, message: { role: 'assistant', content, ...rest } }
    : { ...head, response: content, ...rest };
}

function last(
  turn: Turn,
  rest: Readonly<Record<string, unknown>>,
  chunk: Chunk = {},
): Readonly<Record<string, unknown>> {
  return { ...envelope(turn, chunk), done: true, ...rest };
}

/** Nanoseconds that work takes here; made up, but always the same. */
const durations = { load: 2e9, warm: 1e7, prompt: 1e6, answer: 2e7 };

function measured(
  { host, exchange, model }: Turn,
  said: Pick<Sending, 'reply' | 'answer'> & { readonly fitted: Fitted; readonly n: number },
): Readonly<Record<string, unknown>> {
  const { reply, answer, fitted, n } = said;
  const memory = host.loaded.get(model.name);
  const cached = host.counts === 'uncached' ? common(memory?.prompt ?? '', fitted.prompt) : '';
  if (memory !== undefined) host.loaded.set(model.name, { ...memory, prompt: fitted.prompt });
  const silent = host.counts === 'never' || (host.counts === 'sometimes' && n % 2 === 1);
  const counted = fitted.tokens - (cached === '' ? 0 : model.count(cached));
  const prompt =
    reply.promptEvalCount === undefined ? (silent ? null : counted) : reply.promptEvalCount;
  const tokens = reply.evalCount === undefined ? answer.tokens : reply.evalCount;
  const load = exchange.call.loaded ? durations.load : durations.warm;
  const times = { prompt: counted * durations.prompt, answer: answer.tokens * durations.answer };
  return {
    total_duration: load + times.prompt + times.answer,
    load_duration: load,
    ...(prompt !== null && { prompt_eval_count: prompt }),
    prompt_eval_duration: times.prompt,
    ...(tokens !== null && { eval_count: tokens }),
    eval_duration: times.answer,
  };
}

/** The beginning that two texts share. */
function common(a: string, b: string): string {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end += 1;
  return a.slice(0, end);
}

function wait({ host, exchange }: Turn, milliseconds = 0): Promise<unknown> {
  if (milliseconds === 0) return Promise.resolve();
  let timer: unknown;
  const over = new Promise<void>((resolve) => {
    timer = host.clock.setTimeout(resolve, milliseconds);
  });
  return untilAborted(over, exchange.signal).finally(() => host.clock.clearTimeout(timer));
}

/** The value of `promise`, or null once `signal` aborts. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
    promise.then(resolve, reject);
  });
}
