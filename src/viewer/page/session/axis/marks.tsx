import type { ComponentChild } from 'preact';
import type { Lane } from '../lane/lane.ts';
import { useLane } from '../lane/use-lane.ts';
import { apart, merged, thin } from '../model/axis/bands.ts';
import type { Loss } from '../model/history.ts';
import { compressionsName, markName } from '../model/words/loss.ts';
import { plotWidth } from './room.ts';
import { useRoving } from './roving.ts';

/** Room that a mark takes, in pixels, and each digit of its number. */
const markRoom = { alone: 12, digit: 7 } as const;

/** Most marks of a kind, and most lines down to what compressions emptied. */
const most = { marks: 200, lines: 150 } as const;

/** A mark above or below a chart. */
interface Mark {
  readonly id: string;
  /** What it stands for, in order: compressions that are too near for marks of their own have one. */
  readonly losses: readonly Loss[];
  /** Where it stands, from 0 to 1. */
  readonly place: number;
  readonly kind: string;
  readonly name: string;
  readonly sign: string;
}

/** Numbered compressions, ends of frames, and where somebody dropped part of a prompt: one stop of the tab key. */
export function Marks(): ComponentChild {
  const lane = useLane();
  const { loss, goTo } = lane;
  const all = marksOf(lane);
  const isNow = ({ losses }: Mark): boolean => losses.some(({ at }) => at === loss.value?.at);
  const { of, ...group } = useRoving(
    all.map(({ id }) => id),
    all.find(isNow)?.id,
  );
  return (
    <div class="marks-over" role="group" aria-label="What went, in order" {...group}>
      <Falls />
      {all.map((mark) => (
        <button
          key={mark.id}
          type="button"
          class={`mark ${mark.kind}${isNow(mark) ? ' now' : ''}`}
          style={{ left: `${mark.place * 100}%` }}
          title={mark.name}
          aria-label={mark.name}
          aria-current={isNow(mark)}
          onClick={() => goTo(nextOf(mark, loss.value))}
          {...of(mark.id)}
        >
          {mark.sign}
        </button>
      ))}
    </div>
  );
}

/** Where a click on a mark leads: to what it stands for, of several from one to the next. */
function nextOf({ losses }: Mark, now: Loss | null): number {
  const at = losses.findIndex((one) => one.at === now?.at);
  return losses[(at + 1) % losses.length]!.at;
}

/** Lines from the marks of compressions down to what they emptied, unless they would hide it. */
function Falls(): ComponentChild {
  const { history, places } = useLane();
  const { compressions } = history;
  if (compressions.length > most.lines) return null;
  const lines = compressions.map(({ at }) => `M${places.value[at]!},0V1`);
  return (
    <svg class="falls" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <path d={lines.join('')} />
    </svg>
  );
}

/** The marks, in order. */
function marksOf(lane: Lane): readonly Mark[] {
  const { history, places } = lane;
  const ends = history.losses.filter((one) => 'frame' in one);
  return [
    ...compressionsOf(lane),
    ...thin(ends, places.value, most.marks).map((one) => ({
      id: `end ${one.at}`,
      losses: [one],
      place: places.value[one.at]!,
      kind: 'end',
      name: markName(history, one),
      sign: '',
    })),
    ...cutsOf(lane),
  ].sort((one, other) => one.losses[0]!.at - other.losses[0]!.at);
}

/** Compressions by their numbers; those whose marks would overlap have one. */
function compressionsOf({ history, places }: Lane): readonly Mark[] {
  const all = history.compressions.map(({ at }, compression) => ({ at, compression }));
  const roomOf = (sign: string): number =>
    (markRoom.alone + sign.length * markRoom.digit) / plotWidth.value;
  return merged(
    all.map(({ at, compression }) => ({
      first: compression,
      last: compression,
      place: places.value[at]!,
    })),
    (group) => roomOf(signOf(group)),
  ).map(({ first, last, place }) => ({
    id: `compression ${first}`,
    losses: all.slice(first, last + 1),
    place,
    kind: 'compression',
    name: compressionsName(history, first, last),
    sign: signOf({ first, last }),
  }));
}

const signOf = ({ first, last }: { readonly first: number; readonly last: number }): string =>
  first === last ? String(first + 1) : `${first + 1}–${last + 1}`;

/** Cuts: of those in one place the one that is looked at, or else one that is certain. */
function cutsOf({ history, places, loss }: Lane): readonly Mark[] {
  const certainty = ({ cut }: { readonly cut: number }): string =>
    history.cuts[cut]!.news?.isCertain === false ? '?' : '!';
  const all = history.losses.filter((one) => 'cut' in one);
  const now = all.filter(({ at }) => at === loss.value?.at);
  const certain = all.filter((one) => certainty(one) === '!');
  const room = plotWidth.value / (markRoom.alone + markRoom.digit);
  return apart([...now, ...certain, ...all], places.value, room).map((one) => ({
    id: `cut ${one.cut}`,
    losses: [one],
    place: places.value[one.at]!,
    kind: 'cut',
    name: markName(history, one),
    sign: certainty(one),
  }));
}
