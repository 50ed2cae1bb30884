import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

// A provider on loopback: it answers by a script, and refuses what the real one refuses, in its words.

/** What JSON holds. */
type Json = ReturnType<typeof JSON.parse>;

/** A request as it came, any field of it. */
export interface Body {
  readonly [name: string]: Json;
}

/** How a provider takes requests to one path. */
export interface Route {
  /** Why the real one would refuse a request; null where it would not. */
  readonly refuse: (body: Body) => string | null;
  /** The answer to the n-th request that is taken. */
  readonly answer: (body: Body, n: number) => object;
  /** The refusals in its shape. */
  readonly error: (message: string) => object;
  /** The events of an answer that is asked for in a stream. */
  readonly events?: (answer: Body) => readonly Body[];
  /** The events that tell of a refusal for length, where that comes in a stream. */
  readonly tooLong?: (message: string) => readonly Body[];
}

/** A provider that runs. */
export interface Provider {
  readonly url: string;
  /** Requests that were taken. */
  readonly taken: readonly Body[];
  /** What was refused, but for what the script refuses itself. */
  readonly refused: readonly string[];
  /** Refuses the next request with these words, as for its length. */
  overflow(message: string): void;
  /** Sends half of the next streamed answer, and no more. */
  hang(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a provider with its routes. */
export async function startProvider(routes: Readonly<Record<string, Route>>): Promise<Provider> {
  const taken: Body[] = [];
  const refused: string[] = [];
  let next: string | null = null;
  let hangs = false;
  const server = createServer((request, response) => {
    void (async () => {
      const path = (request.url ?? '').replace(/\?.*/, '');
      // Programs look whether somebody is there, and what there is, before they ask.
      if (request.method !== 'POST') return void response.writeHead(404).end('{}');
      const body = (await json(request)) as Body;
      const route = routes[path];
      const fault = route === undefined ? `no path ${path}` : (next ?? route.refuse(body));
      const late = fault !== null && fault === next ? route?.tooLong?.(fault) : undefined;
      if (fault !== null && fault !== next) refused.push(fault);
      next = null;
      if (fault === null) taken.push(body);
      const said =
        fault === null
          ? route!.answer(body, taken.length)
          : (route?.error(fault) ?? { error: fault });
      if (late !== undefined || (fault === null && body['stream'] === true)) {
        const events = late ?? route!.events!(said);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of hangs ? events.slice(0, events.length / 2) : events)
          response.write(`event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`);
        if (!hangs) response.end();
        hangs = false;
        return;
      }
      response.writeHead(fault === null ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(said));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    taken,
    refused,
    overflow: (message) => void (next = message),
    hang: () => void (hangs = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Tokens of a request, about: a quarter of what is in it. */
export const about = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

const ids = /^[\w-]{1,64}$/;

/** What the Messages API says against a request. */
export function refuseMessages({
  messages,
  system = [],
  thinking,
  max_tokens: most,
}: Body): string | null {
  if (!(most >= 1)) return 'max_tokens: Field required';
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  const blocks: Body[] = [...system, ...messages.flatMap(({ content }: Body) => content)];
  const marked = blocks.filter((block) => block['cache_control'] !== undefined);
  if (marked.length > 4) return 'A maximum of 4 blocks with cache_control may be provided.';
  if (marked.some(({ type }) => /thinking/.test(type))) return 'cache_control: not on thinking';
  let open: string[] = [];
  for (const [at, { role, content }] of (messages as Body[]).entries()) {
    if (content.length === 0) return `messages.${at}: all messages must have non-empty content`;
    const answered = content.flatMap((block: Body) =>
      block['type'] === 'tool_result' ? [block['tool_use_id']] : [],
    ) as string[];
    if (open.some((id) => !answered.includes(id)))
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`;
    if (answered.some((id) => !open.includes(id)))
      return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`;
    open = [];
    for (const block of content as Body[]) {
      if (block['type'] === 'text' && block['text'].trim() === '')
        return 'messages: text content blocks must contain non-whitespace text';
      if (block['type'] === 'thinking' && block['signature'] !== signatureOf(block['thinking']))
        return `messages.${at}: Invalid \`signature\` in \`thinking\` block`;
      if (block['type'] !== 'tool_use') continue;
      if (role !== 'assistant') return `messages.${at}: tool_use of a user`;
      if (!ids.test(block['id']))
        return `messages.${at}: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      open.push(block['id']);
    }
  }
  const last = (messages as Body[]).findLastIndex(({ role }) => role === 'assistant');
  const first = messages[last]?.content[0].type;
  const isLoop = messages[last + 1]?.content.some(({ type }: Body) => type === 'tool_result');
  if (thinking !== undefined && isLoop === true && !/thinking/.test(first))
    return `messages.${last}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\``;
  return null;
}

/** An answer of the Messages API as the events of a stream. */
export function messageEvents({ content, stop_reason, usage, ...message }: Body): readonly Body[] {
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    ...(content as Body[]).flatMap((block, index): readonly Body[] => [
      { type: 'content_block_start', index, content_block: begun(block) },
      ...deltasOf(block).map((delta): Body => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ];
}

function begun({ type, id, name }: Body): Body {
  if (type === 'text') return { type, text: '' };
  return type === 'thinking'
    ? { type, thinking: '', signature: '' }
    : { type, id, name, input: {} };
}

function deltasOf(block: Body): readonly Body[] {
  const { type, text = '', thinking, signature, input } = block;
  if (type === 'text')
    return text.match(/[^]{1,40}/g).map((part: string) => ({ type: 'text_delta', text: part }));
  if (type === 'tool_use')
    return [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }];
  return [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature },
  ];
}

/** The signature that this provider gives to what was thought. */
export const signatureOf = (thought: string): string =>
  Buffer.from(`signed ${thought}`).toString('base64');

/** What chat completions say against a request. */
export function refuseChat({ messages, max_tokens: most }: Body): string | null {
  if (most !== undefined)
    return "Unsupported parameter: 'max_tokens' is not supported with this model";
  let open: string[] = [];
  for (const [at, message] of (messages as Body[]).entries()) {
    const { role, content, tool_calls: calls = [], tool_call_id: id } = message;
    if (role === 'tool') {
      if (!open.includes(id))
        return `messages.[${at}]: 'tool' must follow a message with 'tool_calls'`;
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages: ${open.join()}`;
    if (role !== 'assistant') continue;
    if (calls.length === 0 && !content && !message['refusal'])
      return `Invalid value for 'content' of messages.[${at}]: expected a string, got null`;
    open = calls.map((call: Body) => call['id']);
    if (open.some((one) => !ids.test(one) || one.length > 40))
      return `Invalid 'messages[${at}].tool_calls[0].id': string too long, or not allowed`;
  }
  return null;
}

/** What the Responses API says against a request. */
export function refuseResponses({ input }: Body): string | null {
  const open = new Set<string>();
  // What was thought must be followed by what came of it; calls are known by it until another item comes.
  let thought: string | null = null;
  let isCovered = false;
  for (const item of input as Body[]) {
    const { type, id, call_id: call } = item;
    const isOwn = type === 'function_call' || type === 'message';
    if (thought !== null && !isOwn)
      return `Item '${thought}' of type 'reasoning' was provided without its required following item.`;
    if (type === 'reasoning' && item['encrypted_content'] !== signatureOf(id))
      return `The encrypted content for item ${id} could not be verified.`;
    if (id?.startsWith('fc_') === true && !isCovered)
      return `Item '${id}' of type 'function_call' was provided without its required 'reasoning' item`;
    thought = type === 'reasoning' ? id : null;
    isCovered = type === 'reasoning' || (isCovered && type === 'function_call');
    if (type === 'function_call' && !ids.test(call)) return `Invalid 'input[0].call_id'`;
    if (type === 'function_call') open.add(call);
    if (type === 'function_call_output' && !open.delete(call))
      return `No tool call found for function call output with call_id ${call}.`;
  }
  return open.size === 0 ? null : `No tool output found for function call ${[...open].join()}.`;
}

/** What a model says in the end, at some length. */
export const said = (n: number): string =>
  `Done ${n}. ${`I changed part ${n} of it, since it was asked for. `.repeat(12)}`;

/** A message of a chat completion, as a server was sent it. */
export interface Sent {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

/** What such a message says. */
export const textOf = ({ content }: Sent): string =>
  typeof content === 'string' ? content : (JSON.stringify(content) ?? '');

/** Calls without results and results without calls. */
export function unpaired(messages: readonly Sent[]): readonly string[] {
  const open = new Set<string>();
  const stray: string[] = [];
  for (const { tool_calls: calls = [], tool_call_id: id } of messages) {
    for (const call of calls) open.add(call.id);
    if (id !== undefined && !open.delete(id)) stray.push(id);
  }
  return [...stray, ...open];
}

/** An answer of the Responses API: two calls with what was thought, and what the model says once they are answered. */
export function responseTo(body: Body, n: number): object {
  const last = body['input'].at(-1);
  const isAnswered =
    last.type === 'function_call_output' || /images of read/.test(JSON.stringify(last));
  const thought = {
    type: 'reasoning',
    id: `rs_${n}`,
    summary: [],
    encrypted_content: signatureOf(`rs_${n}`),
  };
  const call = (at: number) => ({
    type: 'function_call',
    id: `fc_${n}_${at}`,
    call_id: `call_${n}_${at}`,
    name: 'read',
    arguments: '{}',
    status: 'completed',
  });
  const text = {
    type: 'message',
    id: `msg_${n}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: said(n), annotations: [] }],
  };
  return {
    id: `resp_${n}`,
    object: 'response',
    created_at: 1,
    model: 'gpt-5',
    status: 'completed',
    output: isAnswered ? [text] : [thought, call(0), call(1)],
    usage: {
      input_tokens: about(body),
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
    },
  };
}
