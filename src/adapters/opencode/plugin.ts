import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectStore } from '../project-store.ts';
import { attempts } from '../attempts.ts';
import { fieldsOf, worded } from '../fields.ts';
import type { OpenCodeInput, OpenCodePlugin } from './host.ts';
import { argumentsOf, openCodeTools } from './session-tools.ts';
import { OpenCodeSessions } from './sessions.ts';

/** How Flamestack works in OpenCode. */
export interface OpenCodeOptions {
  /** The folder of the store; the project's `.flamestack` where there is one, else `flamestack` in OpenCode's own folder of data. */
  readonly store?: string;
}

/** How long a request waits for the memory, in milliseconds; then it goes out as OpenCode has it. */
const patience = 15_000;

/**
 * The engine as a plugin of OpenCode: it keeps all of a session, and sends what fits the model's window in place of
 * OpenCode's own list. Where it cannot, it says so and OpenCode goes on by itself.
 */
export function flamestackPlugin(options: OpenCodeOptions = {}): OpenCodePlugin {
  return async (input, settings) => {
    const place = (): string => storePlace(input, { ...options, ...fieldsOf(settings) });
    const sessions = new OpenCodeSessions(input, place);
    const attempt = attempts();
    const underWay = new Set<Promise<unknown>>();
    /** What `work` gives in time; undefined where it cannot, which is told once. */
    const trying = <T>(work: () => Promise<T>): Promise<T | undefined> => {
      const done = attempt(
        () => within(patience, work()),
        (reason) => tell(input, `Flamestack: ${reason} OpenCode goes on by itself.`),
      );
      underWay.add(done);
      void done.then(() => underWay.delete(done));
      return done;
    };

    return {
      async config(config) {
        sessions.config = config;
      },

      async event({ event: { type, properties } }) {
        const { sessionID, error } = fieldsOf(properties);
        if (typeof sessionID !== 'string') return;
        const { name, data } = fieldsOf(error);
        if (type === 'session.error' && name === 'ContextOverflowError')
          sessions.refused.set(sessionID, worded(fieldsOf(data)['message']));
        if (type === 'session.idle') await trying(() => sessions.record(sessionID));
      },

      async 'experimental.chat.messages.transform'(_, { messages }) {
        const sessionID = messages[0]?.info.sessionID;
        if (sessionID === undefined) return;
        const live = [...messages];
        const sent = await trying(() => sessions.context(sessionID, live));
        sessions.refused.delete(sessionID);
        // OpenCode goes on with the list that it gave.
        if (sent !== undefined) messages.splice(0, messages.length, ...sent);
      },

      async 'experimental.chat.system.transform'({ sessionID }, { system }) {
        if (sessionID !== undefined) sessions.hearSystem(sessionID, system.join('\n\n'));
      },

      async 'experimental.session.compacting'({ sessionID }, { context }) {
        const text = await trying(() => sessions.compact(sessionID));
        if (text !== undefined && text !== '') context.push(text);
      },

      async 'tool.definition'({ toolID }, output) {
        const own = argumentsOf(toolID);
        if (own !== undefined) output.jsonSchema = own;
      },

      tool: openCodeTools(sessions),

      async dispose() {
        await Promise.allSettled(underWay);
        await trying(() => sessions.close());
      },
    };
  };
}

/** Where the sessions of a project are kept. */
function storePlace({ directory }: OpenCodeInput, { store }: OpenCodeOptions): string {
  const data = process.env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share');
  return store ?? projectStore(directory) ?? join(data, 'opencode', 'flamestack');
}

/** Says something to the person, where OpenCode can. */
function tell({ client }: OpenCodeInput, message: string): void {
  const said = [
    () => client.tui.showToast({ body: { message, variant: 'warning' } }),
    () => client.app.log({ body: { service: 'flamestack', level: 'warn', message } }),
  ];
  for (const say of said)
    void Promise.resolve()
      .then(say)
      .catch(() => undefined);
}

/** What `work` gives within so many milliseconds; rejects after that. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long.')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
