import type { OllamaAsked, OllamaReply } from './reply.ts';

/** One chunk of an answer. */
export interface AnswerChunk {
  readonly content?: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly unknown[];
}

/** An answer in chunks. */
export interface ChunkedAnswer {
  readonly chunks: readonly AnswerChunk[];
  /** `stop`, `length`, or what the reply says. */
  readonly reason: string;
  /** Tokens of all chunks. */
  readonly tokens: number;
}

/** What a model brings along to answer. */
export interface AnswerContext {
  readonly count: (text: string) => number;
  /** Whether its window moves on when it is full. */
  readonly shift: boolean;
}

/**
 * The chunks that a model gives for `reply`: thinking, text, and all tool calls
 * in one. It ends with `length` after `num_predict` tokens, and where the window
 * is full and does not shift.
 */
export function toAnswer(
  reply: OllamaReply,
  asked: Pick<OllamaAsked, 'body' | 'think' | 'numCtx' | 'tokens' | 'n'>,
  { count, shift }: AnswerContext,
): ChunkedAnswer {
  const predict = asked.body.options?.num_predict ?? -1;
  const most = predict > 0 ? predict : Number.POSITIVE_INFINITY;
  const room = shift ? most : Math.min(most, asked.numCtx - asked.tokens);
  const chunks: AnswerChunk[] = [];
  let tokens = 0;
  for (const chunk of allChunks(reply, asked)) {
    const size = Math.max(1, count(textOf(chunk)));
    if (tokens + size > room) return { chunks, tokens, reason: reply.doneReason ?? 'length' };
    tokens += size;
    chunks.push(chunk);
  }
  return { chunks, tokens: Math.max(1, tokens), reason: reply.doneReason ?? 'stop' };
}

function allChunks(
  { content = '', thinking = '', toolCalls = [] }: OllamaReply,
  { think, n }: Pick<OllamaAsked, 'think' | 'n'>,
): readonly AnswerChunk[] {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const calls = toolCalls.map(({ id, name, arguments: args }, index) => ({
    id: id ?? `call_${n}_${index}`,
    function: { index, name, arguments: args },
  }));
  return [
    ...(think ? pieces(thinking) : []).map((piece) => ({ thinking: piece })),
    ...pieces(text).map((piece) => ({ content: piece })),
    ...(calls.length > 0 ? [{ tool_calls: calls }] : []),
  ];
}

/** Words with the blanks after them. */
function pieces(text: string): readonly string[] {
  return text.match(/^\s+|\S+\s*/g) ?? [];
}

function textOf({ content = '', thinking = '', tool_calls: calls }: AnswerChunk): string {
  return content + thinking + (calls === undefined ? '' : JSON.stringify(calls));
}

/** All chunks as one. */
export function joined(chunks: readonly AnswerChunk[]): AnswerChunk {
  const thinking = chunks.map((chunk) => chunk.thinking ?? '').join('');
  const calls = chunks.flatMap((chunk) => chunk.tool_calls ?? []);
  return {
    content: chunks.map((chunk) => chunk.content ?? '').join(''),
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}
