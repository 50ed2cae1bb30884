import type { Session } from '../../index.ts';
import { hostMemory, type HostContext, type HostMemory } from '../host-memory.ts';
import { leaseStore, type StoreLease } from '../store-lease.ts';
import type { OpenCodeCall, OpenCodeInput, OpenCodeMessage } from './host.ts';
import { lookup, type Lookup } from './lookup.ts';
import { momentOf, storedAs, unfinished, type MomentGiven, type OpenCodeMoment } from './moment.ts';
import type { ToolSession } from './session-tools.ts';
import { toOpenCode } from './to-opencode.ts';

/** The sessions of OpenCode in a store, which is open from when the first of them needs it. */
export class OpenCodeSessions implements ToolSession {
  /** The configuration in force. */
  config: unknown;
  /** Why a server refused the newest prompt of a session, by its id. */
  readonly refused = new Map<string, string>();
  readonly #systems = new Map<string, string>();
  readonly #memories = new Map<string, HostMemory<OpenCodeMoment>>();
  readonly #host: Lookup;
  readonly #folder: string;
  readonly #place: () => string;
  #lease: StoreLease | undefined;

  constructor({ client, directory }: OpenCodeInput, place: () => string) {
    this.#host = lookup(client);
    this.#folder = directory;
    this.#place = place;
  }

  /** What to send in place of the list that OpenCode is about to send. */
  async context(id: string, live: readonly OpenCodeMessage[]): Promise<readonly OpenCodeMessage[]> {
    return listOf(await this.#memoryOf(id).context(() => this.#moment(id, { live })), live);
  }

  record(id: string): Promise<unknown> {
    return this.#memoryOf(id).record(async () =>
      this.#moment(id, { until: unfinished(await this.#host.messages(id)) }),
    );
  }

  compact(id: string): Promise<string> {
    return this.#memoryOf(id).compact(() => this.#moment(id));
  }

  now<T>(call: OpenCodeCall, work: (session: Session) => Promise<T>): Promise<T> {
    const { sessionID: id, messageID: until } = call;
    return this.#memoryOf(id).with(() => this.#moment(id, { until }), work);
  }

  later({ sessionID }: OpenCodeCall, work: (session: Session) => Promise<unknown>): void {
    this.#memoryOf(sessionID).later(work);
  }

  /** Takes a system prompt in. That of a title or a summary comes here, too, and is shorter than an agent's. */
  hearSystem(id: string, system: string): void {
    if (system.length > (this.#systems.get(id)?.length ?? 0)) this.#systems.set(id, system);
  }

  async close(): Promise<void> {
    for (const memory of this.#memories.values()) await memory.close();
    await this.#lease?.close();
  }

  #memoryOf(id: string): HostMemory<OpenCodeMoment> {
    const known = this.#memories.get(id);
    if (known !== undefined) return known;
    const lease = (this.#lease ??= leaseStore(this.#place()));
    const memory = hostMemory<OpenCodeMoment>(lease, { id: storedAs(id), agent: 'opencode' });
    this.#memories.set(id, memory);
    return memory;
  }

  #moment(sessionID: string, more: Pick<MomentGiven, 'live' | 'until'> = {}) {
    const [system, refused] = [this.#systems.get(sessionID), this.refused.get(sessionID)];
    const known = { folder: this.#folder, config: this.config, system, refused };
    return momentOf(this.#host, { sessionID, known, ...more });
  }
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
