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

/** The calls of entries with their results, in the order of the calls; a result without an id answers the first open call of its name. */
export function exchangesIn(entries: readonly LeavingEntry[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const open = new Map<string | undefined, number>();
  let newest = 0;
  for (const { n, message } of entries) {
    if (message.role === 'assistant') {
      newest = exchanges.length;
      for (const call of message.toolCalls ?? []) {
        if (call.id !== undefined) open.set(call.id, exchanges.length);
        exchanges.push({ n, call, result: undefined, to: n });
      }
    }
    if (message.role !== 'tool') continue;
    const { toolCallId, name } = message;
    const isIts = ({ call, result }: Exchange): boolean =>
      result === undefined && (name === undefined || call.name === name);
    const at =
      toolCallId === undefined
        ? exchanges.findIndex((one, index) => index >= newest && isIts(one))
        : (open.get(toolCallId) ?? -1);
    if (at < 0) continue;
    exchanges[at] = { ...exchanges[at]!, result: message, to: n };
    open.delete(exchanges[at].call.id);
  }
  return exchanges;
}

/** The results of calls in entries. */
export function resultsIn(
  entries: readonly LeavingEntry[],
): (call: ToolCall) => ToolMessage | undefined {
  const results = new Map(exchangesIn(entries).map(({ call, result }) => [call, result]));
  return (call) => results.get(call);
}
