import type { ComponentChild } from 'preact';
import { Player } from '../player.tsx';
import { count, cursor, goTo, history, looked, playhead, step } from './store.ts';

/** The playhead of the session. */
export function SessionPlayer(): ComponentChild {
  return (
    <Player
      playhead={playhead}
      step={(by) => goTo(cursor.value + by)}
      ends={ends}
      marks={history.losses.map(({ at }) => at)}
      keys={{ Escape: () => (looked.value = null) }}
    >
      <label class="turn-field">
        turn{' '}
        <input
          type="number"
          min="0"
          value={step.value?.turn ?? 0}
          onChange={(event) => goToTurn(Number(event.currentTarget.value))}
        />
      </label>
      <output>
        {step.value === null
          ? ''
          : `${new Date(step.value.at).toLocaleString()} · step ${cursor.value + 1} of ${count.value}`}
      </output>
    </Player>
  );
}

const ends = [
  {
    title: 'To the loss before: a compression, the end of a frame',
    key: '[',
    act: () => toLoss(-1),
  },
  { title: 'To the next loss', key: ']', act: () => toLoss(1) },
] as const;

/** Goes to the beginning of a turn, or the last one before it that there is. */
function goToTurn(turn: number): void {
  const at = history.steps.findIndex((one) => one.turn >= turn);
  goTo(at === -1 ? count.value - 1 : at);
}

/** Goes to the loss before or behind the playhead; with none there, to the end of the session. */
function toLoss(by: 1 | -1): void {
  const { losses } = history;
  const next =
    by > 0
      ? losses.find(({ at }) => at > cursor.value)
      : losses.findLast(({ at }) => at < cursor.value);
  goTo(next?.at ?? (by > 0 ? count.value - 1 : 0));
}
