import { computed } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { bandsOf, countsOf, thin, words } from './told/bands.ts';
import { Costs } from './costs.tsx';
import { indexAt, number, totalOf, type Axis } from './told/history.ts';
import { axis, count, cursor, goTo, history, loss, places, step } from './store.ts';
import { nameOf } from './told/loss-words.ts';
import { aligned, other, otherStep, otherWindow } from './other.ts';
import { tickText } from './told/time.ts';
import { parts, type Step } from './told/wire.ts';

const canvas = { width: 1_000, height: 260 } as const;

const bands = computed(() => {
  const at = places.value;
  const { steps, counts } = history;
  const least = counts.reduce((most, { counted }) => Math.max(most, counted), 1);
  const beside = besideSteps();
  const drawn = bandsOf(steps, at, { ...canvas, least: Math.max(least, ...peaks(beside)) });
  const placed = counts.map((one) => ({ ...one, place: at[one.at]! }));
  const limit =
    beside.length === 0 ? '' : bandsOf(beside, at, { ...canvas, least: drawn.most }).limit;
  return { ...drawn, counts: countsOf(placed, { ...canvas, most: drawn.most }), other: limit };
});

/** The steps of another window that stand at those of the session, each with its size as its limit; none where there is none. */
const besideSteps = (): readonly Step[] =>
  [...(aligned.value ?? [])].map((at) => {
    const one = other.steps[at]!;
    return { ...one, sizes: [totalOf(one)], limit: totalOf(one) };
  });

/** The highest of some steps; nothing for none. */
const peaks = (steps: readonly Step[]): readonly number[] =>
  steps.length === 0 ? [] : [steps.reduce((most, one) => Math.max(most, totalOf(one)), 0)];

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
        <Limit most={most} />
        <span class="scale due" style={{ top: `${topOf(step.value?.due ?? 0, most)}%` }}>
          compresses at {number(step.value?.due ?? 0)}
        </span>
      </div>
      <Legend />
      <Costs />
    </section>
  );
}

/** How far below the top of the chart a size is, in percent. */
const topOf = (size: number, most: number): number => Math.max(0, 100 - (size / most) * 100);

/** What the lines at the right stand for: the limit, and the top of the chart where that is another size. */
function Limit({ most }: { readonly most: number }): ComponentChild {
  const limit = step.value?.limit ?? 0;
  return (
    <>
      {limit < most * 0.9 && <span class="scale">{number(most)} tokens</span>}
      <span class="scale" style={{ top: `${topOf(limit, most)}%` }}>
        limit {number(limit)}
      </span>
    </>
  );
}

function Areas(): ComponentChild {
  const { areas, due, limit, counts, other: beside } = bands.value;
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
      {beside !== '' && <path class="other" d={beside} />}
      <path class="gap" d={counts.gaps} />
      <path class="counted" d={counts.dots} />
    </svg>
  );
}

/** Numbered compressions, ends of frames, and where somebody dropped part of a prompt. */
function Marks(): ComponentChild {
  const at = places.value;
  const { compressions, losses } = history;
  const cuts = losses.filter((one) => 'cut' in one);
  const ends = losses.filter((one) => 'frame' in one);
  const room = Math.max(4, Math.floor((innerWidth - 60) / 24));
  const now = loss.value === null ? undefined : at[loss.value.at];
  const isClear = (one: { readonly at: number }): boolean =>
    now === undefined || !('compression' in loss.value!) || Math.abs(at[one.at]! - now) >= 1 / room;
  const named = new Set(thin(compressions.filter(isClear), at, Math.min(45, room)));
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
          title={nameOf(history, end)}
          aria-label={nameOf(history, end)}
          onClick={() => goTo(end.at)}
        />
      ))}
      {thin(cuts, at, 90).map((cut) => (
        <button
          key={cut.at}
          type="button"
          class={`mark cut${cut === loss.value ? ' now' : ''}`}
          style={{ left: `${at[cut.at]! * 100}%` }}
          title={nameOf(history, cut)}
          aria-label={nameOf(history, cut)}
          onClick={() => goTo(cut.at)}
        >
          {history.cuts[cut.cut]!.news?.isCertain === false ? '?' : '!'}
        </button>
      ))}
    </div>
  );
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
          ? tickText(at, [history.steps[0]!.at, history.steps.at(-1)!.at])
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
      {otherStep.value !== null && (
        <li class="quiet">
          <i class="outline" /> in a window of {number(otherWindow.value ?? 0)}{' '}
          <b>{number(totalOf(otherStep.value))}</b>
        </li>
      )}
      {history.counts.length > 0 && (
        <li class="quiet">
          <i class="dot" /> counted by the server <b>{lastCount()}</b>
        </li>
      )}
      {history.cuts.length > 0 && (
        <li class="quiet">
          <i class="bang">!</i> a server or host dropped part of the prompt, or it was recovered; ?
          perhaps
        </li>
      )}
    </ul>
  );
}

/** What a server counted last at the playhead. */
function lastCount(): string {
  const last = history.counts.findLast(({ at }) => at <= cursor.value);
  return last === undefined ? '' : `${number(last.counted)} of ${number(last.sent)}`;
}
