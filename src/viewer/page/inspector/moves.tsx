import type { ComponentChild } from 'preact';
import { LongList } from '../list.tsx';
import { count, cursor, filter, goTo, listed, timeline } from './store.ts';

/** Every move, oldest first; a click brings the playhead there. */
export function Moves(): ComponentChild {
  const among = listed.value;
  const length = among === null ? count.value : among.length;
  const at = among === null ? cursor.value : among.findLastIndex((one) => one <= cursor.value);
  return (
    <section class="moves" aria-label="Events">
      <header>
        <h2>Events</h2>
        <input
          type="search"
          placeholder="actor, event or state"
          aria-label="Narrow the events"
          value={filter}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
        <span class="count">{length.toLocaleString('en')}</span>
      </header>
      <LongList
        length={length}
        at={at}
        label="Events"
        row={(n) => {
          const index = among === null ? n : among[n]!;
          const { seq, actor, event, from, value } = timeline.moves[index]!;
          return (
            <button
              type="button"
              class={`row move${index === cursor.value ? ' now' : ''}${index > cursor.value ? ' later' : ''}`}
              role="option"
              aria-selected={index === cursor.value}
              onClick={() => goTo(index)}
            >
              <span class="seq">{seq}</span>
              <span class="who">{actor.slice(actor.indexOf('/') + 1)}</span>
              <span class="event">{event.type}</span>
              <span class="value">
                {from === value || from === null ? value : `${from} → ${value}`}
              </span>
            </button>
          );
        }}
      />
    </section>
  );
}
