import type { Age } from '../core/checkpoint.ts';
import { checkId } from './command-check.ts';
import { exact } from './count.ts';
import type { Live } from './live.ts';

/** Shows a finer version of a checkpoint in a live session; resolves when it is durable. */
export async function raiseStep(
  live: Live,
  checkpoint: string,
): Promise<{ age: Age; tokens: number }> {
  checkId('checkpoint', checkpoint);
  const { facts, durable } = await live.enqueue(async () => {
    await exact(live);
    const { decision, durable } = await live.stepBack({ type: 'raise', checkpoint });
    return { facts: decision.facts, durable };
  });
  await durable;
  const { age, tokens } = facts.find(({ type }) => type === 'checkpoint.raised') as {
    age: Age;
    tokens: number;
  };
  return { age, tokens };
}
