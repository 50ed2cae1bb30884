import { useEffect } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { connection, count, cursor, follows, goTo, plays, step, timeline } from './store.ts';

/** Moves a second while it plays. */
const speed = 12;

/** The playhead: buttons, and a slider through time with a mark where a frame ended or a checkpoint was made. */
export function Player(): ComponentChild {
  const last = Math.max(0, count.value - 1);
  useEffect(() => {
    if (!plays.value) return undefined;
    const timer = setInterval(() => {
      if (cursor.value >= count.value - 1 && connection.value !== 'live') plays.value = false;
      else step(1);
    }, 1_000 / speed);
    return () => clearInterval(timer);
  }, [plays.value]);
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <footer class="player">
      <button type="button" title="To the beginning (Home)" onClick={() => goTo(0)}>
        ⇤
      </button>
      <button type="button" title="Back (←)" onClick={() => step(-1)}>
        ←
      </button>
      <button
        type="button"
        class="play"
        title="Play (space)"
        onClick={() => (plays.value = !plays.value)}
      >
        {plays.value ? 'pause' : 'play'}
      </button>
      <button type="button" title="On (→)" onClick={() => step(1)}>
        →
      </button>
      <button type="button" title="To the end (End)" onClick={() => goTo(last)}>
        ⇥
      </button>
      <div class="track">
        <Marks />
        <input
          type="range"
          min="0"
          max={last}
          value={cursor}
          aria-label="Moment"
          onInput={(event) => goTo(Number(event.currentTarget.value))}
        />
      </div>
      <output>
        {(count.value === 0 ? 0 : cursor.value + 1).toLocaleString('en')} /{' '}
        {count.value.toLocaleString('en')}
      </output>
      <span class={`connection ${connection.value}`}>
        {wordOf(connection.value, follows.value)}
      </span>
    </footer>
  );
}

const wordOf = (state: typeof connection.value, isAtEnd: boolean): string =>
  ({ loading: 'loading', live: isAtEnd ? 'live' : 'behind', ended: 'stored', lost: 'ended' })[
    state
  ];

/** At most one mark for each thousandth of the track. */
function Marks(): ComponentChild {
  const all = Math.max(1, count.value - 1);
  const places = new Set(timeline.marks.map((index) => Math.round((index / all) * 1_000)));
  return (
    <svg class="marks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      <path d={[...places].map((x) => `M${x},0V10`).join('')} />
    </svg>
  );
}

const keys: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  PageUp: () => goTo(cursor.value - 100),
  PageDown: () => goTo(cursor.value + 100),
  Home: () => goTo(0),
  End: () => goTo(count.value - 1),
  ' ': () => {
    plays.value = !plays.value;
  },
};

function onKey(event: KeyboardEvent): void {
  const act = keys[event.key];
  const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'search';
  if (act === undefined || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}
