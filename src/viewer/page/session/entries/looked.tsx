import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import type { Lane } from '../lane/lane.ts';
import { isJoined } from '../lane/lanes.ts';
import { OfLane } from '../lane/use-lane.ts';
import { timeText } from '../told/time.ts';
import { looked, lookAt } from './look.ts';
import { LongText } from './text.tsx';

/** What somebody asked for: entries, word for word. */
export function Looked(): ComponentChild {
  const asked = looked.value;
  const closer = useRef<HTMLButtonElement>(null);
  useEffect(() => closer.current?.focus(), [asked?.title]);
  if (asked === null) return null;
  const { lane, title, entries, words } = asked;
  const whose = isJoined.value ? (lane.head.value?.title ?? '') : '';
  return (
    <OfLane.Provider value={lane}>
      <aside class="looked" aria-label={title}>
        <header>
          <h2 title={title}>{title}</h2>
          {entries !== null && <span class="quiet">{entries.length}</span>}
          {whose !== '' && <span class="quiet whose">{whose}</span>}
          <button
            ref={closer}
            type="button"
            title="Close (Esc)"
            onClick={() => (looked.value = null)}
          >
            close
          </button>
        </header>
        <div class="scroll">
          {entries === null && <p class="quiet">Reading it …</p>}
          {entries?.length === 0 && <p class="quiet">Nothing was said of it.</p>}
          {entries?.map(({ id, frame, role, at, text }) => (
            <article key={id} class="piece">
              <p class="piece-head">
                <b>{role}</b>
                <button type="button" class="ref" onClick={() => lookAt(lane, id)}>
                  {id}
                </button>
                <span class="quiet">
                  {frame} · {timeText(at)}
                </span>
                {id.startsWith('e') && (
                  <button type="button" class="more" onClick={() => goToEntry(lane, id)}>
                    go there
                  </button>
                )}
              </p>
              <LongText text={text} words={words} />
            </article>
          ))}
        </div>
      </aside>
    </OfLane.Provider>
  );
}

/** Goes to the step of an entry. */
function goToEntry({ history, goTo }: Lane, entry: string): void {
  const at = history.entries[Number(entry.slice(1))];
  if (at !== undefined) goTo(at);
}
