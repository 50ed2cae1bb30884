import { toAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { fit, mayShift, type Fitted } from './fit.ts';
import { load, type OllamaHost } from './host.ts';
import { metrics } from './metrics.ts';
import { fullName, type Served } from './model.ts';
import { untilAborted } from '../http/patience.ts';
import { replyTo } from '../http/script.ts';
import type { OllamaAsked } from './reply.ts';
import { envelope, send } from './send.ts';
import type { OllamaBody } from './wire.ts';

/** Where Ollama says that its models come from; a name that leads nowhere. */
const registry = 'models.invalid';

interface Turn {
  readonly host: OllamaHost;
  readonly exchange: Exchange;
  readonly model: Served;
  readonly body: OllamaBody;
  readonly chat: boolean;
}

/** Answers `/api/chat` or `/api/generate` for a model that is there. */
export async function generate(host: OllamaHost, exchange: Exchange, model: Served): Promise<void> {
  const { body, path } = exchange.call;
  const turn = { host, exchange, model, body, chat: path === '/api/chat' };
  const empty = turn.chat ? (body.messages ?? []).length === 0 : (body.prompt ?? '') === '';
  if (empty && isZero(body.keep_alive)) {
    host.loaded.delete(model.name);
    return acknowledge(turn, 'unload');
  }
  const lack = missingAbility(turn);
  if (lack !== null) return exchange.fail(400, lack);
  if (host.running >= host.parallel)
    return exchange.fail(503, 'server busy, please try again.  maximum pending requests exceeded');
  host.running += 1;
  try {
    exchange.call.loaded = load(host, model, body);
    if (empty) acknowledge(turn, 'load');
    else await answer(turn);
  } finally {
    host.running -= 1;
    if (isZero(body.keep_alive)) host.loaded.delete(model.name);
  }
}

function isZero(keepAlive: string | number | undefined): boolean {
  return keepAlive !== undefined && Number.parseFloat(String(keepAlive)) === 0;
}

function acknowledge({ host, exchange, body, chat }: Turn, reason: string): void {
  const empty = envelope({ body, chat, clock: host.clock });
  exchange.json(200, { ...empty, done: true, done_reason: reason });
}

/** What the model cannot do of what is asked, in Ollama's words; null if it can. */
function missingAbility({ model, body, chat }: Turn): string | null {
  const name = body.model ?? '';
  const can = model.capabilities;
  if (!can.includes('completion'))
    return `"${name}" does not support ${chat ? 'chat' : 'generate'}`;
  if ((body.tools ?? []).length > 0 && !can.includes('tools'))
    return `${registry}/library/${fullName(name)} does not support tools`;
  const thinks = body.think !== undefined && body.think !== false;
  if (thinks && !can.includes('thinking')) return `"${name}" does not support thinking`;
  return null;
}

async function answer(turn: Turn): Promise<void> {
  const { host, exchange, model, body, chat } = turn;
  const { release, clock } = host;
  const numCtx = host.loaded.get(model.name)?.numCtx ?? host.defaultNumCtx;
  const fitting = { model, release, body, chat, numCtx };
  const fitted = fit(fitting);
  Object.assign(exchange.call, { numCtx, asked: fitted.asked, dropped: fitted.dropped });
  if (body._debug_render_only === true) {
    const debug = { _debug_info: { rendered_template: fitted.prompt } };
    return exchange.json(200, { ...envelope({ body, chat, clock }), done: false, ...debug });
  }
  if (fitted.refusal !== null) return exchange.fail(fitted.refusal.status, fitted.refusal.error);
  Object.assign(exchange.call, { tokens: fitted.tokens, middle: fitted.middle });
  const asked = toAsked(turn, fitted, numCtx);
  const reply = await untilAborted(replyTo(host.script, asked), exchange.signal);
  if (reply === null) return;
  const whole = toAnswer(reply, asked, { count: model.count, shift: mayShift(fitting) });
  const measured = { host, model, fitted, reply, n: asked.n, loaded: exchange.call.loaded };
  const numbers = metrics({ ...measured, answer: whole });
  await send({ exchange, clock, body, chat, reply, answer: whole, metrics: numbers });
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
