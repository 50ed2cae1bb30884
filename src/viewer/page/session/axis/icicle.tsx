import { useComputed } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { lookAt } from '../entries/look.ts';
import { useLane } from '../lane/use-lane.ts';
import { statusWord, type FrameSpan } from '../told/history.ts';
import { lanesOf } from '../told/lanes.ts';
import { Playhead } from './playhead.tsx';

/** Most rows that are drawn. */
const mostLevels = 8;

/** The frames on the axis of the budget; what is planned waits at the right. */
export function Icicle(): ComponentChild {
  const { count, cursor, history, places } = useLane();
  // In one text: bars are drawn again only where it changes.
  const openFrames = useComputed(() => {
    const now = cursor.value;
    const spans = count.value === 0 ? [] : [...history.frames.values()];
    return spans
      .filter(({ from, to }) => from !== null && from <= now && (to === null || to > now))
      .map(({ id }) => id)
      .join(' ');
  });
  if (count.value === 0 || history.frames.size <= 1) return null;
  const at = places.value;
  const isOpen = new Set(openFrames.value.split(' '));
  const spans = [...history.frames.values()];
  const rows = lanesOf(spans);
  const begun = spans.filter(({ id }) => (rows.get(id) ?? mostLevels) < mostLevels);
  const planned = spans.filter(({ status }) => status === 'planned');
  const levels = Math.max(0, ...begun.map(({ id }) => rows.get(id)!)) + 1;
  return (
    <>
      <div class="icicle" style={{ height: `${levels * 26}px` }}>
        {begun.map((span) => (
          <Bar
            key={span.id}
            span={span}
            row={rows.get(span.id)!}
            at={at}
            isOpen={isOpen.has(span.id)}
          />
        ))}
        <Playhead />
      </div>
      {planned.length > 0 && (
        <p class="planned">
          <span class="quiet">planned</span>
          {planned.slice(0, 12).map(({ id, title }) => (
            <span key={id}>{title}</span>
          ))}
          {planned.length > 12 && <span class="quiet">and {planned.length - 12} more</span>}
        </p>
      )}
    </>
  );
}

/** The frames of the session of the page, where it has any. */
export function IcicleSection(): ComponentChild {
  const { count, history } = useLane();
  if (count.value === 0 || history.frames.size <= 1) return null;
  return (
    <section class="frames" aria-label="Frames">
      <header>
        <h2>Frames</h2>
        <span class="quiet">the same axis; click for what was said in one</span>
      </header>
      <Icicle />
    </section>
  );
}

function Bar({
  span,
  row,
  at,
  isOpen,
}: {
  readonly span: FrameSpan;
  readonly row: number;
  readonly at: Float64Array;
  readonly isOpen: boolean;
}): ComponentChild {
  const { id, title, status, from, to } = span;
  const lane = useLane();
  const left = at[from!]!;
  const right = to === null ? at.at(-1)! : at[to]!;
  const bad = status === 'failed' || status === 'invalidated';
  const name = `${title}, ${statusWord(status)}`;
  return (
    <button
      type="button"
      class={`span${isOpen ? ' open' : ''}${bad ? ' bad' : ''}`}
      style={{
        left: `${left * 100}%`,
        width: `max(2px, ${(right - left) * 100}%)`,
        top: `${row * 26}px`,
      }}
      title={name}
      aria-label={name}
      onClick={() => lookAt(lane, id)}
    >
      {bad ? '✕ ' : ''}
      {title}
    </button>
  );
}
