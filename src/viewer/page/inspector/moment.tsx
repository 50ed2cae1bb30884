import type { ComponentChild } from 'preact';
import { StateChart } from '../chart.tsx';
import { timeText } from '../session/model/time.ts';
import { count, cursor, shownActor, timeline } from './store.ts';
import { lastMove } from './timeline.ts';

/** The actor that is shown, as it was at the playhead: its chart, the last event, what it knew. */
export function Moment(): ComponentChild {
  const actor = shownActor.value;
  const place = actor === null || count.value === 0 ? -1 : lastMove(actor, cursor.value);
  if (actor === null || place === -1)
    return (
      <section class="moment" aria-label="The actor at this moment">
        <p class="quiet">{count.value === 0 ? 'Nothing was told yet.' : 'Not begun yet.'}</p>
      </section>
    );
  const move = timeline.moves[actor.moves[place]!]!;
  const { type, ...fields } = move.event;
  return (
    <section class="moment" aria-label="The actor at this moment">
      <header>
        <h2>{actor.name}</h2>
        <span class={`badge ${move.status}`}>{move.value}</span>
        <span class="quiet">
          {move.machine}
          {move.version !== '' && ` · version ${move.version}`}
        </span>
      </header>
      <div class="picture">
        <StateChart move={move} />
      </div>
      <dl>
        <Row name="event" value={type} />
        {Object.entries(fields).map(([name, value]) => (
          <Row key={name} name={`· ${name}`} value={value} />
        ))}
        <Row name="step" value={`${move.seq}, ${timeText(move.at)}`} />
        {move.asked !== undefined && <Row name="asks" value={move.asked.join(', ')} />}
        {move.emitted !== undefined && <Row name="emits" value={move.emitted.join(', ')} />}
        {Object.entries(move.context).map(([name, value]) => (
          <Row key={name} name={name} value={value} />
        ))}
      </dl>
    </section>
  );
}

/** Most characters of a value that are shown. */
const most = 2_000;

function Row({ name, value }: { readonly name: string; readonly value: unknown }): ComponentChild {
  if (value === null || value === undefined) return null;
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  const text = whole.length > most ? `${whole.slice(0, most)} …` : whole;
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}
