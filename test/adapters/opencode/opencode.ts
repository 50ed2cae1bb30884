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
  /** Sends what is written since the last compaction, or another list. */
  send(list?: readonly OpenCodeMessage[]): Promise<OpenCodeMessage[]>;
  /** Compacts, and goes on: with the newest prompt again, where a server refused it. Gives what the plugin adds. */
  compact(refused?: 'refused'): Promise<string>;
  /** What comes of a prompt that a server finds too long. */
  refuse(message: string): Promise<void>;
  event(type: string, more?: object): Promise<void>;
}

interface Call {
  readonly name: string;
  readonly output?: string;
  readonly id?: string;
  readonly state?: object;
}

export const sessionID = 'ses_1';

/** The most that a model answers, in tokens. */
export const longestAnswer = 1_000;

/** Starts a plugin in a scripted OpenCode; `written` is what an earlier process wrote. */
export async function startOpenCode({
  store,
  directory = store ?? '',
  window = 32_000,
  written = [],
  parentID,
}: {
  store?: string;
  /** That of the store unless told. */
  directory?: string;
  window?: number;
  written?: OpenCodeMessage[];
  parentID?: string;
}): Promise<OpenCode> {
  const toasts: string[] = [];
  let count = written.length * 10;
  const id = (kind: string): string => `${kind}_${String((count += 1)).padStart(6, '0')}`;
  const limit = { context: window, output: longestAnswer };
  // While OpenCode asks, the answer is written already, and empty.
  let asking: readonly OpenCodeMessage[] = [];
  const data = (value: unknown) => Promise.resolve({ data: structuredClone(value) });
  const input: OpenCodeInput = {
    directory,
    client: {
      session: {
        get: () => data({ id: sessionID, parentID }),
        messages: () => data([...written, ...asking]),
      },
      tool: { list: () => data([{ id: 'bash', description: 'Runs', parameters: {} }]) },
      config: {
        providers: () => data({ providers: [{ id: 'fake', models: { one: { limit } } }] }),
      },
      app: { log: () => Promise.resolve() },
      tui: { showToast: async ({ body }) => void toasts.push(body.message) },
    },
  };
  const hooks = await flamestackPlugin(store === undefined ? {} : { store })(input);
  onTestFinished(() => hooks.dispose());
  const text = (said: string): OpenCodePart => ({ id: id('prt'), type: 'text', text: said });
  const userMessage = (parts: readonly OpenCodePart[]): void => {
    const model = { providerID: 'fake', modelID: 'one' };
    const info = { id: id('msg'), sessionID, role: 'user', model, time: { created: count } };
    written.push({ info, parts });
  };
  const answerInfo = () => ({
    id: id('msg'),
    sessionID,
    role: 'assistant',
    providerID: 'fake',
    modelID: 'one',
    time: { created: count },
    tokens: { input: 0, output: 0, cache: { read: 0, write: 0 } },
  });
  const opencode: OpenCode = {
    hooks,
    written,
    toasts,
    say: (said, ...more) => userMessage([text(said), ...more]),
    answer(said, calls = [], { thought = '', ...more }: { thought?: string } = {}) {
      const finish = calls.length > 0 ? 'tool-calls' : 'stop';
      const info = { ...answerInfo(), finish, time: { created: count, completed: count + 1 } };
      const reasoning = { type: 'reasoning', text: thought, metadata: signatureOf(thought) };
      const parts = [
        ...(thought === '' ? [] : [{ id: id('prt'), ...reasoning }]),
        ...(said === '' ? [] : [text(said)]),
        ...calls.map(({ name, output = '', id: callID = id('call'), state }) => ({
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
        })),
      ];
      const step = (type: string): OpenCodePart => ({ id: id('prt'), type });
      const message = {
        info: { ...info, ...more },
        parts: parts.length === 0 ? [] : [step('step-start'), ...parts, step('step-finish')],
      };
      written.push(message);
      return message;
    },
    async send(list = inView(written)) {
      const output = { messages: structuredClone([...list]) };
      asking = [{ info: answerInfo(), parts: [] }];
      await hooks['experimental.chat.messages.transform']({}, output);
      await hooks['experimental.chat.system.transform'](
        { sessionID },
        { system: ['You are careful.'] },
      );
      asking = [];
      return output.messages;
    },
    async compact(refused) {
      const asked = written.findLast(({ info }) => info.role === 'user')!;
      const overflow = refused === undefined ? {} : { overflow: true };
      const head = refused === undefined ? written : written.slice(0, written.indexOf(asked));
      const list = [...head];
      userMessage([{ id: id('prt'), type: 'compaction', auto: true, ...overflow }]);
      const output: { context: string[] } = { context: [] };
      await hooks['experimental.session.compacting']({ sessionID }, output);
      await opencode.send(list);
      opencode.answer('A summary.', [], { summary: true });
      const again = asked.parts.map((part) => ({ ...attached(part), id: id('prt') }));
      userMessage(refused === undefined ? [{ ...text('Continue'), synthetic: true }] : again);
      return output.context.join('\n');
    },
    async refuse(message) {
      opencode.answer('', [], { finish: undefined });
      const error = { name: 'ContextOverflowError', data: { message } };
      await opencode.event('session.error', { error });
      await opencode.compact('refused');
    },
    event: (type, more = {}) =>
      hooks.event({ event: { type, properties: { sessionID, ...more } } }),
  };
  return opencode;
}

/** How a provider signs what it thought. */
const signatureOf = (thought: string) => ({ fake: { signature: `signed ${thought}` } });

/** The list for a request: what stands before a compaction that came to a summary is left out. */
function inView(written: readonly OpenCodeMessage[]): readonly OpenCodeMessage[] {
  const summary = written.findLastIndex(({ info }) => info['summary'] === true);
  return summary === -1 ? written : written.slice(summary - 1);
}

/** A part of a prompt that is said again: OpenCode names a file without a name then, in place of showing it. */
const attached = (part: OpenCodePart): OpenCodePart =>
  part.type === 'file' ? { type: 'text', text: `[Attached ${String(part['mime'])}: file]` } : part;

/** What a model is told of a message. */
export function textOf({ parts }: OpenCodeMessage): string {
  return parts
    .filter(({ type }) => !type.startsWith('step-'))
    .map((part) => {
      const { output = '', error = '' } = Object(part['state']) as Record<string, string>;
      const said = part['text'];
      return typeof said === 'string' ? said : `${output}${error}`;
    })
    .join('\n');
}
