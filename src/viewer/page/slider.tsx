import { useRef } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import type { Playhead } from './playhead.ts';

/** Marks of the slider that can be told from one another. */
const mostMarks = 150;

/** An axis above the slider, on which the places of the playhead stand. */
export interface SliderAxis {
  /** Where each place stands, from 0 to 1; it never goes back. */
  readonly places: Float64Array;
  /** From where to where the axis goes on the screen, in pixels. */
  readonly left: number;
  readonly width: number;
  /** The last place of the playhead that stands at this one of the axis, or before it. */
  readonly placeAt: (at: number) => number;
}

/** What a slider takes. */
interface SliderProps {
  readonly playhead: Playhead;
  /** Places with a mark, by what they mark. */
  readonly marks: Readonly<Record<string, Iterable<number>>>;
  /** Where it is, in words; the place alone unless told. */
  readonly moment: string | undefined;
  /** Where its places stand; evenly unless told. */
  readonly axis: SliderAxis | undefined;
}

/** A slider through the places of the playhead: below an axis its thumb stands where they do. */
export function Slider({ playhead, marks, moment, axis }: SliderProps): ComponentChild {
  const { count, cursor, goTo } = playhead;
  const isHeld = useRef(false);
  const last = Math.max(0, count.value - 1);
  const placeOf = (at: number): number => axis?.places[at] ?? at / Math.max(1, last);
  const take = (value: number): void => {
    if (axis === undefined) return goTo(value);
    const [now, at] = [cursor.value, axis.placeAt(value)];
    // What asks for less than a step, as a screen reader may, goes one.
    goTo(isHeld.current || at !== now ? at : now + Math.sign(value - placeOf(now)));
  };
  return (
    <div
      class={axis === undefined ? 'track' : 'track on-axis'}
      style={axis === undefined ? {} : { '--left': `${axis.left}px`, '--width': `${axis.width}px` }}
    >
      <Marks of={marks} placeOf={placeOf} />
      <input
        type="range"
        min="0"
        max={axis === undefined ? last : 1}
        step={axis === undefined ? 1 : 'any'}
        value={axis === undefined ? cursor : placeOf(cursor.value)}
        aria-label="Moment"
        aria-valuetext={moment}
        onPointerDown={() => (isHeld.current = true)}
        onPointerUp={() => (isHeld.current = false)}
        onPointerCancel={() => (isHeld.current = false)}
        onKeyDown={(event) => {
          const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          goTo(cursor.value + by);
        }}
        onInput={(event) => {
          take(Number(event.currentTarget.value));
          if (axis !== undefined) event.currentTarget.value = String(placeOf(cursor.value));
        }}
      />
    </div>
  );
}

/** At most one mark of a kind for each thousandth of the track; where that leaves no gaps, for each hundredth. */
function Marks(props: {
  readonly of: SliderProps['marks'];
  readonly placeOf: (at: number) => number;
}): ComponentChild {
  const placesOf = (at: Iterable<number>, slots: number): readonly number[] => [
    ...new Set([...at].map((one) => Math.round(props.placeOf(one) * slots) * (1_000 / slots))),
  ];
  return (
    <svg class="marks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {Object.entries(props.of).map(([kind, at]) => {
        const fine = placesOf(at, 1_000);
        const places = fine.length > mostMarks ? placesOf(at, 100) : fine;
        return <path key={kind} class={kind} d={places.map((x) => `M${x},0V10`).join('')} />;
      })}
    </svg>
  );
}
