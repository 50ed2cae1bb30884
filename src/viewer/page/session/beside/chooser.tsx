import { signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Drawer } from '../entries/drawer.tsx';
import { ask, isKept, pathOf, whyUnread } from '../lane/source.ts';
import { besideSession, own, putBeside } from '../lane/lanes.ts';
import { many, number } from '../model/words/amounts.ts';
import { saidText } from '../model/time.ts';
import type { ListedSession } from '../model/wire.ts';
import { unaskedText, type Unread } from '../model/words/unread.ts';

/** Whether somebody chooses a session. */
export const chooses = signal(false);

/** Whether there are others to choose from. */
export const canChoose = !isKept;

/** A session of the store, and what it is to that of the page; '' for nothing. */
interface Other extends ListedSession {
  readonly relation: string;
}

/** The sessions of the store but that of the page: first those that belong to it, then the one in which something was said last. Rejects where nobody answers. */
export async function otherSessions(): Promise<readonly Other[]> {
  const all = await ask<readonly ListedSession[]>(pathOf('sessions', {}));
  const mine = own.head.value?.session;
  const above = all.find(({ id }) => id === mine)?.parent;
  const others = all
    .filter(({ id }) => id !== mine)
    .map((one) => ({
      ...one,
      relation:
        one.parent === mine
          ? 'a sub-agent of this one'
          : one.id === above
            ? 'this one is its sub-agent'
            : '',
    }));
  return others.toSorted((one, two) => Number(two.relation !== '') - Number(one.relation !== ''));
}

/** Most sessions that are shown at once. */
const mostShown = 200;

/** The sessions that may be put beside that of the page: words narrow them, arrows and the enter key choose. */
export function Chooser(): ComponentChild {
  return chooses.value ? <List /> : null;
}

function List(): ComponentChild {
  const [all, setAll] = useState<readonly Other[] | null>(null);
  const [unread, setUnread] = useState<Unread | null>(null);
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    void otherSessions().then(setAll, (error: unknown) => setUnread(whyUnread(error)));
  }, []);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  const matches = (all ?? []).filter((one) => fits(one, words));
  const visible = matches.slice(0, mostShown);
  const say = (said: string): void => {
    setWords(said);
    setAt(0);
  };
  const unasked = unread === null ? '' : unaskedText(unread);
  const remark = all === null ? unasked : remarkOn(all, matches);
  return (
    <Drawer
      title="Put a session beside this one"
      beside={<span class="quiet">{all === null ? '' : number(matches.length)}</span>}
      kind="chooser"
      close={() => (chooses.value = false)}
    >
      <Search words={words} visible={visible} at={at} move={setAt} say={say} />
      <ul class="scroll sessions" id="sessions" role="listbox" aria-label="Sessions" ref={list}>
        {visible.map((one, index) => (
          <Choice
            key={one.id}
            one={one}
            index={index}
            isChosen={index === at}
            reach={() => setAt(index)}
          />
        ))}
      </ul>
      {remark !== '' && <p class="quiet none">{remark}</p>}
    </Drawer>
  );
}

/** What is to be said of the list, beside it; '' for nothing. */
function remarkOn(all: readonly Other[], matches: readonly Other[]): string {
  if (all.length === 0) return 'The store has no other session.';
  if (matches.length === 0) return 'No session has these words.';
  const more = matches.length - mostShown;
  return more > 0 ? `and ${number(more)} more: type more words` : '';
}

/** Puts a session beside that of the page, and ends the choice. */
function choose(one: Other | undefined): void {
  if (one === undefined) return;
  chooses.value = false;
  void putBeside(one.id);
}

interface SearchProps {
  readonly words: string;
  readonly say: (words: string) => void;
  readonly visible: readonly Other[];
  readonly at: number;
  readonly move: (at: number) => void;
}

function Search({ words, say, visible, at, move }: SearchProps): ComponentChild {
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(Math.min(at + 1, visible.length - 1)),
    ArrowUp: () => move(Math.max(at - 1, 0)),
    Enter: () => choose(visible[at]),
    Escape: () => (chooses.value = false),
  };
  return (
    <div class="search">
      <input
        type="search"
        role="combobox"
        aria-label="Words of a title, a project or an agent"
        aria-expanded="true"
        aria-controls="sessions"
        aria-activedescendant={visible.length === 0 ? undefined : `session-${at}`}
        placeholder="Words of a title, a project, an agent"
        autocomplete="off"
        value={words}
        onInput={(event) => say(event.currentTarget.value)}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (act === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          act();
        }}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly one: Other;
  readonly index: number;
  readonly isChosen: boolean;
  readonly reach: () => void;
}

function Choice({ one, index, isChosen, reach }: ChoiceProps): ComponentChild {
  const details = [
    one.relation,
    one.place,
    `${many(one.turns, 'turn')}, ${many(one.tokens, 'token')}`,
    saidText(one.said, { ...one, began: one.said }),
    one.title === one.id ? '' : one.id,
    besideSession.value?.head.value?.session === one.id ? 'is there now' : '',
  ];
  return (
    <li
      id={`session-${index}`}
      role="option"
      aria-selected={isChosen}
      class={isChosen ? 'current' : ''}
      onPointerMove={reach}
      onClick={() => choose(one)}
    >
      <b>{one.title}</b>
      <span class="quiet">{details.filter((part) => part !== '').join(' · ')}</span>
    </li>
  );
}

/** Whether a session has all of these words in its title, its place or its id. */
const fits = ({ title, place, id }: ListedSession, words: string): boolean => {
  const text = `${title} ${place} ${id}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
