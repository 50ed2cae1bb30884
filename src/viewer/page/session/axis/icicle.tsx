import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { lookAt } from '../entries/look.ts';
import type { Lane } from '../lane/lane.ts';
import { useLane } from '../lane/use-lane.ts';
import { statusWord, type FrameSpan } from '../model/history.ts';
import { drawnSpan, lanesOf, plannedRows } from '../model/axis/lanes.ts';
import { Playhead } from './playhead.tsx';
import { hasRoom, hasSignRoom } from './room.ts';
import { useRoving } from './roving.ts';

/** Most rows that are drawn. */
const mostLevels = 8;

/** Height of a row, in pixels. */
const rowHeight = 26;

/** Width of the narrowest bar, in pixels. */
const leastWidth = 5;

/** A bar of a frame, where it stands. */
interface Bar {
  readonly span: FrameSpan;
  readonly row: number;
  /** In shares of the axis; null behind its end, for what is planned. */
  readonly place: { readonly from: number; readonly to: number } | null;
}

/** The frames on the axis of the budget; what is planned stands behind its end. */
export function Icicle(): ComponentChild {
  const lane = useLane();
  const { count, history } = lane;
  const openFrames = useOpenFrames(lane);
  const activeBar = useSignal<Bar | null>(null);
  const bars = count.value === 0 ? [] : barsOf(lane);
  const ids = bars.map(({ span }) => span.id);
  const { of, ...group } = useRoving(ids, undefined);
  if (count.value === 0 || history.frames.size <= 1) return null;
  const isOpen = new Set(openFrames.value.split(' '));
  const levels = Math.max(...bars.map(({ row }) => row)) + 1;
  const more = plannedIn(lane).length - bars.filter(({ place }) => place === null).length;
  return (
    <div
      class={`icicle${plannedIn(lane).length > 0 ? ' has-planned' : ''}`}
      role="group"
      aria-label="Frames in order"
      style={{ height: `${levels * rowHeight}px` }}
      onPointerLeave={() => (activeBar.value = null)}
      {...group}
    >
      {bars.map((bar) => (
        <FrameBar
          key={bar.span.id}
          bar={bar}
          isOpen={isOpen.has(bar.span.id)}
          show={() => (activeBar.value = bar)}
          hide={() => (activeBar.value = null)}
          focus={of(bar.span.id)}
        />
      ))}
      {more > 0 && <span class="later more-planned">and {more} more</span>}
      {activeBar.value !== null && <Card of={activeBar.value} />}
      <Playhead />
    </div>
  );
}

/** The frames that are open at the playhead, in one text: bars are drawn again only where it changes. */
const useOpenFrames = ({ count, cursor, history }: Lane) =>
  useComputed(() => {
    const now = cursor.value;
    const spans = count.value === 0 ? [] : [...history.frames.values()];
    return spans
      .filter(({ from, to }) => from !== null && from <= now && (to === null || to > now))
      .map(({ id }) => id)
      .join(' ');
  });

/** The frames of a lane that wait. */
export const plannedIn = ({ count, history }: Lane): readonly FrameSpan[] =>
  count.value === 0
    ? []
    : [...history.frames.values()].filter(({ status }) => status === 'planned');

/** The bars that are drawn, by their places on the axis; of those at one place the upper one first. */
function barsOf(lane: Lane): readonly Bar[] {
  const at = lane.places.value;
  const spans = [...lane.history.frames.values()].map(drawnSpan);
  const rows = lanesOf(spans);
  const begun = spans
    .filter(({ id }) => (rows.get(id) ?? mostLevels) < mostLevels)
    .toSorted((one, other) => one.from! - other.from! || rows.get(one.id)! - rows.get(other.id)!)
    .map((span): Bar => {
      const to = span.to === null ? at.at(-1)! : at[span.to]!;
      return { span, row: rows.get(span.id)!, place: { from: at[span.from!]!, to } };
    });
  const waiting = [...plannedRows(plannedIn(lane), rows)].flatMap(([span, row]): readonly Bar[] =>
    row < mostLevels ? [{ span, row, place: null }] : [],
  );
  return [...begun, ...waiting];
}

/** The frames of the session of the page, where it has any. */
export function IcicleSection(): ComponentChild {
  const lane = useLane();
  if (lane.count.value === 0 || lane.history.frames.size <= 1) return null;
  const waits = plannedIn(lane).length > 0 ? '; planned work waits at the right' : '';
  return (
    <section class="frames" aria-label="Frames">
      <header>
        <h2>Frames</h2>
        <span class="quiet">on the same axis{waits}. Click one to read its log</span>
      </header>
      <Icicle />
    </section>
  );
}

const isBad = ({ status }: FrameSpan): boolean => status === 'failed' || status === 'invalidated';

function FrameBar(props: {
  readonly bar: Bar;
  readonly isOpen: boolean;
  readonly show: () => void;
  readonly hide: () => void;
  readonly focus: { readonly tabIndex: number; readonly onFocus: () => void };
}): ComponentChild {
  const { bar, isOpen, show, hide, focus } = props;
  const { span, row, place } = bar;
  const lane = useLane();
  const share = place === null ? null : place.to - place.from;
  const hasTitle = share === null || hasRoom(share);
  const sign = isBad(span) ? '✕ ' : '';
  return (
    <button
      type="button"
      class={`span${isOpen ? ' open' : ''}${isBad(span) ? ' bad' : ''}${place === null ? ' later' : ''}${hasTitle ? '' : ' bare'}`}
      style={{
        ...(place !== null && {
          left: `${place.from * 100}%`,
          width: `max(${leastWidth}px, ${(place.to - place.from) * 100}%)`,
        }),
        top: `${row * rowHeight}px`,
      }}
      aria-label={`${span.title}, ${statusWord(span.status)}`}
      onClick={() => lookAt(lane, span.id)}
      onPointerEnter={show}
      onBlur={hide}
      tabIndex={focus.tabIndex}
      onFocus={() => {
        focus.onFocus();
        show();
      }}
    >
      {hasTitle ? `${sign}${span.title}` : hasSignRoom(share) ? sign : ''}
    </button>
  );
}

/** The whole title of a frame, below its bar. */
function Card({ of: { span, row, place } }: { readonly of: Bar }): ComponentChild {
  const side =
    place === null
      ? { right: 'calc(0px - var(--side))' }
      : place.from > 0.5
        ? { right: `${(1 - place.from) * 100}%` }
        : { left: `${place.from * 100}%` };
  return (
    <span
      class="card"
      role="presentation"
      style={{ ...side, top: `${(row + 1) * rowHeight + 2}px` }}
    >
      <b>{span.title}</b> <span class="quiet">{statusWord(span.status)}</span>
    </span>
  );
}
