import { computed } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { bandsOf } from './bands.ts';
import { indexAt, number, type Axis } from './history.ts';
import { axis, count, cursor, goTo, history, loss, places, step } from './store.ts';
import { nameOf } from './loss.tsx';
import { parts } from './wire.ts';

const canvas = { width: 1_000, height: 260 } as const;

const bands = computed(() => (count.value, bandsOf(history.steps, places.value, canvas)));

/** How full the prompt was, and where a compression or the end of a frame emptied it. */
export function BudgetChart(): ComponentChild {
  const { most } = bands.value;
  return (
    <section class="budget" aria-label="Context budget">
      <header>
        <h2>Context budget</h2>
        <span class="quiet">tokens of the prompt, by part</span>
        <AxisChoice />
      </header>
      <div class="plot" onPointerDown={drag} onPointerMove={drag}>
        <Areas />
        <Marks />
        <Playhead />
        <Ticks />
        <span class="scale top">{number(most)}</span>
        <span class="scale due" style={{ top: `${dueTop(most)}%` }}>
          compresses at {number(step.value?.due ?? 0)}
        </span>
      </div>
      <Legend />
    </section>
  );
}

const dueTop = (most: number): number => Math.max(0, 100 - ((step.value?.due ?? 0) / most) * 100);

function Areas(): ComponentChild {
  const { areas, due, limit } = bands.value;
  return (
    <svg
      viewBox={`0 0 ${canvas.width} ${canvas.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {areas.map((path, index) => (
        <path key={parts[index]} class={`part ${parts[index]}`} d={path} />
      ))}
      <path class="limit" d={limit} />
      <path class="due" d={due} />
    </svg>
  );
}

/** Numbered compressions, ends of frames, and where a server counted less than was sent. */
function Marks(): ComponentChild {
  const at = places.value;
  const { compressions, losses, counts } = history;
  const ends = losses.filter((one) => 'frame' in one);
  const named = new Set(thin(compressions, at, 45));
  const short = counts.filter(({ sent, counted }) => counted < 0.7 * sent);
  return (
    <div class="marks-over">
      {compressions.map((one, n) => {
        const index = one.at;
        const isNow = index === loss.value?.at;
        const isNamed = isNow || named.has(one);
        return (
          <button
            key={index}
            type="button"
            class={`mark compression${isNow ? ' now' : ''}${isNamed ? '' : ' small'}`}
            style={{ left: `${at[index]! * 100}%` }}
            title={`compression ${n + 1}`}
            aria-label={`Compression ${n + 1}`}
            onClick={() => goTo(index)}
          >
            {isNamed ? n + 1 : ''}
          </button>
        );
      })}
      {thin(ends, at, 200).map((end) => (
        <button
          key={end.at}
          type="button"
          class={`mark end${end === loss.value ? ' now' : ''}`}
          style={{ left: `${at[end.at]! * 100}%` }}
          title={nameOf(end)}
          aria-label={nameOf(end)}
          onClick={() => goTo(end.at)}
        />
      ))}
      {short.map((one) => (
        <i
          key={one.at}
          class="mark short"
          style={{ left: `${at[one.at]! * 100}%` }}
          title="the server counted less"
        />
      ))}
    </div>
  );
}

/** Those of some marks that are at least a share of the axis apart. */
function thin<T extends { readonly at: number }>(
  marks: readonly T[],
  places: Float64Array,
  most: number,
): readonly T[] {
  let last = -1;
  return marks.filter(({ at }) => {
    const isFar = places[at]! - last >= 1 / most;
    if (isFar) last = places[at]!;
    return isFar;
  });
}

/** What stands at a few places of the axis: a turn, a time, or the tokens said by then. */
function Ticks(): ComponentChild {
  if (count.value === 0) return null;
  return [0, 0.25, 0.5, 0.75, 1].map((place) => {
    const { turn, at, said } = history.steps[indexAt(places.value, place)]!;
    const text =
      axis.value === 'turns'
        ? `turn ${turn}`
        : axis.value === 'time'
          ? new Date(at).toLocaleDateString()
          : number(said);
    return (
      <span
        key={place}
        class="tick"
        style={{ left: `${place * 100}%`, transform: `translateX(-${place * 100}%)` }}
      >
        {text}
      </span>
    );
  });
}

function Playhead(): ComponentChild {
  if (count.value === 0) return null;
  return <i class="playhead" style={{ left: `${places.value[cursor.value]! * 100}%` }} />;
}

function drag(event: PointerEvent): void {
  if (event.buttons !== 1) return;
  const box = (event.currentTarget as Element).getBoundingClientRect();
  if (event.target instanceof HTMLButtonElement) return;
  goTo(indexAt(places.value, (event.clientX - box.left) / box.width));
}

const axes: readonly Axis[] = ['turns', 'time', 'tokens'];

function AxisChoice(): ComponentChild {
  return (
    <div class="choice" role="group" aria-label="Axis">
      {axes.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={axis.value === name}
          onClick={() => (axis.value = name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function Legend(): ComponentChild {
  return (
    <ul class="legend">
      {parts.map((name, index) => (
        <li key={name}>
          <i class={`swatch ${name}`} />
          {words[name]} <b>{number(step.value?.sizes[index] ?? 0)}</b>
        </li>
      ))}
      <li class="quiet">
        <i class="ring">1</i> compression
      </li>
      <li class="quiet">
        <i class="diamond" /> frame finished
      </li>
    </ul>
  );
}

/** The parts in words for a person. */
export const words: Readonly<Record<(typeof parts)[number], string>> = {
  system: 'System prompt',
  tools: 'Tools',
  goal: 'Goal',
  frames: 'Frames',
  checkpoints: 'Checkpoints',
  chronicle: 'Chronicle',
  human: 'Older words of people',
  working: 'Entries',
};
