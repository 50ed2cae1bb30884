import { batch, computed, effect, signal } from '@preact/signals';
import { newPlayhead, type Connected } from '../../playhead.ts';
import { withSeenTurns } from '../../turns.ts';
import { alignedSteps } from '../model/axis/aligned.ts';
import { distancesOn, firstTurn, placesOn, scaled, type Axis } from '../model/axis/places.ts';
import {
  joinedTrack,
  lowerBound,
  placeOfBoth,
  placeOn,
  type Side,
  type Track,
} from '../model/axis/track.ts';
import { timeLineOf } from '../model/axis/time-line.ts';
import type { StreamItem } from '../model/wire.ts';
import { newLane, type Lane } from './lane.ts';
import { addressedSession, readSteps } from './source.ts';

// The session of the page, and what stands beside it: nothing, the same session in another window, which
// is wherever that is, or another session, with which it shares the axis and the playhead.

/** Stands at a step; with another session beside it, at one of each. */
export const playhead = newPlayhead();

export const axis = signal<Axis>('turns');

/** What stands beside the session; null for nothing. */
export const beside = signal<Lane | null>(null);

/** Which of both the keys, the events and the panels are about. */
export const focus = signal<Side>('own');

/** The steps of both sessions; null without another one. */
const track = signal<Track | null>(null);

/** What another session of the store is called where something of it is asked. */
function nameOfSession(id: string): string {
  return `session:${id}`;
}

/** Whether two sessions are there, each with its steps. */
export const isJoined = computed(() => track.value !== null);

/** The session of the page. */
export const own: Lane = newLane({
  name: addressedSession === '' ? '' : nameOfSession(addressedSession),
  playhead,
  connection: playhead.connection,
  cursor: () => track.value?.own[playhead.cursor.value] ?? playhead.cursor.value,
  places: () => placesBy('own'),
  placeOf: (at) => placeOnTrack('own', at),
});

/** The one that the keys, the events and the panels are about. */
export const focused = computed<Lane>(() =>
  focus.value === 'beside' && beside.value !== null ? beside.value : own,
);

/** What is wrong with the place that the address asks for; '' for nothing. */
export const astray = signal('');

/** What was taken in, of the page's own session. */
export function takeOwn(items: readonly StreamItem[]): void {
  batch(() => {
    own.take(items);
    settle();
  });
}

effect(() => {
  const { title } = own.head.value ?? {};
  if (title !== undefined) document.title = withSeenTurns(`${title} · Flamestack`);
});

/** The other session beside the page's own, whether it is read yet or not; null for none. */
export const besideSession = computed(() =>
  beside.value === null || beside.value.name === windowName ? null : beside.value,
);

/** Where each place of the playhead stands on the axis, from 0 to 1: at the farther one of two sessions; evenly on an axis on which all is at one place. */
export const playheadPlaces = computed((): Float64Array => {
  const [joined, mine] = [track.value, own.places.value];
  const theirs = joined === null ? mine : beside.value!.places.value;
  const all =
    joined === null
      ? mine
      : Float64Array.from(joined.own, (at, n) => Math.max(mine[at]!, theirs[joined.beside[n]!]!));
  if ((all.at(-1) ?? 0) > 0) return all;
  return all.map((_, n) => n / Math.max(1, all.length - 1));
});

/** Where the playhead stands on the axis, from 0 to 1. */
export const placeAtPlayhead = computed(() => playheadPlaces.value[playhead.cursor.value] ?? 0);

/** How far the axis of two sessions reaches, in turns, milliseconds or tokens; 0 without two. */
export const reach = computed(() => {
  const both = distances.value;
  return both === null ? 0 : Math.max(both.own.at(-1)!, both.beside.at(-1)!);
});

/** The turn in which the axis begins: with two sessions that in which the earlier of both does. */
export const firstTold = computed(() => {
  const lanes = [own, besideSession.value ?? own];
  return Math.min(...lanes.map(({ count, history }) => (count.value, firstTurn(history.steps))));
});

/** How far the steps of both sessions stand from their beginnings. */
const distances = computed(() => {
  const other = beside.value;
  if (other === null) return null;
  const [mine, theirs] = [own.count.value, other.count.value];
  if (mine === 0 || theirs === 0 || other !== besideSession.value) return null;
  const on = (lane: Lane): Float64Array =>
    distancesOn(axis.value, lane.history.steps, firstTold.value);
  return { own: on(own), beside: on(other) };
});

