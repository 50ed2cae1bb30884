import { useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { OfLane } from '../lane/use-lane.ts';
import { many, number } from '../told/words/amounts.ts';
import { namesWith } from '../told/names-with.ts';
import { unaskedText } from '../told/words/unread.ts';
import { Drawer } from './drawer.tsx';
import { lacking, type LackingNames } from './look.ts';
import { countOf, Names } from './names.tsx';

/** Most names that are shown at once. */
const mostShown = 300;

/** The names that a prompt lacks, where somebody asked for them: words narrow them, each leads to where it was said. */
export function Lacking(): ComponentChild {
  const asked = lacking.value;
  if (asked === null) return null;
  return (
    <OfLane.Provider value={asked.lane}>
      <Drawer
        title="Names that the prompt lacks"
        about={aboutOf(asked)}
        close={() => (lacking.value = null)}
      >
        <Listed key={asked.seq} asked={asked} />
      </Drawer>
    </OfLane.Provider>
  );
}

const aboutOf = ({ seq, told }: LackingNames): string =>
  told === null
    ? `At step ${seq}`
    : `At step ${seq}: of ${many(countOf(told.lost) + told.kept, 'different name')} in the entries that are not here word for word, ${number(countOf(told.lost))} stand nowhere in the prompt.`;

function Listed({
  asked: { seq, told, unread },
}: {
  readonly asked: LackingNames;
}): ComponentChild {
  const [words, setWords] = useState('');
  if (told === null)
    return <p class="quiet none">{unread === null ? 'Loading …' : unaskedText(unread)}</p>;
  const found = namesWith(told.lost, words, mostShown);
  const shown = countOf(found.shown);
  const title = shown < found.count ? `The newest of ${number(found.count)}:` : 'All of these:';
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
        {shown === 0 && <p class="quiet">No such name.</p>}
        <Names kinds={found.shown} seq={seq} title={title} most={mostShown} />
      </div>
    </>
  );
}
