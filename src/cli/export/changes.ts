import type { ReplayStep, View } from '../../index.ts';
import type { History } from '../../viewer/page/session/model/history.ts';
import type { Change } from '../../viewer/page/session/model/wire.ts';
import { changeBetween } from '../view/session-answers.ts';
import { unlessDamaged } from './damage.ts';
import type { Exporting } from './exporting.ts';

/** What each loss of a history changed of what the model saw, in order, null for one that a damaged record keeps from being told: the session is played once for all of them. */
export async function* changesIn(
  { losses, steps }: History,
  { call, store, session }: Exporting,
): AsyncGenerator<Change | null> {
  const wanted = new Set(losses.map(({ at }) => steps[at]!.seq));
  const last = Math.max(0, ...wanted);
  if (last === 0) return;
  let before: View | null = null;
  for await (const step of store.replay(session.id, { to: last, signal: call.io.signal })) {
    const view = toView(step);
    if (wanted.has(step.seq) && before !== null)
      yield await unlessDamaged(changeBetween(session, [before, view], step.seq));
    before = view;
  }
}

/** A step that was played, as the view that it is. */
export const toView = (step: ReplayStep): View =>
  Object.create(step, { seen: { value: 'derived' } }) as View;
