import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectStore } from '../project-store.ts';
import { attempts } from '../attempts.ts';
import { hostMemory, type HostContext, type HostMemory } from '../host-memory.ts';
import { leaseStore, type StoreLease } from '../store-lease.ts';
import { fieldsOf, worded } from '../fields.ts';
import type { OpenCodeInput, OpenCodeMessage, OpenCodePlugin } from './host.ts';
import { lookup } from './lookup.ts';
import { momentOf, storedAs, unfinished, type MomentGiven, type OpenCodeMoment } from './moment.ts';
import { argumentsOf, openCodeTools } from './session-tools.ts';
import { toOpenCode } from './to-opencode.ts';

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
    const host = lookup(input.client);
    let opened: StoreLease | undefined;
    const lease = (): StoreLease =>
      (opened ??= leaseStore(storePlace(input, { ...options, ...fieldsOf(settings) })));
    const attempt = attempts();
    const memories = new Map<string, HostMemory<OpenCodeMoment>>();
    const systems = new Map<string, string>();
    const refused = new Map<string, string>();
    const underWay = new Set<Promise<unknown>>();
    let config: unknown;

    const memoryOf = (id: string): HostMemory<OpenCodeMoment> => {
      const memory =
        memories.get(id) ?? hostMemory(lease(), { id: storedAs(id), agent: 'opencode' });
      memories.set(id, memory);
      return memory;
    };

    const moment = (sessionID: string, more: Pick<MomentGiven, 'live' | 'until'> = {}) =>
      momentOf(host, {
        sessionID,
        known: {
          folder: input.directory,
          config,
          system: systems.get(sessionID),
          refused: refused.get(sessionID),
        },
        ...more,
      });

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

    const record = (sessionID: string): Promise<unknown> =>
      trying(() =>
        memoryOf(sessionID).record(async () =>
          moment(sessionID, { until: unfinished(await host.messages(sessionID)) }),
        ),
      );

    return {
      async config(settings) {
        config = settings;
      },

      async event({ event: { type, properties } }) {
        const { sessionID, error } = fieldsOf(properties);
        if (typeof sessionID !== 'string') return;
        const { name, data } = fieldsOf(error);
        if (type === 'session.error' && name === 'ContextOverflowError')
          refused.set(sessionID, worded(fieldsOf(data)['message']));
        if (type === 'session.idle') await record(sessionID);
      },

      async 'experimental.chat.messages.transform'(_, { messages }) {
        const sessionID = messages[0]?.info.sessionID;
        if (sessionID === undefined) return;
        const live = [...messages];
        const sent = await trying(async () => {
          const context = await memoryOf(sessionID).context(() => moment(sessionID, { live }));
          return listOf(context, live);
        });
        refused.delete(sessionID);
        // OpenCode goes on with the list that it gave.
        if (sent !== undefined) messages.splice(0, messages.length, ...sent);
      },

      async 'experimental.chat.system.transform'({ sessionID }, { system }) {
        if (sessionID === undefined) return;
        // That of a title or a summary comes here, too, and is shorter than an agent's.
        const whole = system.join('\n\n');
        if (whole.length > (systems.get(sessionID)?.length ?? 0)) systems.set(sessionID, whole);
      },

      async 'experimental.session.compacting'({ sessionID }, { context }) {
        const text = await trying(() => memoryOf(sessionID).compact(() => moment(sessionID)));
        if (text !== undefined && text !== '') context.push(text);
      },

      async 'tool.definition'({ toolID }, output) {
        const own = argumentsOf(toolID);
        if (own !== undefined) output.jsonSchema = own;
      },

      tool: openCodeTools({
        now: ({ sessionID, messageID }, work) =>
          memoryOf(sessionID).with(() => moment(sessionID, { until: messageID }), work),
        later: ({ sessionID }, work) => memoryOf(sessionID).later(work),
      }),

      async dispose() {
        await Promise.allSettled(underWay);
        await trying(async () => {
          for (const memory of memories.values()) await memory.close();
          await opened?.close();
        });
      },
    };
  };
}

/** Where the sessions of a project are kept. */
function storePlace({ directory }: OpenCodeInput, { store }: OpenCodeOptions): string {
  const data = process.env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share');
  return store ?? projectStore(directory) ?? join(data, 'opencode', 'flamestack');
}

/** What to send, with what others put into OpenCode's list for this request. */
function listOf(
  { moment: { originals, asker }, assembly, keyOf }: HostContext<OpenCodeMoment>,
  live: readonly OpenCodeMessage[],
): readonly OpenCodeMessage[] {
  const byKey = new Map(
    originals.flatMap((original) => original.entries.map(({ key }) => [key, original] as const)),
  );
  const list = toOpenCode(assembly, { keyOf, byKey, asker });
  const writtenIds = new Set(originals.map(({ message }) => message.info.id));
  const isKnown = ({ info }: OpenCodeMessage): boolean => writtenIds.has(info.id);
  const first = Math.max(live.findIndex(isKnown), 0);
  const before = live.slice(0, first).filter((message) => !isKnown(message));
  const after = live.slice(first).filter((message) => !isKnown(message));
  const listedIds = new Set(list.map(({ info }) => info.id));
  const left = originals
    .filter(({ message, guests }) => guests.length > 0 && !listedIds.has(message.info.id))
    .map(({ message, guests }) => ({ info: message.info, parts: guests }));
  return [...before, ...list, ...left, ...after];
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
