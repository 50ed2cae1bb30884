import type { ComponentChild } from 'preact';
import { Names, Refs } from '../entries/names.tsx';
import { useLane } from '../lane/use-lane.ts';
import { LaneName } from '../lane/within.tsx';
import { many, number } from '../told/words/amounts.ts';
import { type Loss } from '../told/history.ts';
import { aboutOf, isNothing, leavingText, nameOf, sizesOf } from '../told/words/loss.ts';
import type { Change, News } from '../told/wire.ts';
import { CutStory } from './cut-story.tsx';
import { Diff } from './diff.tsx';

/** The last step at the playhead that took words out of the prompt: before and after, what was kept and lost, and what its lines come from. */
export function LossCard(): ComponentChild {
  const { history, loss, cursor, goTo } = useLane();
  const found = loss.value;
  return (
    <section class="loss" aria-label="What went">
      <header>
        <LaneName />
        <h2>{found === null ? 'What went' : nameOf(history, found)}</h2>
        {found !== null && (
          <>
            <span class="quiet">{aboutOf(history, found)}</span>
            {cursor.value !== found.at && (
              <button type="button" class="more" onClick={() => goTo(found.at)}>
                go there
              </button>
            )}
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
            {'compression' in found && <Arrivals news={history.steps[found.at]!.news} />}
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
    return <p class="quiet">Loading …</p>;
  return 'cut' in found && isNothing(told) ? null : <Changed told={told} />;
}

/** The prompt before and after, both on one scale. */
function Bars(given: {
  readonly before: number;
  readonly after: number;
  readonly limit: number;
}): ComponentChild {
  const { before, after, limit } = given;
  const most = Math.max(1, before, after);
  const less = Math.round((1 - after / Math.max(1, before)) * 100);
  return (
    <>
      <dl class="bars">
        <Bar name="before" tokens={before} share={before / most} />
        <Bar
          name="after"
          tokens={after}
          share={after / most}
          remark={less >= 0 ? `−${less} %` : `+${-less} %`}
        />
      </dl>
      {before > limit && (
        <p class="quiet">The prompt before was never sent: the limit is {number(limit)} tokens.</p>
      )}
    </>
  );
}

/** What came in the step of a compression: with it the prompt was too long. */
function Arrivals({ news }: { readonly news: readonly News[] }): ComponentChild {
  const came = news.filter((one) => one.type === 'entry');
  if (came.length === 0) return null;
  const tokens = came.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <p class="quiet">
      Before it stood with what came in this step, {many(tokens, 'token')}:{' '}
      <Refs ids={came.map(({ entry }) => entry)} />
    </p>
  );
}

function Bar(given: {
  readonly name: string;
  readonly tokens: number;
  readonly share: number;
  readonly remark?: string;
}): ComponentChild {
  const { name, tokens, share, remark = '' } = given;
  return (
    <>
      <dt>{name}</dt>
      <dd class="bar">
        <i class={name} style={{ width: `${share * 100}%` }} />
      </dd>
      <dd>{number(tokens)}</dd>
      <dd>
        <b>{remark}</b>
      </dd>
    </>
  );
}

function Changed({ told }: { readonly told: Change }): ComponentChild {
  const { stayed, lost, left, shortened, seq } = told;
  return (
    <>
      {(left.length > 0 || shortened.length === 0) && <p>{leavingText(told)}.</p>}
      {shortened.length > 0 && (
        <p>
          <b>{many(shortened.length, 'entry', 'entries')}</b> shortened: <Refs ids={shortened} />
        </p>
      )}
      <Names kinds={lost} seq={seq} title="Names that all of the prompt lost, still in the log:" />
      <Names
        kinds={stayed}
        seq={seq}
        title="Names in all of the prompt, before and after:"
        most={20}
      />
      <Diff told={told} />
    </>
  );
}
