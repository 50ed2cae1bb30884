import type { ComponentChild } from 'preact';
import { Connection } from '../player.tsx';
import { canChoose, chooses } from './beside/chooser.tsx';
import { astray, besideSession, focused, own, playhead } from './lane/lanes.ts';
import { LaneName } from './lane/within.tsx';
import { words } from './model/axis/bands.ts';
import { many, number } from './model/words/amounts.ts';
import { totalOf } from './model/history.ts';
import { parts } from './model/wire.ts';

/** Whose session the one in focus is, and how full the prompt is at the playhead. */
export function SessionHead(): ComponentChild {
  // The title is that of the numbers beside it.
  const { title = 'flamestack', place, model } = focused.value.head.value ?? own.head.value ?? {};
  const whose = [place, model].filter(Boolean).join(' · ');
  const other = besideSession.value;
  return (
    <>
      <header class="head">
        <h1 title={title}>{title}</h1>
        <span class="quiet place" title={whose}>
          {whose}
        </span>
        <Masked />
        <Connection playhead={playhead} last={own.head.value?.last} />
        {canChoose && (
          <button
            type="button"
            class="put-beside"
            title="Put another session beside it (b)"
            onClick={() => (chooses.value = true)}
          >
            {other === null ? 'beside …' : 'another …'}
          </button>
        )}
        <Gauge />
      </header>
      {playhead.trouble.value !== '' && <p role="alert">{playhead.trouble.value}</p>}
      {astray.value !== '' && <Astray />}
    </>
  );
}

/** Whether what looks like a key stands in this file, where it is one. */
function Masked(): ComponentChild {
  const { masked } = own.head.value ?? {};
  if (masked === undefined || masked === 0) return null;
  const [text, about] =
    masked === null
      ? ['secrets not masked', 'What looks like a key stands in this file as it was said.']
      : [
          `${many(masked, 'secret')} masked`,
          'Strings that look like keys, each counted once. What no pattern knows stands as it was said.',
        ];
  return (
    <span class="quiet masked" title={about}>
      {text}
    </span>
  );
}

/** Says that the address leads to no moment, until somebody goes on. */
const Astray = (): ComponentChild => (
  <p role="alert" class="astray">
    {astray.value} {playhead.cursor.value === playhead.count.value - 1 && 'This is the end.'}{' '}
    <button type="button" class="more" onClick={() => (astray.value = '')}>
      close
    </button>
  </p>
);

/** How full the prompt of the lane in focus is. */
function Gauge(): ComponentChild {
  const { step, history, cursor } = focused.value;
  if (step.value === null) return null;
  const { sizes, limit, due } = step.value;
  const total = totalOf(step.value);
  const whole = Math.max(limit, total);
  const { compressions } = history;
  const compressionCount = compressions.filter(({ at }) => at <= cursor.value).length;
  const remaining = due - total;
  return (
    <div class="gauge">
      <LaneName of={focused.value} />
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
        {remaining > 0 ? `compresses in ${many(remaining, 'token')}` : 'compression due'} ·{' '}
        {many(compressionCount, 'compression')}
      </span>
    </div>
  );
}
