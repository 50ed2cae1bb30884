import type { Clock } from '../../engine/live/clock.ts';
import { eventsOf, toAnswer, wholeAnswer, type CompleteAnswer } from './answer.ts';
import { errorOf, overflow, reserves, wrongModel, type Served } from './dialect.ts';
import { pause, untilAborted } from '../http/patience.ts';
import { replyTo } from '../http/script.ts';
import type { Exchange, OpenAIBody } from './exchange.ts';
import type { OpenAIReply, OpenAIScript } from './reply.ts';

/** A server's model, and its habits. */
export interface Host {
  readonly served: Served;
  readonly script: OpenAIScript;
  readonly count: (text: string) => number;
  readonly clock: Clock;
  /** Fields of a request that it does not know. */
  readonly refuses: readonly string[];
  /** Requests that the script was asked to answer. */
  answered: number;
}

/** Answers a request for chat completions. */
export async function respond(host: Host, exchange: Exchange): Promise<void> {
  const { body } = exchange.call;
  const { dialect, model } = host.served;
  const stream = body.stream === true;
  const unknown = host.refuses.find((field) => body[field] !== undefined);
  if (unknown !== undefined)
    return exchange.send(400, errorOf(400, `Unsupported parameter: '${unknown}'`));
  if (dialect !== 'llama.cpp' && body.model !== model)
    return exchange.send(404, wrongModel(body.model));
  const tokens = promptTokens(host, body);
  exchange.call.tokens = tokens;
  const refusal = tooLong(host, body, tokens);
  if (refusal !== null && dialect === 'lm-studio' && stream) {
    await exchange.part(`event: error\ndata: ${JSON.stringify(refusal)}\n\n`);
    return exchange.end();
  }
  if (refusal !== null) return exchange.send(400, refusal);
  const asked = { body, tokens, n: host.answered, signal: exchange.signal };
  host.answered += 1;
  const reply = await untilAborted(replyTo(host.script, asked), exchange.signal);
  if (reply === null) return;
  await pause(host.clock, reply.delay, exchange.signal);
  if (exchange.signal.aborted) return;
  const room = Math.min(answerLimit(body) ?? Infinity, (host.served.window ?? Infinity) - tokens);
  const answer = toAnswer(reply, asked, { count: host.count, room });
  if (stream || reply.raw !== undefined) return sendStream(host, exchange, answer);
  if (reply.dropAfter !== undefined || reply.endAfter !== undefined) return exchange.drop();
  if (hasFailed(reply) || reply.errorAfter !== undefined) return sendError(exchange, reply);
  exchange.send(200, wholeAnswer(answer));
}

/** The prompt as it is counted: roles and contents, calls and tools as JSON. */
function promptTokens({ count }: Host, body: OpenAIBody): number {
  const messages = (body.messages ?? []).map(({ role, content = '', tool_calls = [] }) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return `<|${role}|>${text}${tool_calls.map((call) => JSON.stringify(call)).join('')}\n`;
  });
  const tools = (body.tools ?? []).map((tool) => `${JSON.stringify(tool)}\n`);
  return count(`${tools.join('')}${messages.join('')}<|assistant|>`);
}

function tooLong({ served }: Host, body: OpenAIBody, tokens: number): unknown {
  const { dialect, window } = served;
  if (window === null) return null;
  const answer = answerLimit(body);
  const needed = tokens + (reserves(dialect) ? (answer ?? 0) : 0);
  return needed > window ? overflow(dialect, { tokens, answer, window }) : null;
}

function answerLimit(body: OpenAIBody): number | null {
  return body.max_completion_tokens ?? body.max_tokens ?? null;
}

function hasFailed({ error, status, errorAfter }: OpenAIReply): boolean {
  return errorAfter === undefined && (error !== undefined || status !== undefined);
}

function sendError(exchange: Exchange, { error, status = 500, headers = {} }: OpenAIReply): void {
  exchange.send(status, error ?? errorOf(status), headers);
}

async function sendStream(host: Host, exchange: Exchange, answer: CompleteAnswer): Promise<void> {
  const { reply } = answer;
  const { raw, type, chunk, comments = false } = reply;
  if (hasFailed(reply)) return sendError(exchange, reply);
  const usage = exchange.call.body.stream_options?.include_usage === true;
  const events = eventsOf(answer, usage).map((event) => `data: ${JSON.stringify(event)}\n\n`);
  const parts = raw === undefined ? [...events, 'data: [DONE]\n\n'] : [raw];
  const how = { type, chunk };
  const reached = (after: number | undefined, sent: number): boolean =>
    after !== undefined && Math.min(after, parts.length) === sent;
  for (let sent = 0; sent <= parts.length; sent += 1) {
    if (sent > 0) await pause(host.clock, reply.pause, exchange.signal);
    await untilAborted(Promise.resolve(reply.before?.(sent)), exchange.signal);
    if (exchange.signal.aborted) return;
    if (reached(reply.dropAfter, sent)) return exchange.drop();
    if (reached(reply.errorAfter, sent)) {
      const error = reply.error ?? errorOf(reply.status ?? 500);
      await exchange.part(
        `data: ${typeof error === 'string' ? error : JSON.stringify(error)}\n\n`,
        how,
      );
      break;
    }
    if (reached(reply.endAfter, sent)) break;
    if (comments) await exchange.part(': keep-alive\n\n', how);
    await exchange.part(parts[sent] ?? '', how);
  }
  exchange.end();
}
