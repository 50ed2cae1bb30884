import { expect, test, vi } from 'vitest';
import type { ChatModel, ChatRequest } from '../../src/llm/chat-model.ts';
import { assemblyOf } from '../core/formats/wire-arbitrary.ts';
import { gate } from '../gate.ts';
import { stubServer } from './stub-server.ts';

// What holds for every client of a model: a call ends when its signal says so,
// whatever the server and the network do.

/** A request that any model takes. */
export const request: ChatRequest = {
  assembly: assemblyOf([{ role: 'user', content: 'Hi' }]) as ChatRequest['assembly'],
};

/** What does not come. */
export const never = new Promise<never>(() => {});

/** Why a call ends here. */
export const reason = new Error('no longer wanted');

/** The calls of a model that can be ended, by name. */
export type Calls<Model> = Readonly<
  Record<string, (model: Model, signal: AbortSignal) => Promise<unknown>>
>;

/** Those that every model has. */
export const commonCalls: Calls<ChatModel> = {
  reply: (model, signal) => model.reply(request, { signal }),
  facts: (model, signal) => model.facts({ signal }),
  models: (model, signal) => model.models({ signal }),
};

/** Where a model is to be found. */
export interface Place {
  /** Nobody listens there unless told. */
  readonly url?: string;
  readonly fetch?: typeof fetch;
}

/** Ends a call once it is `under way`, and sees that it rejects with the reason that was given. */
export async function expectEnd(
  call: (signal: AbortSignal) => Promise<unknown>,
  underWay: Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const outcome = call(ending.signal).catch((error: unknown) => error);
  await underWay;
  ending.abort(reason);
  expect(await outcome).toBe(reason);
}

/** The server that a model is made for. */
interface Dialect {
  /** Starts one that answers `one two three`, a word at a time; where it `halts`, the third never comes. */
  serve(halts: boolean): Promise<Served>;
  /** An answer in one packet, and what is heard of it first. */
  readonly packet: { readonly type: string; readonly body: string; readonly first: string };
  /** A fetch that puts no listener on a signal, where that of the client keeps one. */
  readonly fetch?: typeof fetch;
}

interface Served {
  readonly server: AsyncDisposable & { readonly url: string; idle(): Promise<void> };
  /** Whether the client hung up on the first answer. */
  isAborted(): boolean | undefined;
}

/** Tests that the calls of a model end, and that nothing is left of them. */
export function testAborts<Model extends ChatModel>(
  calls: Calls<Model>,
  modelAt: (place: Place) => Model,
  dialect: Dialect,
): void {
  const names = Object.keys(calls);

  test.each(names)('%s ends while the server has not said a word', async (call) => {
    const asked = gate();
    await using server = await stubServer(() => asked.open());
    await expectEnd((signal) => calls[call]!(modelAt(server), signal), asked.passed);
    await server.left;
  });

  test.each(names)('%s ends while the body of an error is under way', async (call) => {
    const asked = gate();
    await using server = await stubServer((_, response) => {
      response.writeHead(500).write('{"error":', () => asked.open());
    });
    await expectEnd((signal) => calls[call]!(modelAt(server), signal), asked.passed);
    await server.left;
  });

  test.each(names)('%s asks nothing of the server once it is over', async (call) => {
    await using server = await stubServer((_, response) => response.end());
    const outcome = calls[call]!(modelAt(server), AbortSignal.abort(reason));
    await expect(outcome).rejects.toBe(reason);
    expect(server.paths).toEqual([]);
  });

  test.each(names)('%s ends though its fetch heeds no signal', async (call) => {
    const asked = gate();
    const fetch = (): Promise<never> => {
      asked.open();
      return never;
    };
    await expectEnd((signal) => calls[call]!(modelAt({ fetch }), signal), asked.passed);
  });

  test.each(names)('%s ends though the body heeds no signal', async (call) => {
    for (const status of [200, 500]) {
      const read = gate();
      const body = new ReadableStream({ pull: () => (read.open(), never) }, { highWaterMark: 0 });
      const fetch = (): Promise<Response> => Promise.resolve(new Response(body, { status }));
      await expectEnd((signal) => calls[call]!(modelAt({ fetch }), signal), read.passed);
    }
  });

  test('an answer ends between two words, and the server sees it', async () => {
    const { server, isAborted } = await dialect.serve(true);
    await using _ = server;
    const ending = new AbortController();
    const heard: string[] = [];
    const outcome = modelAt(server).reply(request, {
      signal: ending.signal,
      onText(text) {
        heard.push(text);
        if (heard.length === 2) setImmediate(() => ending.abort(reason));
      },
    });
    await expect(outcome).rejects.toBe(reason);
    await server.idle();
    expect(isAborted()).toBe(true);
    expect(heard).toEqual(['one ', 'two ']);
  });

  test('nothing more is heard after an abort, though it came in the same packet', async () => {
    const { type, body, first } = dialect.packet;
    await using server = await stubServer((_, response) => {
      response.writeHead(200, { 'content-type': type });
      response.write(body);
    });
    const ending = new AbortController();
    const heard: string[] = [];
    const hear = (text: string): void => {
      heard.push(text);
      ending.abort(reason);
    };
    const { signal } = ending;
    const outcome = modelAt(server).reply(request, { signal, onText: hear, onThinking: hear });
    await expect(outcome).rejects.toBe(reason);
    expect(heard).toEqual([first]);
    await server.left;
  });

  test('a signal that lives on keeps nothing of a call that is over', async () => {
    const { server } = await dialect.serve(false);
    await using _ = server;
    const model = modelAt({ url: server.url, ...(dialect.fetch && { fetch: dialect.fetch }) });
    await expectNothingKept(async (signal) => {
      await model.reply(request, { signal });
      await model.facts({ signal });
    });
  });
}

/** Sees that calls leave no listener on a signal that lives on, once their connections are closed. */
async function expectNothingKept(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await work(signal);
  const listeners = (calls: readonly unknown[][]) => calls.map(([, listener]) => listener);
  expect(added.mock.calls.length).toBeGreaterThan(0);
  await vi.waitFor(() => {
    expect(new Set(listeners(removed.mock.calls))).toEqual(new Set(listeners(added.mock.calls)));
  });
}
