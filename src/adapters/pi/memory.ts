import type { ToolSchema } from '../../index.ts';
import {
  countedUsage,
  hostMemory,
  type HostAnswer,
  type HostMemory,
  type HostMoment,
} from '../host-memory.ts';
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

/** The moment as it is told, beside what pi has. */
interface ToldMoment extends HostMoment, Pick<PiMoment, 'written' | 'changed'> {}

/** A session of pi in a store. */
export type PiMemory = HostMemory<ToldMoment>;

/** The memory of a session of pi, by the id that it has in the store at a location; closing it closes the store. */
export function piMemory(location: string, id: string): PiMemory {
  const lease = leaseStore(location);
  const memory = hostMemory<ToldMoment>(lease, { id, agent: 'pi' });
  return {
    ...memory,
    async close() {
      await memory.close();
      await lease.close();
    },
  };
}

/** A moment of pi, told. */
export function toldMoment({ written, window, system, folder, ...rest }: PiMoment): ToldMoment {
  return {
    ...rest,
    written,
    messages: written.flatMap((message) => fromPi(message) ?? []),
    answer: answerIn(written),
    options: { window, system, folder },
  };
}

/** What to send to the model, in messages of pi. */
export async function piContext(
  memory: PiMemory,
  ask: () => ToldMoment,
): Promise<readonly PiMessage[]> {
  const { moment, assembly, keyOf: keyOfEntry } = await memory.context(ask);
  const byKey = new Map(moment.written.map((message) => [keyOf(message), message]));
  for (const [key, message] of moment.changed ?? []) byKey.set(key, message);
  return toPi(assembly, { byKey, keyOf: keyOfEntry });
}

/** The newest answer. */
function answerIn(written: readonly PiMessage[]): HostAnswer | null {
  const answer = written.findLast(({ role }) => role === 'assistant');
  if (answer === undefined) return null;
  const { errorMessage: error, stopReason } = answer;
  const key = keyOf(answer);
  if (stopReason === 'error') return typeof error === 'string' ? { key, error } : { key };
  return { key, usage: countedUsage(answer['usage'], piCounts) };
}

const piCounts = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
