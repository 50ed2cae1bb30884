import type { ComponentChild } from 'preact';
import { axis, firstTold, isJoined, measureBy, own, reach } from '../lane/lanes.ts';
import { distanceText } from '../told/distance.ts';
import { distancesOn, indexAt, number, type Axis } from '../told/history.ts';
import { tickText } from '../told/time.ts';

const axes: readonly Axis[] = ['turns', 'time', 'tokens'];

/** By what steps stand where they do. */
export function AxisChoice(): ComponentChild {
  return (
    <div class="choice" role="group" aria-label="Axis">
      {axes.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={axis.value === name}
          onClick={() => measureBy(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** What stands at a few places of the axis: a turn, a time, or the tokens said by then; with two sessions how long after the beginning. */
export function Ticks(): ComponentChild {
  if (own.count.value === 0) return null;
  return placesOfTicks().map((place) => (
    <span
      key={place}
      class="tick"
      style={{ left: `${place * 100}%`, transform: `translateX(-${place * 100}%)` }}
    >
      {isJoined.value
        ? distanceText(axis.value, place * reach.value, firstTold.value)
        : textAt(place)}
    </span>
  ));
}

/** Where ticks stand: at the beginnings of at most five turns, or at the quarters of the axis. */
function placesOfTicks(): readonly number[] {
  const turns = isJoined.value
    ? reach.value
    : (distancesOn('turns', own.history.steps).at(-1) ?? 0);
  if (axis.value !== 'turns' || turns <= 0) return [0, 0.25, 0.5, 0.75, 1];
  const stride = Math.max(1, Math.ceil(turns / 5));
  return Array.from({ length: Math.ceil(turns / stride) }, (_, n) => (n * stride) / turns);
}

function textAt(place: number): string {
  const { steps } = own.history;
  const { turn, at, said } = steps[indexAt(own.places.value, place)]!;
  if (axis.value === 'turns') return `turn ${turn}`;
  if (axis.value === 'tokens') return number(said);
  return tickText(at, [steps[0]!.at, steps.at(-1)!.at]);
}
