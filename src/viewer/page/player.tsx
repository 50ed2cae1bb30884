import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import type { Connected, Playhead } from './playhead.ts';

/** Places a second while it plays. */
const speed = 10;

/** Marks of the slider that can be told from one another. */
const mostMarks = 150;

/** Places that page up and page down go. */
const leap = 50;

/** A button, and a key that does the same. */
export interface PlayerButton {
  readonly title: string;
  readonly key: string;
  readonly act: () => void;
}

/** A playhead: buttons, a slider with marks, and keys. */
export function Player(given: {
  readonly playhead: Playhead;
  /** Goes some places on or, below 0, back. */
  readonly step: (by: number) => void;
  /** The buttons at both ends. */
  readonly ends: readonly [PlayerButton, PlayerButton];
  /** Places with a mark, by what they mark. */
  readonly marks: Readonly<Record<string, Iterable<number>>>;
  /** Where it is, in words; the place alone unless told. */
  readonly moment?: string;
  /** Whatever else keys do. */
  readonly keys?: Readonly<Record<string, () => void>>;
  readonly children?: ComponentChild;
}): ComponentChild {
  const { playhead, step, ends, marks, keys, moment, children } = given;
  const { count, cursor, plays, connection, goTo } = playhead;
  const last = Math.max(0, count.value - 1);
  const toggle = (): void => void (plays.value = !plays.value);
  useEffect(() => {
    if (!plays.value) return undefined;
    const timer = setInterval(() => {
      if (cursor.value >= count.value - 1 && !isFollowing(connection.value)) plays.value = false;
      else step(1);
    }, 1_000 / speed);
    return () => clearInterval(timer);
  }, [plays.value]);
  useEffect(() => {
    const press = onKey({
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      PageUp: () => goTo(cursor.value - leap),
      PageDown: () => goTo(cursor.value + leap),
      Home: () => goTo(0),
      End: () => goTo(count.value - 1),
      ' ': toggle,
      ...Object.fromEntries(ends.map(({ key, act }) => [key, act])),
      ...keys,
    });
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <footer class="player">
      <End of={ends[0]}>⇤</End>
      <button type="button" title="Back (←)" aria-label="Back" onClick={() => step(-1)}>
        ←
      </button>
      <button type="button" class="play" title="Play (space)" onClick={toggle}>
        {plays.value ? 'pause' : 'play'}
      </button>
      <button type="button" title="On (→)" aria-label="On" onClick={() => step(1)}>
        →
      </button>
      <End of={ends[1]}>⇥</End>
      <div class="track">
        <Marks of={marks} last={last} />
        <input
          type="range"
          min="0"
          max={last}
          value={cursor}
          aria-label="Moment"
          aria-valuetext={moment}
          onInput={(event) => goTo(Number(event.currentTarget.value))}
        />
      </div>
      {children}
      {moment !== undefined && <Announced moment={moment} />}
    </footer>
  );
}

/** When a screen reader hears where the playhead is, in milliseconds: after it came to rest, and so often while it moves. */
const words = { rest: 700, between: 4_000 } as const;

/** Says where the playhead came to rest; while it plays, where it is now and then. */
function Announced({ moment }: { readonly moment: string }): ComponentChild {
  const [said, say] = useState('');
  const last = useRef(performance.now());
  useEffect(() => {
    const due = last.current + words.between - performance.now();
    const timer = setTimeout(
      () => {
        last.current = performance.now();
        say(moment);
      },
      Math.min(words.rest, Math.max(0, due)),
    );
    return () => clearTimeout(timer);
  }, [moment]);
  return (
    <p class="unseen" aria-live="polite">
      {said}
    </p>
  );
}

function End(given: {
  readonly of: PlayerButton;
  readonly children: ComponentChild;
}): ComponentChild {
  const { title, key, act } = given.of;
  return (
    <button type="button" title={`${title} (${key})`} aria-label={title} onClick={act}>
      {given.children}
    </button>
  );
}

/** At most one mark of a kind for each thousandth of the track; where that leaves no gaps, for each hundredth. */
function Marks(given: {
  readonly of: Readonly<Record<string, Iterable<number>>>;
  readonly last: number;
}): ComponentChild {
  const all = Math.max(1, given.last);
  const placesOf = (at: Iterable<number>, slots: number): readonly number[] => [
    ...new Set([...at].map((place) => Math.round((place / all) * slots) * (1_000 / slots))),
  ];
  return (
    <svg class="marks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {Object.entries(given.of).map(([kind, at]) => {
        const fine = placesOf(at, 1_000);
        const places = fine.length > mostMarks ? placesOf(at, 100) : fine;
        return <path key={kind} class={kind} d={places.map((x) => `M${x},0V10`).join('')} />;
      })}
    </svg>
  );
}

const isFollowing = (connection: Connected): boolean =>
  connection === 'live' || connection === 'follows';

/** How the connection is, in a word. */
export function Connection({
  playhead,
  last,
}: {
  readonly playhead: Pick<Playhead, 'connection' | 'cursor' | 'count'>;
  /** How many steps are read, where it is known. */
  readonly last?: number | undefined;
}): ComponentChild {
  const { connection, cursor, count } = playhead;
  const behind = count.value - 1 - cursor.value;
  const late =
    behind <= 0 ? null : `${behind.toLocaleString('en')} step${behind === 1 ? '' : 's'} behind`;
  const word = {
    loading: `reading, ${count.value.toLocaleString('en')}${last === undefined ? '' : ` of ${last.toLocaleString('en')}`} steps`,
    follows: late ?? 'at the end',
    live: late ?? 'live',
    stored: 'stored',
    lost: 'ended',
  }[connection.value];
  return <span class={`connection ${connection.value}`}>{word}</span>;
}

const takesKeys = 'input:not([type=range], [type=checkbox]), select, textarea';
const takesSpace = 'button, summary, [role=option], input[type=checkbox]';

/** Does what a key means where nobody types, and nothing is pressed by it. */
const onKey =
  (keys: Readonly<Record<string, () => void>>) =>
  (event: KeyboardEvent): void => {
    const { key, target } = event;
    const act = keys[key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOn = (what: string): boolean => target instanceof Element && target.matches(what);
    if ((key === ' ' && isOn(takesSpace)) || (key !== 'Escape' && isOn(takesKeys))) return;
    if (isOn(takesKeys)) (target as HTMLElement).blur();
    event.preventDefault();
    act();
  };
