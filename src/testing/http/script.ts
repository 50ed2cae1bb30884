/** Answers one request, or is the answer; a text alone is its content. */
export type ReplyLine<Asked, Reply> =
  | string
  | Reply
  | ((asked: Asked) => string | Reply | Promise<string | Reply>);

/**
 * What a server's models answer: one line for all requests, or lines in the order
 * of the requests, of which the last goes on for ever.
 */
export type Script<Asked, Reply> = ReplyLine<Asked, Reply> | readonly ReplyLine<Asked, Reply>[];

/** The answer that `script` has for `asked`, which says how many were answered before; `ok` where it has none. */
export async function replyTo<Asked extends { readonly n: number }, Reply extends object>(
  script: Script<Asked, Reply>,
  asked: Asked,
): Promise<Reply> {
  const lines = isLines(script) ? script : [script];
  const line = lines[Math.min(asked.n, lines.length - 1)] ?? 'ok';
  const reply = typeof line === 'function' ? await line(asked) : line;
  return typeof reply === 'string' ? ({ content: reply } as unknown as Reply) : reply;
}

function isLines<Asked, Reply>(
  script: Script<Asked, Reply>,
): script is readonly ReplyLine<Asked, Reply>[] {
  return Array.isArray(script);
}
