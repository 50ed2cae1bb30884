import type { ComponentChild } from 'preact';
import { useLane } from '../lane/use-lane.ts';
import { thin } from '../told/bands.ts';
import { nameOf } from '../told/words/loss.ts';

/** Numbered compressions, ends of frames, and where somebody dropped part of a prompt. */
export function Marks(): ComponentChild {
  const { history, places, loss, goTo } = useLane();
  const at = places.value;
  const { compressions, losses } = history;
  const cuts = losses.filter((one) => 'cut' in one);
  const ends = losses.filter((one) => 'frame' in one);
  const room = Math.max(4, Math.floor((innerWidth - 60) / 24));
  const now = loss.value === null ? undefined : at[loss.value.at];
  const isClear = (one: { readonly at: number }): boolean =>
    now === undefined || !('compression' in loss.value!) || Math.abs(at[one.at]! - now) >= 1 / room;
  const named = new Set(thin(compressions.filter(isClear), at, Math.min(45, room)));
  return (
    <div class="marks-over">
      {compressions.map((one, n) => {
        const index = one.at;
        const isNow = index === loss.value?.at;
        const isNamed = isNow || named.has(one);
        return (
          <button
            key={index}
            type="button"
            class={`mark compression${isNow ? ' now' : ''}${isNamed ? '' : ' small'}`}
            style={{ left: `${at[index]! * 100}%` }}
            title={`compression ${n + 1}`}
            aria-label={`Compression ${n + 1}`}
            onClick={() => goTo(index)}
          >
            {isNamed ? n + 1 : ''}
          </button>
        );
      })}
      {thin(ends, at, 200).map((end) => (
        <button
          key={end.at}
          type="button"
          class={`mark end${end === loss.value ? ' now' : ''}`}
          style={{ left: `${at[end.at]! * 100}%` }}
          title={nameOf(history, end)}
          aria-label={nameOf(history, end)}
          onClick={() => goTo(end.at)}
        />
      ))}
      {thin(cuts, at, 90).map((cut) => (
        <button
          key={cut.at}
          type="button"
          class={`mark cut${cut === loss.value ? ' now' : ''}`}
          style={{ left: `${at[cut.at]! * 100}%` }}
          title={nameOf(history, cut)}
          aria-label={nameOf(history, cut)}
          onClick={() => goTo(cut.at)}
        >
          {history.cuts[cut.cut]!.news?.isCertain === false ? '?' : '!'}
        </button>
      ))}
    </div>
  );
}
