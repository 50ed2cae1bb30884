import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type {
  OpenCodeHooks,
  OpenCodeInput,
  OpenCodeMessage,
  OpenCodePart,
} from '../../../src/adapters/opencode/host.ts';
import { flamestackPlugin } from '../../../src/opencode.ts';

/** OpenCode as a plugin sees it, with what is written in its database. */
export interface OpenCode {
  readonly hooks: OpenCodeHooks;
  readonly written: OpenCodeMessage[];
  /** What the person was told. */
  readonly toasts: string[];
  say(text: string, ...more: readonly OpenCodePart[]): void;
  /** An answer with a text and calls, each with what it put out. */
  answer(text: string, calls?: readonly Call[], info?: object): OpenCodeMessage;
  /** Sends what is written, or a list of OpenCode's own. */
  send(list?: readonly OpenCodeMessage[]): Promise<OpenCodeMessage[]>;
  event(type: string, more?: object): Promise<void>;
}

interface Call {
  readonly name: string;
  readonly output?: string;
  readonly id?: string;
  readonly state?: object;
}

export const sessionID = 'ses_1';

/** A folder that is gone after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flamestack-opencode-'));
  onTestFinished(() =>
    rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  );
  return folder;
}

/** Starts a plugin in a scripted OpenCode; `written` is what an earlier process wrote. */
export async function startOpenCode({
  store,
  window = 32_000,
  written = [],
  parentID,
}: {
  store: string;
  window?: number;
  written?: OpenCodeMessage[];
  parentID?: string;
}): Promise<OpenCode> {
  const toasts: string[] = [];
  let count = written.length * 10;
  const id = (kind: string): string => `${kind}_${String((count += 1)).padStart(6, '0')}`;
  const limit = { context: window, output: 1_000 };
  const data = (value: unknown) => Promise.resolve({ data: structuredClone(value) });
  const input: OpenCodeInput = {
    directory: store,
    client: {
      session: {
        get: () => data({ id: sessionID, parentID }),
        messages: () => data(written),
      },
      tool: { list: () => data([{ id: 'bash', description: 'Runs', parameters: {} }]) },
      config: {
        providers: () => data({ providers: [{ id: 'fake', models: { one: { limit } } }] }),
      },
      app: { log: () => Promise.resolve() },
      tui: { showToast: async ({ body }) => void toasts.push(body.message) },
    },
  };
  const hooks = await flamestackPlugin({ store })(input);
  onTestFinished(() => hooks.dispose());
  const text = (said: string): OpenCodePart => ({ id: id('prt'), type: 'text', text: said });
  return {
    hooks,
    written,
    toasts,
    say(said, ...more) {
      const model = { providerID: 'fake', modelID: 'one' };
      const info = { id: id('msg'), sessionID, role: 'user', model, time: { created: count } };
      written.push({ info, parts: [text(said), ...more] });
    },
    answer(said, calls = [], more = {}) {
      const info = {
        id: id('msg'),
        sessionID,
        role: 'assistant',
        providerID: 'fake',
        modelID: 'one',
        finish: calls.length > 0 ? 'tool-calls' : 'stop',
        time: { created: count, completed: count + 1 },
        tokens: { input: 0, output: 0, cache: { read: 0, write: 0 } },
        ...more,
      };
      const parts = calls.map(({ name, output = '', id: callID = id('call'), state }) => ({
        id: id('prt'),
        type: 'tool',
        tool: name,
        callID,
        state: state ?? {
          status: 'completed',
          input: { of: name },
          output,
          title: '',
          metadata: {},
          time: { start: 1, end: 2 },
        },
      }));
      const message = { info, parts: [...(said === '' ? [] : [text(said)]), ...parts] };
      written.push(message);
      return message;
    },
    async send(list = written) {
      const output = { messages: structuredClone([...list]) };
      await hooks['experimental.chat.messages.transform']({}, output);
      return output.messages;
    },
    event: (type, more = {}) =>
      hooks.event({ event: { type, properties: { sessionID, ...more } } }),
  };
}

/** What a model is told of a message. */
export function textOf({ parts }: OpenCodeMessage): string {
  return parts
    .map((part) => {
      const { output = '', error = '' } = Object(part['state']) as Record<string, string>;
      const said = part['text'];
      return typeof said === 'string' ? said : `${output}${error}`;
    })
    .join('\n');
}
