import type { ComponentChild } from 'preact';
import { aligned, beside } from '../lane/lanes.ts';
import { useLane } from '../lane/use-lane.ts';
import { words } from '../told/bands.ts';
import { number, totalOf } from '../told/history.ts';
import { parts } from '../told/wire.ts';

/** What the colors and marks of a chart mean, and how much there is of each at the playhead. */
export function Legend(): ComponentChild {
  const { history, step, cursor } = useLane();
  const other = aligned.value === null ? null : beside.value;
  const last = history.counts.findLast(({ at }) => at <= cursor.value);
  return (
    <ul class="legend">
      {parts.map((name, index) => (
        <li key={name}>
          <i class={`swatch ${name}`} />
          {words[name]} <b>{number(step.value?.sizes[index] ?? 0)}</b>
        </li>
      ))}
      <li class="quiet">
        <i class="ring">1</i> compression
      </li>
      <li class="quiet">
        <i class="diamond" /> frame finished
      </li>
      {other?.step.value != null && (
        <li class="quiet">
          <i class="outline" /> in a window of {number(other.head.value?.window ?? 0)}{' '}
          <b>{number(totalOf(other.step.value))}</b>
        </li>
      )}
      {history.counts.length > 0 && (
        <li class="quiet">
          <i class="dot" /> counted by the server{' '}
          {last !== undefined && (
            <b>
              {number(last.counted)} of {number(last.sent)}
            </b>
          )}
        </li>
      )}
      {history.cuts.length > 0 && (
        <li class="quiet">
          <i class="bang">!</i> a server or host dropped part of the prompt, or it was recovered; ?
          perhaps
        </li>
      )}
    </ul>
  );
}
