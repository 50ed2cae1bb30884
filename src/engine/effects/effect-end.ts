import type { Input } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { decided } from '../live/decided.ts';
import { exactCounter } from '../live/counting.ts';
import type { LiveSession } from '../live/live-session.ts';

/** How an effect ended that a session waits for, as an input. */
type EffectEnd = Extract<Input, { readonly key: string }>;

/** Takes into a session how an effect ended, if it still waits for that; never rejects. */
export type EndEffect = (live: LiveSession, end: EffectEnd) => Promise<void>;

/** An {@link EndEffect} that does nothing once `isStopped`; what it leaves is asked for again when the session is next opened. */
export function newEndEffect(isStopped: () => boolean): EndEffect {
  async function endEffect(live: LiveSession, end: EffectEnd): Promise<void> {
    const isOver = (): boolean => isStopped() || live.isBroken || !isPending(live.state, end);
    if (isOver()) return;
    const step = decided(
      live,
      async (writer) => {
        await exactCounter(writer);
        return isOver() ? { durable: writer.written } : writer.stepInParts(end);
      },
      'engine',
    );
    await step.catch(() => refuse(live, end));
  }

  /** An answer that could not be taken in is no answer; asked again, it would be the same. */
  async function refuse(live: LiveSession, { type, key }: EffectEnd): Promise<void> {
    if (type !== 'settle') return;
    await endEffect(live, { type: 'fail', key, reason: 'Its answer could not be taken in' });
  }

  return endEffect;
}

/** Whether a state still waits for an end. */
function isPending(state: State, { type, key }: EffectEnd): boolean {
  switch (type) {
    case 'settle':
    case 'fail':
      return state.outbox.has(key);
    case 'fire':
      return state.timers.has(key);
    case 'document.settle':
    case 'document.fail':
      return state.diary.pending.some((document) => document.key === key);
  }
}
