import { computed } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { statusWord, type FrameSpan } from './told/history.ts';
import { lanesOf } from './told/lanes.ts';
import { count, cursor, history, lookAt, places } from './store.ts';

/** Most rows that are drawn. */
const mostLevels = 8;

/** Ids of the frames that are open at the playhead, in one text: bars are drawn again only where it changes. */
const openFrames = computed(() => {
  const now = cursor.value;
  const spans = count.value === 0 ? [] : [...history.frames.values()];
  return spans
    .filter(({ from, to }) => from !== null && from <= now && (to === null || to > now))
    .map(({ id }) => id)
    .join(' ');
});

const Playhead = (): ComponentChild => (
  <i class="playhead" style={{ left: `${places.value[cursor.value]! * 100}%` }} />
);

/** The frames on the axis of the budget; what is planned waits at the right. */
export function Icicle(): ComponentChild {
  if (count.value === 0 || history.frames.size <= 1) return null;
  const at = places.value;
  const isOpen = new Set(openFrames.value.split(' '));
  const spans = [...history.frames.values()];
  const lanes = lanesOf(spans);
  const begun = spans.filter(({ id }) => (lanes.get(id) ?? mostLevels) < mostLevels);
  const planned = spans.filter(({ status }) => status === 'planned');
  const levels = Math.max(0, ...begun.map(({ id }) => lanes.get(id)!)) + 1;
  return (
    <section class="frames" aria-label="Frames">
      <header>
        <h2>Frames</h2>
        <span class="quiet">the same axis; click for what was said in one</span>
      </header>
      <div class="icicle" style={{ height: `${levels * 26}px` }}>
        {begun.map((span) => (
          <Bar
            key={span.id}
            span={span}
            lane={lanes.get(span.id)!}
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
    </section>
  );
}

function Bar({
  span,
  lane,
  at,
  isOpen,
}: {
  readonly span: FrameSpan;
  readonly lane: number;
  readonly at: Float64Array;
  readonly isOpen: boolean;
}): ComponentChild {
  const { id, title, status, from, to } = span;
  const left = at[from!]!;
  const right = to === null ? 1 : at[to]!;
  const bad = status === 'failed' || status === 'invalidated';
  const name = `${title}, ${statusWord(status)}`;
  return (
    <button
      type="button"
      class={`span${isOpen ? ' open' : ''}${bad ? ' bad' : ''}`}
      style={{
        left: `${left * 100}%`,
        width: `max(2px, ${(right - left) * 100}%)`,
        top: `${lane * 26}px`,
      }}
      title={name}
      aria-label={name}
      onClick={() => lookAt(id)}
    >
      {bad ? '✕ ' : ''}
      {title}
    </button>
  );
}
