import type { ComponentChild } from 'preact';
import type { Lane } from '../lane/lane.ts';
import { useLane } from '../lane/use-lane.ts';
import { apart, thin } from '../told/bands.ts';
import type { Loss } from '../told/history.ts';
import { nameOf } from '../told/words/loss.ts';
import { plotWidth } from './room.ts';
import { useRoving } from './roving.ts';

/** Room that a mark takes, in pixels, and each digit of its number. */
const markRoom = { alone: 12, digit: 7 } as const;

/** Most marks of a kind; so many more compressions than numbers have no lines down to what they emptied. */
const most = { marks: 200, lines: 3 } as const;

/** A mark above or below a chart. */
interface Mark {
  readonly id: string;
  readonly loss: Loss;
  readonly kind: string;
  readonly name: string;
  readonly sign: string;
}

/** Numbered compressions, ends of frames, and where somebody dropped part of a prompt: one stop of the tab key. */
export function Marks(): ComponentChild {
  const lane = useLane();
  const { places, loss, goTo } = lane;
  const all = marksOf(lane);
  const { of, ...group } = useRoving(
    all.map(({ id }) => id),
    all.find(({ loss: { at } }) => at === loss.value?.at)?.id,
  );
  return (
    <div
      class={`marks-over${isDense(lane) ? ' dense' : ''}`}
      role="group"
      aria-label="What went, in order"
      {...group}
    >
      {all.map(({ id, loss: one, kind, name, sign }) => (
        <button
          key={id}
          type="button"
          class={`mark ${kind}${one.at === loss.value?.at ? ' now' : ''}`}
          style={{ left: `${places.value[one.at]! * 100}%` }}
          title={name}
          aria-label={name}
          aria-current={one.at === loss.value?.at}
          onClick={() => goTo(one.at)}
          {...of(id)}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}

/** How many numbers of compressions there is room for. */
function roomOf({ history: { compressions } }: Lane): number {
  const digits = Math.max(2, String(compressions.length).length);
  const wide = markRoom.alone + digits * markRoom.digit;
  return Math.min(45, Math.max(4, Math.floor(plotWidth.value / wide)));
}

const isDense = (lane: Lane): boolean =>
  lane.history.compressions.length > most.lines * roomOf(lane);

/** The marks that there is room for, in order. */
function marksOf(lane: Lane): readonly Mark[] {
  const { history, places } = lane;
  const ends = history.losses.filter((one) => 'frame' in one);
  return [
    ...compressionsOf(lane),
    ...thin(ends, places.value, most.marks).map((one) => ({
      id: `end ${one.at}`,
      loss: one,
      kind: 'end',
      name: nameOf(history, one),
      sign: '',
    })),
    ...cutsOf(lane),
  ].sort((one, other) => one.loss.at - other.loss.at);
}

/** Compressions; one that has room for no number is a dot. */
function compressionsOf(lane: Lane): readonly Mark[] {
  const { history, places, loss } = lane;
  const all = history.compressions.map(({ at }, compression) => ({ at, compression }));
  const now = all.filter(({ at }) => at === loss.value?.at);
  const named = new Set(apart([...now, ...all], places.value, roomOf(lane)));
  const dots = new Set(thin(all, places.value, most.marks));
  return all
    .filter((one) => named.has(one) || dots.has(one))
    .map((one) => ({
      id: `compression ${one.compression}`,
      loss: one,
      kind: named.has(one) ? 'compression' : 'compression small',
      name: nameOf(history, one),
      sign: named.has(one) ? String(one.compression + 1) : '',
    }));
}

/** Cuts: of those in one place the one that is looked at, or else one that is certain. */
function cutsOf({ history, places, loss }: Lane): readonly Mark[] {
  const signOf = ({ cut }: { readonly cut: number }): string =>
    history.cuts[cut]!.news?.isCertain === false ? '?' : '!';
  const all = history.losses.filter((one) => 'cut' in one);
  const now = all.filter(({ at }) => at === loss.value?.at);
  const certain = all.filter((one) => signOf(one) === '!');
  const room = plotWidth.value / (markRoom.alone + markRoom.digit);
  return apart([...now, ...certain, ...all], places.value, room).map((one) => ({
    id: `cut ${one.cut}`,
    loss: one,
    kind: 'cut',
    name: nameOf(history, one),
    sign: signOf(one),
  }));
}
