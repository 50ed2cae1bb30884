import { useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { OfLane } from '../lane/use-lane.ts';
import { many, number } from '../model/words/amounts.ts';
import { namesWith } from '../model/names-with.ts';
import { unaskedText } from '../model/words/unread.ts';
import { Drawer } from './drawer.tsx';
import { lacking, type LackingNames } from './look.ts';
import { countOf, Names } from './names.tsx';

/** Most names that are shown at once. */
const mostShown = 300;

/** The names that a prompt lacks, where somebody asked for them: words narrow them, each leads to where it was said. */
export function Lacking(): ComponentChild {
  const request = lacking.value;
  if (request === null) return null;
  return (
    <OfLane.Provider value={request.lane}>
      <Drawer
        title="Names that the prompt lacks"
        about={aboutOf(request)}
        close={() => (lacking.value = null)}
      >
        <Listed key={request.seq} request={request} />
      </Drawer>
    </OfLane.Provider>
  );
}

const aboutOf = ({ seq, names }: LackingNames): string =>
  names === null
    ? `At step ${seq}`
    : `At step ${seq}: of ${many(countOf(names.lost) + names.kept, 'different name')} in the entries that are not here word for word, ${number(countOf(names.lost))} stand nowhere in the prompt.`;

function Listed({
  request: { seq, names, unread },
}: {
  readonly request: LackingNames;
}): ComponentChild {
  const [words, setWords] = useState('');
  if (names === null)
    return <p class="quiet none">{unread === null ? 'Loading …' : unaskedText(unread)}</p>;
  const matches = namesWith(names.lost, words, mostShown);
  const visibleCount = countOf(matches.visible);
  const title =
    visibleCount < matches.count ? `The newest of ${number(matches.count)}:` : 'All of these:';
  return (
    <>
      <div class="search">
        <input
          type="search"
          aria-label="Part of a name"
          placeholder="Part of a name"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      <div class="scroll">
        {visibleCount === 0 && <p class="quiet">No such name.</p>}
        <Names kinds={matches.visible} seq={seq} title={title} most={mostShown} />
      </div>
    </>
  );
}
