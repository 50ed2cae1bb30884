import type { ComponentChild } from 'preact';
import { axis, firstTold, isJoined, measureBy, own, reach, timeLine } from '../lane/lanes.ts';
import type { Lane } from '../lane/lane.ts';
import { useLane } from '../lane/use-lane.ts';
import { pauseText } from '../model/axis/distance.ts';
import { distancesOn, firstTurn, type Axis } from '../model/axis/places.ts';
import { ticksOf, timeTicks } from '../model/axis/ticks.ts';
import { isOfFile, saidText } from '../model/time.ts';
import { plotWidth } from './room.ts';

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

/** Room that a label takes, in pixels. */
const tickRoom = { turns: 90, time: 120, tokens: 100 } as const;

/** What stands at round places of the axis: a turn, a time, or the tokens said by then; with two sessions how long after the beginning. */
export function Ticks(): ComponentChild {
  if (own.count.value === 0 || hasNoTimes(own)) return null;
  const room = plotWidth.value / tickRoom[axis.value];
  const ticks = timeLine.value === null ? ticksOf(axisOf(), room) : timeTicks(timeLine.value, room);
  return ticks.map(({ place, text }) => (
    <span
      key={place}
      class={`tick${place < 0.05 ? ' first' : place > 0.95 ? ' last' : ''}`}
      style={{ left: `${place * 100}%` }}
    >
      {text}
    </span>
  ));
}

/** Says of a chart by time that there is none, where no entry has a date of its own. */
export function NoTimes(): ComponentChild {
  const lane = useLane();
  const head = lane.head.value;
  if (head === null || !hasNoTimes(lane)) return null;
  return (
    <p class="no-times">
      The entries have no dates of their own; {saidText(head.began, head)} is that of the file.{' '}
      <button type="button" class="more" onClick={() => measureBy('turns')}>
        by turns
      </button>
    </p>
  );
}

/** Whether a lane stands on an axis of times that nobody knows. */
const hasNoTimes = ({ count, head, history }: Lane): boolean =>
  axis.value === 'time' && count.value > 0 && isOfFile(history.steps.at(-1)!.at, head.value);

/** The long pauses of an axis of time, each with how long it was. */
export function Breaks(): ComponentChild {
  return timeLine.value?.breaks.map(({ from, to, length }) => (
    <span
      key={from}
      class="break"
      title={`A pause of ${pauseText(length)}, not drawn at its length`}
      style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
    >
      {pauseText(length)}
    </span>
  ));
}

function axisOf() {
  const { steps } = own.history;
  const name = axis.value;
  if (isJoined.value)
    return { axis: name, from: firstTold.value, reach: reach.value, isDistance: true };
  const first = steps[0]!;
  const from = { turns: firstTurn(steps), time: first.at, tokens: first.said }[name];
  return { axis: name, from, reach: distancesOn(name, steps).at(-1) ?? 0 };
}
