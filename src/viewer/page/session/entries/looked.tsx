import type { ComponentChild } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { linkTo } from '../../lines.ts';
import type { Lane } from '../lane/lane.ts';
import { isJoined, putBeside } from '../lane/lanes.ts';
import { OfLane, useLane } from '../lane/use-lane.ts';
import { many, number } from '../model/words/amounts.ts';
import { saidText } from '../model/time.ts';
import { mostTold, type FoundEntry } from '../model/wire.ts';
import { Drawer } from './drawer.tsx';
import { looked, lookAt } from './look.ts';
import { LongText, shownAlone } from './text.tsx';
import { Asking } from './waiting.tsx';

/** What somebody asked for: entries, word for word. */
export function Looked(): ComponentChild {
  const request = looked.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }, [request?.entries]);
  if (request === null) return null;
  const { lane, title, about, entries, unread, words } = request;
  const whose = isJoined.value ? (lane.head.value?.title ?? '') : '';
  const count = entries === null ? '' : countText(entries, words.length > 0);
  return (
    <OfLane.Provider value={lane}>
      <Drawer
        title={title}
        about={about}
        beside={<span class="quiet whose">{[count, whose].filter(Boolean).join(' · ')}</span>}
        close={() => (looked.value = null)}
      >
        <div class="scroll" ref={box}>
          {entries === null && <Asking unread={unread} />}
          {entries?.length === 0 && <p class="quiet">Nothing found.</p>}
          {entries?.map((entry, index) => (
            <Found
              key={`${entry.session?.id ?? ''} ${entry.id}`}
              entry={entry}
              words={words}
              isAlone={entries.length === 1}
              isFirst={entry.session?.id !== entries[index - 1]?.session?.id}
            />
          ))}
        </div>
      </Drawer>
    </OfLane.Provider>
  );
}

/** How many there are, and where; or that there may be more. */
function countText(entries: readonly FoundEntry[], isSearch: boolean): string {
  const count = many(entries.length, 'entry', 'entries');
  const isFull = entries.length >= mostTold[isSearch ? 'hits' : 'entries'];
  const others = new Set(entries.flatMap(({ session }) => session?.id ?? []));
  const here = entries.filter(({ session }) => session === undefined).length;
  const where =
    here === 0
      ? `all in ${many(others.size, 'other session')}`
      : `${number(here)} in this session, the others in ${others.size} more`;
  return [
    isFull ? `the ${isSearch ? 'best' : 'first'} ${count}` : count,
    ...(others.size > 0 ? [where] : []),
  ].join(', ');
}

function Found(props: {
  readonly entry: FoundEntry;
  readonly words: readonly string[];
  readonly isAlone: boolean;
  /** Whether it is the first of its session. */
  readonly isFirst: boolean;
}): ComponentChild {
  const { entry, words, isAlone, isFirst } = props;
  const { id, frame, role, at, text, session } = entry;
  const lane = useLane();
  const frameName = lane.history.frames.get(frame)?.title ?? frame;
  const where = session === undefined ? [frameName] : [];
  return (
    <>
      {session !== undefined && isFirst && <Elsewhere session={session} />}
      <article class="piece">
        <p class="piece-head">
          <b>{role}</b>
          {session === undefined ? (
            <button type="button" class="ref" onClick={() => lookAt(lane, id, words)}>
              {id}
            </button>
          ) : (
            <a class="ref" href={linkTo(placeIn(session.id, id))}>
              {id}
            </a>
          )}
          <span class="quiet">
            {[...where, saidText(at, session === undefined ? lane.head.value : null)].join(' · ')}
          </span>
          {session === undefined && id.startsWith('e') && (
            <button type="button" class="more" onClick={() => goToEntry(lane, id)}>
              go there
            </button>
          )}
        </p>
        <LongText
          text={text}
          words={words}
          {...(isAlone ? { most: shownAlone } : {})}
          isOfOther={session !== undefined}
        />
      </article>
    </>
  );
}

/** The session in which the entries below were found: it is opened by its name, or beside this one. */
function Elsewhere({
  session: { id, title, place },
}: {
  readonly session: NonNullable<FoundEntry['session']>;
}): ComponentChild {
  return (
    <p class="elsewhere">
      <a href={linkTo(placeIn(id))}>{title}</a> <span class="quiet">{place}</span>
      <button type="button" class="more" onClick={() => void putBeside(id)}>
        beside this one
      </button>
    </p>
  );
}

/** Where the page shows another session, at one of its entries. */
const placeIn = (session: string, entry = ''): string =>
  `session=${encodeURIComponent(session)}${entry.startsWith('e') ? `&at=${entry}` : ''}`;

/** Goes to the step of an entry. */
function goToEntry({ history, goTo }: Lane, entry: string): void {
  const at = history.entries[Number(entry.slice(1))];
  if (at !== undefined) goTo(at);
}
