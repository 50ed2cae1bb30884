import type { LeavingEntry, ToolCall, ToolMessage } from '../messages/message.ts';

/** A call, with its result where that leaves the window with it. */
export interface Exchange {
  /** Position of the entry with the call. */
  readonly n: number;
  readonly call: ToolCall;
  readonly result: ToolMessage | undefined;
  /** Position of the entry with the result; `n` where there is none. */
  readonly to: number;
}

/** The calls of entries with their results, in the order of the calls. */
export function exchangesIn(entries: readonly LeavingEntry[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const open = new Map<string, number>();
  for (const { n, message } of entries) {
    if (message.role === 'assistant')
      for (const call of message.toolCalls ?? []) {
        if (call.id !== undefined) open.set(call.id, exchanges.length);
        exchanges.push({ n, call, result: undefined, to: n });
      }
    if (message.role !== 'tool') continue;
    const at = open.get(message.toolCallId ?? '');
    if (at === undefined) continue;
    exchanges[at] = { ...exchanges[at]!, result: message, to: n };
    open.delete(message.toolCallId ?? '');
  }
  return exchanges;
}
