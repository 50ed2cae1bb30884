import { useEffect } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { connection, count, cursor, goTo, history, looked, plays, step } from './store.ts';

/** Steps a second while it plays. */
const speed = 10;

/** The playhead: buttons, a slider, and keys. */
export function Player(): ComponentChild {
  const last = Math.max(0, count.value - 1);
  useEffect(() => {
    if (!plays.value) return undefined;
    const timer = setInterval(() => {
      if (cursor.value >= count.value - 1 && connection.value !== 'live') plays.value = false;
      else goTo(cursor.value + 1);
    }, 1_000 / speed);
    return () => clearInterval(timer);
  }, [plays.value]);
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <footer class="player">
      <button type="button" title="The compression before ([)" onClick={() => toCompression(-1)}>
        ⇤
      </button>
      <button type="button" title="Back (←)" onClick={() => goTo(cursor.value - 1)}>
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
      <button type="button" title="On (→)" onClick={() => goTo(cursor.value + 1)}>
        →
      </button>
      <button type="button" title="The next compression (])" onClick={() => toCompression(1)}>
        ⇥
      </button>
      <input
        type="range"
        min="0"
        max={last}
        value={cursor}
        aria-label="Moment"
        onInput={(event) => goTo(Number(event.currentTarget.value))}
      />
      <label class="turn-field">
        turn{' '}
        <input
          type="number"
          min="0"
          value={step.value?.turn ?? 0}
          onChange={(event) => goToTurn(Number(event.currentTarget.value))}
        />
      </label>
      <output>
        {step.value === null
          ? ''
          : `${new Date(step.value.at).toLocaleString()} · step ${cursor.value + 1} of ${count.value}`}
      </output>
    </footer>
  );
}

/** Goes to the beginning of a turn, or the last one before it that there is. */
function goToTurn(turn: number): void {
  const at = history.steps.findIndex((one) => one.turn >= turn);
  goTo(at === -1 ? count.value - 1 : at);
}

/** Goes to the compression before or behind the playhead; with none there, to the end of the session. */
function toCompression(by: 1 | -1): void {
  const { compressions } = history;
  const next =
    by > 0
      ? compressions.find(({ at }) => at > cursor.value)
      : compressions.findLast(({ at }) => at < cursor.value);
  goTo(next?.at ?? (by > 0 ? count.value - 1 : 0));
}

const keys: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => goTo(cursor.value - 1),
  ArrowRight: () => goTo(cursor.value + 1),
  PageUp: () => goTo(cursor.value - 50),
  PageDown: () => goTo(cursor.value + 50),
  Home: () => goTo(0),
  End: () => goTo(count.value - 1),
  '[': () => toCompression(-1),
  ']': () => toCompression(1),
  Escape: () => (looked.value = null),
  ' ': () => (plays.value = !plays.value),
};

function onKey(event: KeyboardEvent): void {
  const act = keys[event.key];
  const isTyping = event.target instanceof HTMLInputElement && event.target.type !== 'range';
  const isPressing = event.key === ' ' && event.target instanceof HTMLButtonElement;
  if (
    act === undefined ||
    (isTyping && event.key !== 'Escape') ||
    isPressing ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  )
    return;
  event.preventDefault();
  act();
}
