import type { Assembly, Message, Session, SessionOptions, ToolSchema, Usage } from '../index.ts';
import { handedBackText } from './handed-back-text.ts';
import type { StoreLease } from './store-lease.ts';

/** What a host has when it needs the memory. */
export interface HostMoment {
  /** All messages of the branch in use, oldest first, each with its key in `meta` under the agent's name. */
  readonly messages: readonly Message[];
  /** The newest answer; null for none. */
  readonly answer: HostAnswer | null;
  /** What the session is opened with. */
  readonly options: SessionOptions;
  /** What the model is told of its tools; they count. */
  readonly tools: readonly ToolSchema[];
}

/** What a server said of a prompt. */
export interface HostAnswer {
  readonly key: string;
  /** Why it refused, in its words. */
  readonly error?: string | undefined;
  readonly usage?: Usage & { readonly inputTokens: number };
}

/** Asks for the moment when its turn has come. */
type Ask<Moment extends HostMoment> = () => Moment | Promise<Moment>;

type Work<T> = (session: Session) => Promise<T>;

/** What is sent at a moment. */
export interface HostContext<Moment extends HostMoment> {
  readonly moment: Moment;
  readonly assembly: Assembly;
  /** The key of an entry; undefined for one that did not come from the host. */
  readonly keyOf: (entry: string) => string | undefined;
}

/** A session of a host in a store. What is asked of it is done one by one; it rejects with what the store or the session rejects with. */
export interface HostMemory<Moment extends HostMoment> {
  /** Takes in what is new, and gives what to send to the model. */
  context(ask: Ask<Moment>): Promise<HostContext<Moment>>;
  /** Takes in what is new. */
  record(ask: Ask<Moment>): Promise<Session['state']>;
  /** Compresses now, and gives a summary of all that was before; `focus` names what to keep in detail. */
  compact(ask: Ask<Moment>, focus?: string): Promise<string>;
  /** Takes in what is new and gives `work` the session. */
  with<T>(ask: Ask<Moment>, work: Work<T>): Promise<T>;
  /** The same with a session that stays open until the next moment is taken in: a command that moves between frames waits for it. */
  during<T>(ask: Ask<Moment>, work: Work<T>): Promise<T>;
  /** Gives `work` the session once the next moment is recorded or sent. */
  later(work: Work<unknown>): void;
  /** Closes what is open of it, once all that was asked is done; the store stays. */
  close(): Promise<void>;
}

/** A prompt that was sent, and the last answer before it. */
interface Sent {
  readonly assembly: string;
  readonly before: string | undefined;
}

/** A window that a server named when it refused a prompt, instead of the one that the host believes in. */
interface LearnedRoom {
  readonly instead: number;
  readonly room: Required<Pick<SessionOptions, 'window' | 'reserve'>>;
}

/** The memory of a session of an agent, by the id that it has in the store of a lease. */
export function hostMemory<Moment extends HostMoment>(
  lease: StoreLease,
  { id, agent }: { readonly id: string; readonly agent: string },
): HostMemory<Moment> {
  let kept: { readonly session: Session; readonly release: () => void } | null = null;
  let sent: Sent | null = null;
  let learned: LearnedRoom | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const waiting: Work<unknown>[] = [];

  /** Takes in what is written and what was said of the last prompt, and closes what was kept open until then. */
  const catchUp = async (session: Session, moment: Moment): Promise<void> => {
    await takeIn(session, moment, sent);
    const isRefused = sent !== null && moment.answer?.error !== undefined;
    sent = null;
    const { window: instead } = moment.options;
    const { window, reserve } = session.state.budget;
    if (isRefused && instead !== undefined && window < instead)
      learned = { instead, room: { window, reserve } };
    await kept?.session.close();
    kept?.release();
    kept = null;
  };

  /** Gives `work` the session with all that is written, once those before it are done. */
  const at = <T>(
    ask: Ask<Moment>,
    work: (session: Session, moment: Moment) => Promise<T>,
  ): Promise<T> => {
    const done = turn.then(() =>
      lease.use(async (store) => {
        const moment = await ask();
        const { options } = moment;
        const room = learned !== null && learned.instead === options.window ? learned.room : {};
        const session = await store.open(id, { ...options, ...room, agent });
        try {
          await catchUp(session, moment);
          return await work(session, moment);
        } finally {
          if (kept?.session !== session) await session.close();
        }
      }),
    );
    turn = done.catch(() => undefined);
    return done;
  };

  const doWhatWaited = async (session: Session): Promise<void> => {
    for (const work of waiting.splice(0)) await work(session);
  };

  return {
    context: (ask) =>
      at(ask, async (session, moment) => {
        await doWhatWaited(session);
        const assembly = await session.assemble({ tools: moment.tools });
        sent = { assembly: assembly.id, before: moment.answer?.key };
        const keys = await keysOf(session, assembly, agent);
        return { moment, assembly, keyOf: (entry) => keys.get(entry) };
      }),
    record: (ask) =>
      at(ask, async (session) => {
        await doWhatWaited(session);
        return session.state;
      }),
    with: (ask, work) => at(ask, (session) => work(session)),
    compact: (ask, focus) =>
      at(ask, async (session, { tools }) => {
        await session.compress(focus === undefined ? {} : { focus });
        await session.assemble({ tools });
        return handedBackText(session);
      }),
    during: (ask, work) =>
      at(ask, async (session) => {
        kept = { session, release: lease.hold() };
        return work(session);
      }),
    later: (work) => void waiting.push(work),
    async close() {
      await turn;
      await kept?.session.close();
      kept?.release();
    },
  };
}

/** The keys that an agent gave the entries of an assembly. */
async function keysOf(
  session: Session,
  { messages }: Assembly,
  agent: string,
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>();
  for (const message of messages) {
    const { entry, kind, role } = message;
    if (entry === undefined || role === 'system') continue;
    const whole = kind === 'entry' ? message : await session.entry(entry);
    keys.set(entry, String(whole.meta?.[agent]));
  }
  return keys;
}

/** Takes in what is written, and what was said of the prompt that was sent last. */
async function takeIn(
  session: Session,
  { messages, answer }: HostMoment,
  sent: Sent | null,
): Promise<void> {
  if (sent !== null && answer !== null && answer.key !== sent.before)
    await report(session, sent.assembly, answer);
  await session.sync(messages);
  await session.settled();
}

/** Reports what a server counted, or refused: a store that was closed in between gives out the same assembly again. */
async function report(session: Session, sent: string, { error, usage }: HostAnswer): Promise<void> {
  const { id: assembly } = await session.assemble({ tools: 'same' });
  if (assembly !== sent) return;
  if (error !== undefined) await session.report({ assembly, error });
  else if (usage !== undefined && usage.inputTokens > 0) await session.report({ assembly, usage });
}

/** What a host counted, by the names that it has for it; its `input` is without what a cache served or took. */
export function countedUsage(
  usage: unknown,
  [input, output, cached, written]: readonly [string, string, string, string],
): Usage & { readonly inputTokens: number } {
  const counts = Object(usage) as Record<string, unknown>;
  const count = (name: string): number => {
    const value = counts[name];
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
  };
  const [cachedInputTokens, cacheWriteTokens] = [count(cached), count(written)];
  return {
    inputTokens: count(input) + cachedInputTokens + cacheWriteTokens,
    outputTokens: count(output),
    cachedInputTokens,
    cacheWriteTokens,
  };
}
