import type { Input } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { isOwed } from '../decide/restart.ts';
import type { Clock } from '../live/clock.ts';
import { decided } from '../live/decided.ts';
import { exactCounter } from '../live/counting.ts';
import type { LiveSession } from '../live/live-session.ts';
import { newRetries } from './retries.ts';

// What an effect or a timer brings back is taken in, or it is known why not. Where the store refuses for
// now, it is tried again; where it cannot be decided, it is given up, which is a fact; and where not even
// that is possible, the session breaks, so that the next command says why.

/** How an effect ended that a session waits for, as an input. */
type EffectEnd = Extract<Input, { readonly key: string }>;

/** Takes into a session how an effect ended, if it still waits for that; never rejects. */
export type EndEffect = (live: LiveSession, end: EffectEnd) => Promise<void>;

/** {@link EndEffect}, and its end. */
interface EffectEnds {
  readonly endEffect: EndEffect;
  /** Does nothing more; what is left is asked for again when the session is next opened. */
  stop(): void;
}

/** Ends of effects, on a clock. */
export function newEffectEnds(clock: Clock): EffectEnds {
  let stopped = false;
  const retries = newRetries(clock);

  async function endEffect(live: LiveSession, end: EffectEnd): Promise<void> {
    const isOver = (): boolean =>
      stopped || live.isBroken || (!live.isBehind && !isPending(live.state, end));
    try {
      await retries.until(isOver, () => takeIn(live, end, isOver));
    } catch (error) {
      if (!live.isBroken) await giveUp(live, end, error);
    }
  }

  /** An answer that could not be taken in is no answer; asked again, it would be the same. */
  async function giveUp(
    live: LiveSession,
    { type, key }: EffectEnd,
    error: unknown,
  ): Promise<void> {
    if (type === 'settle')
      return endEffect(live, { type: 'fail', key, reason: 'Its answer could not be taken in' });
    if (type === 'abandon') return live.breakOff(error);
    const reason = error instanceof Error ? error.message : String(error);
    return endEffect(live, { type: 'abandon', key, reason });
  }

  return {
    endEffect,
    stop() {
      stopped = true;
      retries.stop();
    },
  };
}

async function takeIn(live: LiveSession, end: EffectEnd, isOver: () => boolean): Promise<void> {
  await decided(
    live,
    async (writer) => {
      await exactCounter(writer);
      return isOver() ? { durable: writer.written } : writer.stepInParts(end);
    },
    'engine',
  );
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
      return state.documents.pending.some((document) => document.key === key);
    case 'abandon':
      return isOwed(state, key);
  }
}
