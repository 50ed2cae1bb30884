import { computed, signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { LongList } from '../../list.tsx';
import { look, lookAt } from '../entries/look.ts';
import { focused } from '../lane/lanes.ts';
import type { Lane } from '../lane/lane.ts';
import { useLane } from '../lane/use-lane.ts';
import { isKept } from '../lane/source.ts';
import { LaneName } from '../lane/within.tsx';
import type { Happening } from '../model/history.ts';

/** How far a search in a file reaches. */
const searchesOne = 'This file holds one session, and only that is searched.';

/** Whether what tools and models said is listed, too. */
const showsAll = signal(false);

const quiet: ReadonlySet<Happening['kind']> = new Set(['tool', 'assistant', 'machine']);

const listed = computed(() => {
  const { count, history } = focused.value;
  if (count.value === 0) return [];
  return showsAll.value
    ? [...history.happenings]
    : history.happenings.filter(({ kind }) => !quiet.has(kind));
});

/** The last thing that had happened at the playhead, by its place in the list. */
const current = computed(() => {
  const now = focused.value.cursor.value;
  return listed.value.findLastIndex(({ at }) => at <= now);
});

/** What happened, a line each, and a search of all that was said. */
export function Happenings(): ComponentChild {
  const lane = useLane();
  return (
    <section
      class="happenings"
      aria-label="Events"
      onKeyDown={({ key, target }) => {
        const { ref = null } = listed.value[current.value] ?? {};
        const isList = target instanceof Element && target.matches('[role=listbox]');
        if (key === 'Enter' && isList && ref !== null) lookAt(lane, ref);
      }}
    >
      <header>
        <LaneName />
        <h2>Events</h2>
        <label>
          <input
            type="checkbox"
            checked={showsAll}
            onChange={() => (showsAll.value = !showsAll.value)}
          />{' '}
          answers and tools
        </label>
      </header>
      <Search lane={lane} />
      <LongList
        length={listed.value.length}
        at={Math.max(0, current.value)}
        label="Events"
        row={(index) => (
          <Row happening={listed.value[index]!} isCurrent={index === current.value} />
        )}
      />
    </section>
  );
}

/** A search of all that was said. */
function Search({ lane }: { readonly lane: Lane }): ComponentChild {
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        const words = new FormData(event.currentTarget).get('words') as string;
        if (words.trim() !== '')
          void look(lane, {
            title: `“${words}”`,
            about: isKept ? searchesOne : '',
            route: 'search',
            params: { of: words },
            words: words.split(/\s+/).filter((word) => word !== ''),
          });
      }}
    >
      <input
        type="search"
        name="words"
        placeholder={isKept ? 'Search this session' : 'Search all sessions'}
        title={isKept ? searchesOne : 'Searches this session first, then all others of the store'}
        aria-label="Search"
      />
    </form>
  );
}

function Row(props: {
  readonly happening: Happening;
  readonly isCurrent: boolean;
}): ComponentChild {
  const { at, kind, label, text, ref } = props.happening;
  const lane = useLane();
  const { turn } = lane.history.steps[at] ?? { turn: '' };
  return (
    <div
      class={`happening ${kind}${props.isCurrent ? ' current' : ''}`}
      role="option"
      aria-selected={props.isCurrent}
      title={text}
      onClick={() => lane.goTo(at)}
      onDblClick={() => ref !== null && lookAt(lane, ref)}
    >
      <span class="turn">{turn}</span>
      <span class="kind">{label}</span>
      <span class="words">{text}</span>
    </div>
  );
}
