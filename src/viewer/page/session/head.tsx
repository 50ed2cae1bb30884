import type { ComponentChild } from 'preact';
import { Connection } from '../player.tsx';
import { number, totalOf } from './told/history.ts';
import { words } from './told/bands.ts';
import { astray, count, cursor, head, history, playhead, step } from './store.ts';
import { parts } from './told/wire.ts';

/** Whose session it is, and how full the prompt is at the playhead. */
export function SessionHead(): ComponentChild {
  const { title = 'flamestack', place = '' } = head.value ?? {};
  return (
    <header class="head">
      <h1 title={title}>{title}</h1>
      <span class="quiet place">{place}</span>
      <Connection playhead={playhead} />
      {playhead.trouble.value !== '' && <p role="alert">{playhead.trouble}</p>}
      {astray.value !== '' && <Astray />}
      <Gauge />
    </header>
  );
}

/** Says that the address leads to no moment, until somebody goes on. */
const Astray = (): ComponentChild => (
  <p role="alert" class="astray">
    {astray} {cursor.value === count.value - 1 && 'This is the end.'}{' '}
    <button type="button" class="more" onClick={() => (astray.value = '')}>
      close
    </button>
  </p>
);

function Gauge(): ComponentChild {
  if (step.value === null) return null;
  const { sizes, limit, due } = step.value;
  const total = totalOf(step.value);
  const whole = Math.max(limit, total);
  const { compressions } = history;
  const made = compressions.filter(({ at }) => at <= cursor.value).length;
  const left = due - total;
  return (
    <div class="gauge">
      <div class="gauge-bar" aria-hidden="true">
        {parts.map((name, index) => (
          <i
            key={name}
            class={`swatch ${name}`}
            title={words[name]}
            style={{ width: `${(sizes[index]! / whole) * 100}%` }}
          />
        ))}
        <i class="gauge-due" style={{ left: `${Math.min(100, (due / whole) * 100)}%` }} />
      </div>
      <output>
        <b>{number(total)}</b> / {number(limit)} tokens
      </output>
      <span class="quiet">
        {left > 0 ? `compresses in ${number(left)}` : 'compression due'} · {made}{' '}
        {made === 1 ? 'compression' : 'compressions'}
      </span>
    </div>
  );
}
