import type { ComponentChild } from 'preact';
import type { Lane } from '../lane/lane.ts';
import { useLane } from '../lane/use-lane.ts';
import { thin } from '../told/bands.ts';
import type { Loss } from '../told/history.ts';
import { nameOf } from '../told/words/loss.ts';
import { plotWidth } from './room.ts';
import { useRoving } from './roving.ts';

/** Room that a numbered mark takes, in pixels. */
const markRoom = 24;

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
    <div class="marks-over" role="group" aria-label="What went, in order" {...group}>
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

/** The marks that there is room for, in order; a compression that has room for no number is a dot. */
function marksOf({ history, places, loss }: Lane): readonly Mark[] {
  const at = places.value;
  const { compressions, losses, cuts } = history;
  const room = Math.max(4, Math.floor(plotWidth.value / markRoom));
  const now = loss.value === null ? undefined : at[loss.value.at];
  const isClear = (one: { readonly at: number }): boolean =>
    now === undefined || !('compression' in loss.value!) || Math.abs(at[one.at]! - now) >= 1 / room;
  const named = new Set(thin(compressions.filter(isClear), at, Math.min(45, room)));
  const shown = <T extends Loss>(ones: readonly T[], most: number): readonly T[] =>
    thin(ones, at, most);
  const numbered = compressions.map((one, n): Mark => {
    const isNamed = one.at === loss.value?.at || named.has(one);
    return {
      id: `compression ${n}`,
      loss: { at: one.at, compression: n },
      kind: isNamed ? 'compression' : 'compression small',
      name: `Compression ${n + 1}`,
      sign: isNamed ? String(n + 1) : '',
    };
  });
  const ends = losses.filter((one) => 'frame' in one);
  const dropped = losses.filter((one) => 'cut' in one);
  return [
    ...numbered,
    ...shown(ends, 200).map((one) => ({
      id: `end ${one.at}`,
      loss: one,
      kind: 'end',
      name: nameOf(history, one),
      sign: '',
    })),
    ...shown(dropped, Math.min(90, room)).map((one) => ({
      id: `cut ${one.cut}`,
      loss: one,
      kind: 'cut',
      name: nameOf(history, one),
      sign: cuts[one.cut]!.news?.isCertain === false ? '?' : '!',
    })),
  ].sort((one, other) => one.loss.at - other.loss.at);
}
