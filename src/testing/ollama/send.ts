import type { Clock } from '../../engine/live/clock.ts';
import { joined, type ChunkedAnswer, type AnswerChunk } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { pause, untilAborted } from '../http/patience.ts';
import type { OllamaReply } from './reply.ts';
import type { OllamaBody } from './wire.ts';

/** An answer on its way. */
export interface OutgoingAnswer {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly body: OllamaBody;
  readonly chat: boolean;
  readonly reply: OllamaReply;
  readonly answer: ChunkedAnswer;
  readonly metrics: Readonly<Record<string, unknown>>;
}

/** Whom an object of an answer is for. */
export type Address = Pick<OutgoingAnswer, 'body' | 'chat' | 'clock'>;

/** Sends an answer as the request wants it, with the failures that the reply asks for. */
export async function send(sending: OutgoingAnswer): Promise<void> {
  const { exchange, clock, body, reply } = sending;
  await pause(clock, reply.delay, exchange.signal);
  if (exchange.signal.aborted) return;
  const broken = reply.dropAfter ?? reply.endAfter;
  const fails = [reply.error, reply.status, reply.errorAfter].some((said) => said !== undefined);
  if (body.stream === false && broken !== undefined) exchange.drop();
  else if (fails && (body.stream === false || reply.errorAfter === undefined))
    exchange.json(reply.status ?? 500, { error: errorText(reply) });
  else if (body.stream === false) exchange.json(200, final(sending, joined(sending.answer.chunks)));
  else await stream(sending);
}

async function stream(sending: OutgoingAnswer): Promise<void> {
  const { exchange, clock, reply, answer } = sending;
  const size = answer.chunks.length;
  for (let sent = 0; sent <= size; sent += 1) {
    if (sent > 0) await pause(clock, reply.pause, exchange.signal);
    await untilAborted(Promise.resolve(reply.before?.(sent)), exchange.signal);
    if (exchange.signal.aborted) return;
    const reached = (after = Number.POSITIVE_INFINITY): boolean =>
      Number.isFinite(after) && Math.min(after, size) === sent;
    if (reached(reply.dropAfter)) return exchange.drop();
    if (reached(reply.endAfter)) return exchange.end();
    if (reached(reply.errorAfter)) {
      exchange.line({ error: errorText(reply) });
      return exchange.end();
    }
    const chunk = answer.chunks[sent];
    if (chunk !== undefined) exchange.line({ ...envelope(sending, chunk), done: false });
  }
  exchange.line(final(sending, {}));
  exchange.end();
}

function errorText({ error }: OllamaReply): string {
  return error ?? 'an error was encountered while running the model: CUDA error';
}

function final(sending: OutgoingAnswer, chunk: AnswerChunk): Readonly<Record<string, unknown>> {
  const { answer, metrics } = sending;
  return { ...envelope(sending, chunk), done: true, done_reason: answer.reason, ...metrics };
}

/** What each object of an answer has around its chunk. */
export function envelope(
  address: Address,
  chunk: AnswerChunk = {},
): Readonly<Record<string, unknown>> {
  const { body, chat, clock } = address;
  const head = { model: body.model, created_at: new Date(clock.now()).toISOString() };
  const { content = '', ...rest } = chunk;
  return chat
    ? { ...head, message: { role: 'assistant', content, ...rest } }
    : { ...head, response: content, ...rest };
}
