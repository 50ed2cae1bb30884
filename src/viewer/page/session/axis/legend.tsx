import type { ComponentChild } from 'preact';
import { aligned, beside } from '../lane/lanes.ts';
import { useLane } from '../lane/use-lane.ts';
import { isApart, mostDrawn, words } from '../model/axis/bands.ts';
import { number } from '../model/words/amounts.ts';
import { totalOf } from '../model/history.ts';
import { limitName, limitTitle } from '../model/words/limit.ts';
import { parts } from '../model/wire.ts';
import { plotWidth } from './room.ts';

/** What the colors, lines and marks of a chart mean, and how much there is of each at the playhead. */
export function Legend(): ComponentChild {
  const { history, head, step, cursor } = useLane();
  const other = aligned.value === null ? null : beside.value;
  const { sizes = [], limit = 0, due = 0 } = step.value ?? {};
  const hasCuts = history.cuts.length > 0;
  const hasEnds = history.losses.some((one) => 'frame' in one);
  return (
    <ul class="legend">
      <Sign
        of="line limit"
        name={limitName(history.steps, cursor.value)}
        value={limit}
        title={limitTitle(head.value?.window ?? limit, limit)}
      />
      <Sign of="line due" name="Compresses at" value={due} />
      {parts.toReversed().map((name) => (
        <Sign
          key={name}
          of={`swatch ${name}`}
          name={words[name]}
          value={sizes[parts.indexOf(name)] ?? 0}
        />
      ))}
      {other?.step.value != null && (
        <Sign
          of="line outline"
          name={`In a window of ${number(other.head.value?.window ?? 0)}`}
          value={totalOf(other.step.value)}
        />
      )}
      <Counted />
      <Thinned />
      {history.compressions.length > 0 && <Sign of="ring" sign="1" name="compression" />}
      {hasEnds && <Sign of="diamond" name="frame finished" />}
      {hasCuts && (
        <Sign of="bang" sign="!" name="cut, refused or recovered; ? where it is only suspected" />
      )}
    </ul>
  );
}

/** A sign of the chart, and what it stands for. */
function Sign(props: {
  readonly of: string;
  readonly name: string;
  readonly sign?: string;
  readonly value?: number;
  readonly title?: string;
}): ComponentChild {
  const { of, name, sign = '', value, title } = props;
  return (
    <li class={value === undefined ? 'quiet' : value === 0 ? 'empty' : ''} title={title}>
      <i class={of}>{sign}</i> <span>{name}</span> {value !== undefined && <b>{number(value)}</b>}
    </li>
  );
}

/** What of a long session is drawn. */
function Thinned(): ComponentChild {
  const { count } = useLane();
  const most = mostDrawn * Math.round(plotWidth.value);
  if (count.value <= most) return null;
  return (
    <li class="quiet">
      <span>
        thinned: of {number(count.value)} steps the first, last, highest and lowest of each column
      </span>
    </li>
  );
}

/** What a server counted last of a prompt: its dot stands at as many of our tokens. */
function Counted(): ComponentChild {
  const { history, cursor } = useLane();
  const last = history.counts.findLast(({ at }) => at <= cursor.value);
  if (history.counts.length === 0) return null;
  return (
    <li class="counted-by">
      <i class="dot" /> <span>Counted by the server</span>{' '}
      {last !== undefined && (
        <b title="In the server's own tokens, and in ours; and what was sent, where that is another size">
          {number(last.counted)}
          {last.ours !== last.counted && ` (${number(last.ours)} of ours)`}
          {isApart(last) && <span class="sent"> of {number(last.sent)} sent</span>}
        </b>
      )}
    </li>
  );
}
