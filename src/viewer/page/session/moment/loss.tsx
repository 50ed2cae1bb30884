import type { ComponentChild } from 'preact';
import { look } from '../entries/look.ts';
import { LostNames, Refs } from '../entries/names.tsx';
import { Linked } from '../entries/text.tsx';
import { useLane } from '../lane/use-lane.ts';
import { LaneName } from '../lane/within.tsx';
import { number, type Loss } from '../told/history.ts';
import { aboutOf, nameOf, sizesOf } from '../told/words/loss.ts';
import { isOwnLine } from '../told/words/own-lines.ts';
import type { Change } from '../told/wire.ts';
import { CutStory } from './cut-story.tsx';

/** Most lines of a summary that are listed. */
const mostLines = 60;

/** The last step at the playhead that took words out of the prompt: before and after, what was kept and lost, and what its lines come from. */
export function LossCard(): ComponentChild {
  const { history, loss, goTo } = useLane();
  const found = loss.value;
  return (
    <section class="loss" aria-label="What went">
      <header>
        <LaneName />
        <h2>{found === null ? 'What went' : nameOf(history, found)}</h2>
        {found !== null && (
          <>
            <span class="quiet">{aboutOf(history, found)}</span>
            <button type="button" class="more" onClick={() => goTo(found.at)}>
              go there
            </button>
          </>
        )}
      </header>
      <div class="scroll">
        {found === null ? (
          <p class="quiet">Nothing was taken out of the prompt by then.</p>
        ) : (
          <>
            {'cut' in found ? (
              <CutStory cut={history.cuts[found.cut]!} />
            ) : (
              <Bars {...sizesOf(history, found)} limit={history.steps[found.at]!.limit} />
            )}
            <WhatChanged of={found} />
          </>
        )}
      </div>
    </section>
  );
}

function WhatChanged({ of: found }: { readonly of: Loss }): ComponentChild {
  const { change, history } = useLane();
  const told = change.value;
  if (told === null || told.seq !== history.steps[found.at]!.seq)
    return <p class="quiet">Reading it …</p>;
  return 'cut' in found && isNothing(told) ? null : <Changed told={told} />;
}

/** Whether a step changed nothing of what the model sees. */
const isNothing = ({ left, shortened, lost, lines }: Change): boolean =>
  left.length + shortened.length + lost.length + lines.length === 0;

function Bars(given: {
  readonly before: number;
  readonly after: number;
  readonly limit: number;
}): ComponentChild {
  const { before, after, limit } = given;
  const less = Math.round((1 - after / Math.max(1, before)) * 100);
  return (
    <dl class="bars">
      <dt>before</dt>
      <dd>
        <span class="bar">
          <i style={{ width: '100%' }} />
        </span>
        <span>{number(before)}</span>
        {before > limit && <span class="quiet">never sent: more than {number(limit)}</span>}
      </dd>
      <dt>after</dt>
      <dd>
        <span class="bar">
          <i
            class="after"
            style={{ width: `${Math.min(100, (after / Math.max(1, before)) * 100)}%` }}
          />
        </span>
        <span>{number(after)}</span> <b>{less >= 0 ? `−${less} %` : `+${-less} %`}</b>
      </dd>
    </dl>
  );
}

function Changed({ told }: { readonly told: Change }): ComponentChild {
  const { kept, lost, gained, left, shortened, lines } = told;
  const lane = useLane();
  const count = lost.reduce((sum, { names }) => sum + names.length, 0);
  return (
    <>
      <p>
        <b>{number(left.length)}</b> {left.length === 1 ? 'entry' : 'entries'} left the prompt
        {left.length > 0 ? ': ' : '. '}
        <Refs ids={left} />
        {shortened.length > 0 && ` ${number(shortened.length)} shortened.`} Of the names in it{' '}
        <b>{number(kept)}</b> stayed, <b class="bad">{number(count)}</b> went, {number(gained)}{' '}
        came.
      </p>
      <LostNames lost={lost} seq={told.seq} title="Gone from the prompt, in the log still" />
      {lines.length > 0 && (
        <>
          <h3>Lines that came instead</h3>
          <ul class="lines">
            {lines.slice(0, mostLines).map(({ section, text }, index) => (
              <li key={index} class={section}>
                <Linked text={text} />
                {!namesEntry.test(text) && !isOwnLine(text) && (
                  <button
                    type="button"
                    class="more"
                    title="the entries it comes from, the likeliest first"
                    onClick={() =>
                      void look(lane, {
                        title: `Where it comes from: ${text}`,
                        route: 'sources',
                        asked: { seq: told.seq, of: text },
                        words: text.match(/[\p{L}\p{N}_./-]{5,}/gu) ?? [],
                      })
                    }
                  >
                    {' '}
                    sources
                  </button>
                )}
              </li>
            ))}
          </ul>
          {lines.length > mostLines && <p class="quiet">and {lines.length - mostLines} more</p>}
        </>
      )}
    </>
  );
}

/** A line that says itself what it comes from. */
const namesEntry = /\be\d+\b/;
