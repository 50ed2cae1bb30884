import type { ComponentChild } from 'preact';
import { Waiting } from '../entries/waiting.tsx';
import { Names, Refs } from '../entries/names.tsx';
import { useLane } from '../lane/use-lane.ts';
import { LaneName } from '../lane/within.tsx';
import { many, number } from '../model/words/amounts.ts';
import { shortenedText, type History, type Loss } from '../model/history.ts';
import {
  aboutOf,
  isNothing,
  leavingText,
  nameOf,
  sizesOf,
  sumBefore,
} from '../model/words/loss.ts';
import type { Change } from '../model/wire.ts';
import { Bars } from './bars.tsx';
import { CutStory } from './cut-story.tsx';
import { Diff } from './diff.tsx';

/** The last step at the playhead that took words out of the prompt: before and after, what was kept and lost, and what its lines come from. */
export function LossCard(): ComponentChild {
  const { history, loss, step, connection, cursor, goTo } = useLane();
  const current = loss.value;
  return (
    <section class="loss" aria-label="What went">
      <header>
        <LaneName />
        <h2>{current === null ? 'What went' : nameOf(history, current)}</h2>
        {current !== null && (
          <>
            <span class="quiet">{aboutOf(history, current)}</span>
            {cursor.value !== current.at && (
              <button type="button" class="more" onClick={() => goTo(current.at)}>
                go there
              </button>
            )}
          </>
        )}
      </header>
      <div class="scroll">
        {current === null && step.value === null ? (
          <Waiting unread={connection.value === 'lost' ? 'ended' : null} />
        ) : current === null ? (
          <p class="quiet">Nothing was taken out of the prompt by then.</p>
        ) : (
          <>
            {'cut' in current ? (
              <CutStory cut={history.cuts[current.cut]!} />
            ) : (
              <Sizes of={current} />
            )}
            {'compression' in current && <MadeOf compression={current.compression} />}
            <WhatChanged of={current} />
          </>
        )}
      </div>
    </section>
  );
}

function WhatChanged({ of: loss }: { readonly of: Loss }): ComponentChild {
  const { change, unread, history } = useLane();
  const current = change.value;
  if (current === null || current.seq !== history.steps[loss.at]!.seq)
    return <Waiting unread={unread.change.value} />;
  if (!('cut' in loss)) return <Changed change={current} />;
  if (isNothing(current)) return null;
  return (
    <>
      <h3>{isRecovered(history, loss) ? 'The next prompt, made anew' : 'The next prompt'}</h3>
      <Sizes of={loss} />
      <Changed change={current} />
    </>
  );
}

/** Whether a step is that in which a cut was recovered. */
const isRecovered = ({ cuts }: History, { at, cut }: Extract<Loss, { cut: number }>): boolean =>
  cuts[cut]!.stages.some((one) => one.at === at && one.news.stage === 'recovered');

/** The prompt before and after. */
function Sizes({ of: loss }: { readonly of: Loss }): ComponentChild {
  const { history } = useLane();
  const { before, after } = sizesOf(history, loss);
  const { limit } = history.steps[loss.at]!;
  return (
    <>
      <Bars
        of={[
          { name: 'before', kind: 'before', tokens: before },
          { name: 'after', kind: 'after', tokens: after },
        ]}
      />
      {before > limit && !('cut' in loss) && (
        <p class="quiet">The prompt before was never sent: the limit is {number(limit)} tokens.</p>
      )}
    </>
  );
}

/** Of what the prompt before a compression was made: with it the prompt was too long. */
function MadeOf({ compression }: { readonly compression: number }): ComponentChild {
  const { history } = useLane();
  const { at, news } = history.compressions[compression]!;
  const entries = history.steps[at]!.news.filter((one) => one.type === 'entry');
  const { shortened } = news;
  if (entries.length === 0 && shortened === undefined) return null;
  const { stood, came, went } = sumBefore(history, compression);
  return (
    <p class="quiet">
      Before stood {many(stood, 'token')} from the step before
      {entries.length > 0 && (
        <>
          ; {number(came)} came in this step: <Refs ids={entries.map(({ entry }) => entry)} />
        </>
      )}
      {shortened !== undefined && (
        <>
          ; {number(went)} went, {shortenedText(shortened)} in this step:{' '}
          <Refs ids={shortened.entries} />
        </>
      )}
    </p>
  );
}

function Changed({ change }: { readonly change: Change }): ComponentChild {
  const { stayed, lost, left, shortened, seq } = change;
  return (
    <>
      {(left.length > 0 || shortened.length === 0) && <p>{leavingText(change)}.</p>}
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
      <Diff change={change} />
    </>
  );
}
