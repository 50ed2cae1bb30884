import type { ComponentChild } from 'preact';
import { LongList } from '../list.tsx';
import { count, cursor, picked, shownActor, showsEnded, timeline } from './store.ts';
import { actorsAt } from './timeline.ts';
import type { Move } from '../move.ts';

/** A sign for how an actor is; frames have more than one end. */
function signOf({ status, value }: Move): string {
  if (status === 'active') return '●';
  if (status === 'error' || value === 'failed') return '✗';
  return status === 'stopped' || value === 'invalidated' ? '–' : '✓';
}

/** The session, its frames and what works for them, as a tree, at the playhead. */
export function Actors(): ComponentChild {
  const rows = count.value === 0 ? [] : actorsAt(timeline, cursor.value, showsEnded.value);
  const at = rows.findIndex(({ actor }) => actor === shownActor.value);
  return (
    <section class="actors" aria-label="Actors">
      <header>
        <h2>Actors</h2>
        <label>
          <input
            type="checkbox"
            checked={showsEnded}
            onChange={(event) => (showsEnded.value = event.currentTarget.checked)}
          />
          ended work
        </label>
      </header>
      <LongList
        length={rows.length}
        at={at}
        label="Actors"
        row={(index) => {
          const { actor, depth, move } = rows[index]!;
          const isShown = actor === shownActor.value;
          const isPicked = picked.value === actor.name;
          return (
            <button
              type="button"
              class={`row actor ${move.status} ${move.value}${isShown ? ' shown' : ''}`}
              role="option"
              aria-selected={isPicked}
              title={isPicked ? 'Let it go' : 'Stay with this actor'}
              style={{ paddingLeft: `${8 + Math.min(depth, 12) * 14}px` }}
              onClick={() => (picked.value = isPicked ? null : actor.name)}
            >
              <span class="sign">{signOf(move)}</span>
              <span class="name">{shortName(actor.name, actor.parent)}</span>
              <span class="value">{move.value}</span>
              {typeof move.context['title'] === 'string' && <span>{move.context['title']}</span>}
              {isPicked && <span class="pin">pinned</span>}
            </button>
          );
        }}
      />
    </section>
  );
}

/** The name without that of the parent or the session. */
function shortName(name: string, parent: string | null): string {
  if (parent !== null && name.startsWith(`${parent}/`)) return name.slice(parent.length + 1);
  const [session = ''] = (parent ?? name).split('/');
  return name === session ? name : name.slice(session.length + 1);
}
