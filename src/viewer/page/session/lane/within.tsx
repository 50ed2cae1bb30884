import type { ComponentChild } from 'preact';
import { number } from '../model/words/amounts.ts';
import type { Lane } from './lane.ts';
import { beside, focus, focused, own, windowName } from './lanes.ts';
import { OfLane, useLane } from './use-lane.ts';

/** A part of the page that is of a lane: who works in it has that lane in focus. */
export function Within(props: {
  readonly lane: Lane;
  readonly children: ComponentChild;
}): ComponentChild {
  const { lane, children } = props;
  const take = (): void => void (focus.value = lane === own ? 'own' : 'beside');
  const isLit = beside.value !== null && focused.value === lane;
  return (
    <OfLane.Provider value={lane}>
      <div class={`within${isLit ? ' lit' : ''}`} onPointerDownCapture={take} onFocusIn={take}>
        {children}
      </div>
    </OfLane.Provider>
  );
}

/** What tells a lane from the one beside it, in a few characters; nothing where there is none. */
export function LaneName({ of }: { readonly of?: Lane }): ComponentChild {
  const used = useLane();
  const lane = of ?? used;
  if (beside.value === null) return null;
  return <i class={`lane-name${focused.value === lane ? ' lit' : ''}`}>{shortNameOf(lane)}</i>;
}

/** A letter of two sessions, the size of two windows. */
export function shortNameOf(lane: Lane): string {
  if (beside.value?.name === windowName) return number(lane.head.value?.window ?? 0);
  return lane === own ? 'A' : 'B';
}