/** The axis of time of the session alone, on which long pauses are breaks; null on another one, and for two sessions, which are told by how long after their beginnings. */
export const timeLine = computed(() =>
  axis.value !== 'time' || distances.value !== null || own.count.value === 0
    ? null
    : timeLineOf(own.history.steps),
);

function placesBy(side: Side): Float64Array {
  const both = distances.value;
  if (both !== null) return scaled(both[side], reach.value);
  if (side === 'own' && timeLine.value !== null) return timeLine.value.places;
  return placesOn(axis.value, (side === 'own' ? own : beside.value!).history.steps);
}

/** The place of the playhead at a step of a session. */
function placeOnTrack(side: Side, at: number): number {
  const [joined, both] = [track.value, distances.value];
  if (joined === null || both === null) return at;
  const step = Math.min(Math.max(0, Math.round(at)), both[side].length - 1);
  return placeOn(joined, both, { side, at: step });
}

/** Joins the steps of both sessions anew, and leaves the playhead where it is. */
function settle(): void {
  const at = { own: own.cursor.peek(), beside: beside.peek()?.cursor.peek() ?? 0 };
  const both = distances.value;
  const joined = both === null ? null : joinedTrack(both.own, both.beside);
  track.value = joined;
  playhead.count.value = joined?.own.length ?? own.count.value;
  if (playhead.follows.value) playhead.grow(playhead.count.value);
  else playhead.cursor.value = joined === null ? at.own : placeOfBoth(joined, both!, at);
}

/** Puts another axis below the sessions; the one in focus stays where it is, unless that is its end. */
export function measureBy(name: Axis): void {
  batch(() => {
    const other = focus.value === 'own' ? 'beside' : 'own';
    const isEnd = focused.value.cursor.value === focused.value.count.value - 1;
    const side = isEnd ? other : focus.value;
    const at = (side === 'own' ? own : beside.value)?.cursor.value ?? 0;
    axis.value = name;
    settle();
    if (track.value !== null && !playhead.follows.value) playhead.goTo(placeOnTrack(side, at));
  });
}

/** Reads the steps of what was put there last; of another one they come too late. */
let reading = new AbortController();

/** Puts a session beside the page's own; none for the empty id. Resolves when all that is stored was told. */
export async function putBeside(id: string): Promise<void> {
  const connection = signal<Connected>('loading');
  clearBeside();
  if (id === '') return showWindow();
  const lane = newLane({
    name: nameOfSession(id),
    playhead,
    connection,
    cursor: () => track.value?.beside[playhead.cursor.value] ?? 0,
    places: () => placesBy('beside'),
    placeOf: (at) => placeOnTrack('beside', at),
  });
  beside.value = lane;
  await readInto(lane);
}

/** What the other window of a session is called where something of it is asked. */
export const windowName = 'window';

/** For each step of the session that of the other window. */
export const aligned = computed(() => {
  const other = beside.value;
  if (other?.name !== windowName || other.connection.value === 'loading') return null;
  return own.count.value === 0 ? null : alignedSteps(own.history, other.history);
});

/** Puts the same session in another window beside it, where there is one. */
export async function showWindow(): Promise<void> {
  if (own.head.value?.other === undefined) return;
  clearBeside();
  const lane = newLane({
    name: windowName,
    playhead,
    connection: signal<Connected>('loading'),
    cursor: () => aligned.value?.[own.cursor.value] ?? 0,
    places: () => placesBy('beside'),
    placeOf: (at) => lowerBound(aligned.value ?? new Int32Array(), at),
  });
  beside.value = lane;
  await readInto(lane);
}

function clearBeside(): void {
  reading.abort();
  reading = new AbortController();
  batch(() => {
    beside.value?.close();
    // What the playhead is at stays, as far as the session of the page is there.
    const at = own.cursor.value;
    beside.value = null;
    focus.value = 'own';
    track.value = null;
    playhead.count.value = own.count.value;
    playhead.goTo(playhead.follows.value ? own.count.value - 1 : at);
  });
}

async function readInto(lane: Lane): Promise<void> {
  try {
    for await (const items of readSteps(lane.name, reading.signal))
      batch(() => {
        lane.take(items);
        if (beside.value === lane) settle();
      });
    lane.connection.value = 'stored';
  } catch {
    lane.connection.value = 'lost';
  }
}
