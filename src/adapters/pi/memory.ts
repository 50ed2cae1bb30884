import type { Session, ToolSchema, Usage } from '../../index.ts';
import { handedBackText } from '../../cli/hosts/handed-back.ts';
import { leaseStore } from '../store-lease.ts';
import { fromPi, keyOf } from './from-pi.ts';
import type { PiMessage } from './host.ts';
import { toPi } from './to-pi.ts';

/** What pi has when it needs the memory. */
export interface PiMoment {
  /** All messages of the branch in use, oldest first. */
  readonly written: readonly PiMessage[];
  /** Messages that another extension changed for this request, by the keys of those that are written. */
  readonly changed?: ReadonlyMap<string, PiMessage>;
  /** The window of the model, in tokens. */
  readonly window: number;
  readonly system: string;
  /** The folder that pi works in. */
  readonly folder: string;
  /** What the model is told of its tools; they count. */
  readonly tools: readonly ToolSchema[];
}

/** Asks for the moment when its turn has come. */
type Ask = () => PiMoment | Promise<PiMoment>;

/** A session of pi in a store. What is asked of it is done one by one; it rejects with what the store or the session rejects with. */
export interface PiMemory {
  /** Takes in what is new, and gives what to send to the model. */
  context(ask: Ask): Promise<readonly PiMessage[]>;
  /** Takes in what is new. */
  record(ask: Ask): Promise<Session['state']>;
  /** Compresses now, and gives a summary of all that was before; `focus` names what to keep in detail. */
  compact(ask: Ask, focus: string | undefined): Promise<string>;
  /** Takes in what is new and gives `work` the session. */
  with<T>(ask: Ask, work: (session: Session) => Promise<T>): Promise<T>;
  /** The same with a session that stays open until the next moment is taken in: a command that moves between frames waits for it. */
  during<T>(ask: Ask, work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A prompt that was sent, and the last answer before it. */
interface Sent {
  readonly assembly: string;
  readonly before: string;
}

/** The memory of a session of pi, by the id that it has in the store at a location. */
export function piMemory(location: string, id: string): PiMemory {
  const lease = leaseStore(location);
  let kept: { readonly session: Session; readonly release: () => void } | null = null;
  let sent: Sent | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** Gives `work` the session with all that is written. */
  const at = <T>(
    ask: Ask,
    work: (session: Session, moment: PiMoment) => Promise<T>,
  ): Promise<T> => {
    const done = turn.then(() =>
      lease.use(async (store) => {
        const moment = await ask();
        const { window, system, folder } = moment;
        const session = await store.open(id, { window, system, folder, agent: 'pi' });
        try {
          await takeIn(session, moment, sent);
          sent = null;
          await kept?.session.close();
          kept?.release();
          kept = null;
          return await work(session, moment);
        } finally {
          if (kept?.session !== session) await session.close();
        }
      }),
    );
    turn = done.catch(() => undefined);
    return done;
  };

  return {
    context: (ask) =>
      at(ask, async (session, { written, tools, changed }) => {
        const assembly = await session.assemble({ tools });
        sent = { assembly: assembly.id, before: lastAnswer(written) };
        const byKey = new Map(written.map((message) => [keyOf(message), message]));
        for (const [key, message] of changed ?? []) byKey.set(key, message);
        const keys = new Map<string, string>();
        for (const message of assembly.messages) {
          const { entry, kind, role } = message;
          if (entry === undefined || role === 'system') continue;
          const whole = kind === 'entry' ? message : await session.entry(entry);
          keys.set(entry, String(whole.meta?.['pi']));
        }
        return toPi(assembly, { byKey, keyOf: (entry) => keys.get(entry) });
      }),
    record: (ask) => at(ask, async ({ state }) => state),
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
    async close() {
      await turn;
      await kept?.session.close();
      kept?.release();
      await lease.close();
    },
  };
}

/** Takes in what is written, and what was said of the prompt that was sent last. */
async function takeIn(session: Session, { written }: PiMoment, sent: Sent | null): Promise<void> {
  if (sent !== null && lastAnswer(written) !== sent.before) await report(session, sent, written);
  await session.sync(written.flatMap((message) => fromPi(message) ?? []));
  await session.settled();
}

/** The key of the newest answer; '' for none. */
function lastAnswer(written: readonly PiMessage[]): string {
  const answer = written.findLast(({ role }) => role === 'assistant');
  return answer === undefined ? '' : keyOf(answer);
}

/** Reports what a server counted, or refused: a store that was closed in between gives out the same assembly again. */
async function report(session: Session, sent: Sent, written: readonly PiMessage[]): Promise<void> {
  const answer = written.findLast(({ role }) => role === 'assistant');
  const { id: assembly } = await session.assemble({ tools: 'same' });
  if (assembly !== sent.assembly) return;
  const error = answer?.['errorMessage'];
  if (answer?.['stopReason'] === 'error') {
    if (typeof error === 'string') await session.report({ assembly, error });
    return;
  }
  const usage = usageOf(answer?.['usage']);
  if (usage.inputTokens > 0) await session.report({ assembly, usage });
}

/** What pi counted: its `input` is without what a cache served or took. */
function usageOf(given: unknown): Usage & { readonly inputTokens: number } {
  const counts = Object(given) as Record<string, unknown>;
  const count = (name: string): number => {
    const value = counts[name];
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
  };
  const [cachedInputTokens, cacheWriteTokens] = [count('cacheRead'), count('cacheWrite')];
  return {
    inputTokens: count('input') + cachedInputTokens + cacheWriteTokens,
    outputTokens: count('output'),
    cachedInputTokens,
    cacheWriteTokens,
  };
}
