import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import type { Connected, Playhead } from './playhead.ts';
import { Slider, type SliderAxis } from './slider.tsx';

/** Places a second while it plays. */
const speed = 10;

/** Places that page up and page down go. */
const leap = 50;

/** A button, and a key that does the same. */
export interface PlayerButton {
  readonly title: string;
  readonly key: string;
  readonly act: () => void;
}

/** A playhead: buttons, a slider with marks, and keys. */
export function Player(props: {
  readonly playhead: Playhead;
  /** Goes some places on or, below 0, back. */
  readonly step: (by: number) => void;
  /** The buttons at both ends. */
  readonly ends: readonly [PlayerButton, PlayerButton];
  /** Places with a mark, by what they mark. */
  readonly marks: Readonly<Record<string, Iterable<number>>>;
  /** Where it is, in words; the place alone unless told. */
  readonly moment?: string;
  /** An axis above it, with which the slider goes; its places stand evenly unless told. */
  readonly axis?: SliderAxis;
  /** Whatever else keys do. */
  readonly keys?: Readonly<Record<string, () => void>>;
  readonly children?: ComponentChild;
}): ComponentChild {
  const { playhead, step, ends, marks, keys, moment, axis, children } = props;
  const { count, cursor, plays, connection, goTo } = playhead;
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
      <Slider playhead={playhead} marks={marks} moment={moment} axis={axis} />
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

function End(props: {
  readonly of: PlayerButton;
  readonly children: ComponentChild;
}): ComponentChild {
  const { title, key, act } = props.of;
  return (
    <button type="button" title={`${title} (${key})`} aria-label={title} onClick={act}>
      {props.children}
    </button>
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
