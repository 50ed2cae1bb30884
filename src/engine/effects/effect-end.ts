import type { Input } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { exactCounter } from '../live/counting.ts';
import type { LiveSession } from '../live/live-session.ts';

/** How a piece of work ended that a session waits for. */
export type EffectEnd = Extract<Input, { readonly key: string }>;

/** Tells a session in its turn how something ended that it still waits for; never rejects. */
export type EndEffect = (live: LiveSession, ending: EffectEnd) => Promise<void>;

/** A way to tell endings until it is stopped; what is not told is asked for again when the session is next opened. */
export function newTell(isStopped: () => boolean): EndEffect {
  async function tell(live: LiveSession, ending: EffectEnd): Promise<void> {
    const isIdle = (): boolean => isStopped() || live.isBroken || !isOwed(live.state, ending);
    if (isIdle()) return;
    const step = live.inTurn(async () => {
      await exactCounter(live);
      return isIdle() ? {} : { durable: live.step(ending).durable };
    });
    await step.then(({ durable }) => durable).catch(() => refuse(live, ending));
  }

  /** An answer that could not be taken in is no answer; asked again, it would be the same. */
  async function refuse(live: LiveSession, { type, key }: EffectEnd): Promise<void> {
    if (type !== 'settle') return;
    await tell(live, { type: 'fail', key, reason: 'Its answer could not be taken in' });
  }

  return tell;
}

/** Whether a state still waits for what an ending brings. */
function isOwed(state: State, { type, key }: EffectEnd): boolean {
  switch (type) {
    case 'settle':
    case 'fail':
      return state.outbox.has(key);
    case 'fire':
      return state.timers.has(key);
    case 'document.settle':
    case 'document.fail':
      return state.diary.pending.some((page) => page.key === key);
  }
}
