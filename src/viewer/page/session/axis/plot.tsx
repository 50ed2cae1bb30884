import { useComputed, useSignal, type Signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { beside, besideSession, own } from '../lane/lanes.ts';
import type { Lane } from '../lane/lane.ts';
import { useLane } from '../lane/use-lane.ts';
import { bandsOf, countsOf, isApart } from '../model/axis/bands.ts';
import { indexAt } from '../model/axis/places.ts';
import { number } from '../model/words/amounts.ts';
import { totalOf } from '../model/history.ts';
import { nameOf } from '../model/words/loss.ts';
import { ticksOf } from '../model/axis/ticks.ts';
import { parts, type Step } from '../model/wire.ts';
import { NoTimes } from './axis.tsx';
import { alignedOther } from './other-line.ts';
import { Marks } from './marks.tsx';
import { Playhead } from './playhead.tsx';
import { measured, plotWidth } from './room.ts';

const canvas = { width: 1_000, height: 260 } as const;

/** Round sizes beside the chart, at most. */
const levels = 4;

/** Steps in a pixel from which on the areas have no outlines, which would hide them. */
const stepsApart = 3;

/** The prompt of a lane over time: its areas, what was counted, compressions and ends of frames, and the playhead. */
export function Plot({ children }: { readonly children?: ComponentChild }): ComponentChild {
  const lane = useLane();
  const { places, goTo } = lane;
  const pointed = useSignal<number | null>(null);
  const point = (event: PointerEvent): void => {
    const isOnMark = event.target instanceof HTMLButtonElement;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = indexAt(places.value, (event.clientX - box.left) / box.width);
    pointed.value = isOnMark ? null : at;
    if (event.buttons === 1 && !isOnMark) goTo(at);
  };
  return (
    <div
      class="plot"
      ref={measured}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={() => (pointed.value = null)}
    >
      <Areas />
      <Marks />
      <NoTimes />
      <Playhead />
      <Readout at={pointed} />
      {children}
    </div>
  );
}

/** What the chart has at the pointer. */
function Readout({ at }: { readonly at: Signal<number | null> }): ComponentChild {
  const { history, places } = useLane();
  const step = at.value === null ? undefined : history.steps[at.value];
  if (step === undefined) return null;
  const place = places.value[at.value!]!;
  const went = history.losses.find((one) => one.at === at.value);
  const count = history.counts.find((one) => one.at === at.value);
  const side = place > 0.5 ? { right: `${(1 - place) * 100}%` } : { left: `${place * 100}%` };
  return (
    <>
      <i class="pointed" style={{ left: `${place * 100}%` }} />
      <span class="card readout" role="presentation" style={side}>
        turn {step.turn} · step {number(step.seq)} · <b>{number(totalOf(step))}</b> tokens
        {count !== undefined && isApart(count) && (
          <>
            <br />
            sent {number(count.sent)} · the server counted {number(count.counted)}
          </>
        )}
        {went !== undefined && (
          <>
            <br />
            {nameOf(history, went)}
          </>
        )}
      </span>
    </>
  );
}

function Areas(): ComponentChild {
  const lane = useLane();
  const bands = useComputed(() => drawn(lane));
  const { areas, due, limit, counts, other, most } = bands.value;
  const isDense = lane.count.value > stepsApart * plotWidth.value;
  return (
    <>
      {ticksOf({ axis: 'tokens', from: 0, reach: most }, levels).map(({ place, text }) => (
        <span key={text} class="level" style={{ bottom: `${place * 100}%` }}>
          <span>{text}</span>
        </span>
      ))}
      <svg
        class={isDense ? 'dense' : ''}
        viewBox={`0 0 ${canvas.width} ${canvas.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {areas.map((path, index) => (
          <path key={parts[index]} class={`part ${parts[index]}`} d={path} />
        ))}
        <path class="limit" d={limit} />
        <path class="due" d={due} />
        {other !== '' && <path class="other" d={other} />}
        <path class="gap" d={counts.gaps} />
        <path class="counted" d={counts.dots} />
      </svg>
    </>
  );
}

/** What is drawn of a lane: two sessions on one scale, unless one of them could not be seen on that of the other. */
function drawn(lane: Lane) {
  const at = lane.places.value;
  const { steps, counts } = lane.history;
  const line = lane === own ? alignedOther() : [];
  const [peak, other] = [peakOf(steps), peakOf(otherSteps(lane))];
  const least = counts.reduce((top, { ours }) => Math.max(top, ours), peakOf(line));
  const bands = bandsOf(steps, at, {
    ...canvas,
    least: Math.max(1, least, other <= peak * mostTimes ? other : 0),
  });
  const placed = counts.map((one) => ({ ...one, place: at[one.at]! }));
  const { most } = bands;
  return {
    ...bands,
    counts: countsOf(placed, { ...canvas, most }),
    other: line.length === 0 ? '' : bandsOf(line, at, { ...canvas, least: most }).top,
  };
}

/** How many times larger a session may be to share its scale with another. */
const mostTimes = 4;

/** The steps of the other one of two sessions. */
function otherSteps(lane: Lane): readonly Step[] {
  const other = besideSession.value;
  if (other === null) return [];
  const { count, history } = lane === own ? beside.value! : own;
  return count.value === 0 ? [] : history.steps;
}

/** The highest that steps reach, or may. */
const peakOf = (steps: readonly Step[]): number =>
  steps.reduce((most, one) => Math.max(most, totalOf(one), one.limit), 0);
