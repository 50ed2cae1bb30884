import type { Fact } from '../../core/state/fact.ts';
import type { Input } from '../../core/state/input.ts';
import { exactCounter } from '../live/counting.ts';
import type { LiveSession } from '../live/live-session.ts';

/** What a command tells its caller, read from the facts it led to. */
type ReadAnswer<T> = (facts: readonly Fact[]) => T;

/** Runs one command of a handle; rejects where the handle is closed. */
export type RunCommand = <T>(
  input: Input,
  answer: ReadAnswer<T>,
  options?: CommandOptions,
) => Promise<T>;

/** The answer of a command that makes or leaves a frame. */
export const created: ReadAnswer<{ id: string }> = (facts) => ({ id: frameIn(facts) });

/** The answer of a command that tells nothing. */
export const done: ReadAnswer<void> = () => undefined;

/** Runs a command that needs exact counts, once per key; resolves when it is durable. */
export async function runCommand<T>(
  live: LiveSession,
  given: { input: Input; answer: ReadAnswer<T>; key: string | undefined },
): Promise<T> {
  const { answer } = given;
  const key = given.key === undefined ? undefined : `${given.input.type} ${given.key}`;
  const input = JSON.parse(JSON.stringify(given.input)) as Input;
  const result = await live.enqueue(async () => {
    if (key !== undefined) {
      const before = await live.answered(key);
      if (before !== undefined) return { value: before as T, durable: live.written };
    }
    await exactCounter(live);
    const keys = (facts: readonly Fact[]) => [[key!, answer(facts) ?? null] as const];
    const { decision, durable } = live.step(input, key === undefined ? {} : { keys });
    return { value: answer(decision.facts), durable };
  });
  await result.durable;
  return result.value;
}

/** The frame that a command made or left. */
function frameIn(facts: readonly Fact[]): string {
  const types = ['frame.pushed', 'frame.planned', 'frame.popped', 'frame.retried'];
  const fact = facts.find(({ type }) => types.includes(type)) as { frame: string } | undefined;
  return fact?.frame ?? '';
}

/** What a frame is for, as it comes in. */
export interface FrameGiven {
  /** Two to five words, at most 30 tokens. */
  readonly title: string;
  /** What defines done, in verifiable terms. */
  readonly criteria?: string;
  /** The dense form of the criteria; made from them unless told. */
  readonly brief?: string;
}

/** How a frame is left. */
export interface PopGiven {
  /** A blocked frame to close as failed; the active one unless told. */
  readonly frame?: string;
  readonly status: 'completed' | 'failed' | 'blocked';
  /** What was accomplished; harvested from the frame's log unless told. */
  readonly results?: string;
  /** The dense form of the results; made from them unless told. */
  readonly brief?: string;
  readonly artifacts?: readonly string[];
  readonly decisions?: readonly string[];
  /** Whether planned and blocked children may be dropped; false unless told. */
  readonly drop?: boolean;
}

/** How an abstract command is kept beside its input. */
export interface CommandOptions {
  /** The same key twice does it once. */
  readonly key?: string;
}
