import type { Fact } from '../core/fact.ts';
import type { Input } from '../core/input.ts';
import { exact } from './count.ts';
import type { Live } from './live.ts';
import type { CommandOptions } from './session.ts';

/** What a command tells its caller, read from the facts it led to. */
type Answer<T> = (facts: readonly Fact[]) => T;

/** Runs one command of a handle; rejects where the handle is closed. */
export type Command = <T>(input: Input, answer: Answer<T>, options?: CommandOptions) => Promise<T>;

/** The answer of a command that makes or leaves a frame. */
export const created: Answer<{ id: string }> = (facts) => ({ id: frameIn(facts) });

/** The answer of a command that tells nothing. */
export const done: Answer<void> = () => undefined;

/** Runs a command that needs exact counts, once per key; resolves when it is durable. */
export async function runCommand<T>(
  live: Live,
  given: { input: Input; answer: Answer<T>; key: string | undefined },
): Promise<T> {
  const { answer } = given;
  const key = given.key === undefined ? undefined : `${given.input.type} ${given.key}`;
  const input = JSON.parse(JSON.stringify(given.input)) as Input;
  const result = await live.enqueue(async () => {
    if (key !== undefined) {
      const before = await live.answered(key);
      if (before !== undefined) return { value: before as T, durable: live.written };
    }
    await exact(live);
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
