import type { ComponentChild } from 'preact';
import { Folded } from '../entries/folded.tsx';
import { Refs } from '../entries/names.tsx';
import { ask } from '../lane/source.ts';
import { useLane } from '../lane/use-lane.ts';
import { answersTo, fallOfLimit } from '../model/cut-now.ts';
import { howNoticed, stageWords } from '../model/words/cut.ts';
import { countOfCut, formText } from '../model/words/loss.ts';
import { number } from '../model/words/amounts.ts';
import { type Cut } from '../model/history.ts';
import type { WholeEntry } from '../model/wire.ts';
import { Bars } from './bars.tsx';

/** How part of a prompt was dropped, by what that was noticed, what the model lacked, and how the session went on, as far as it had by the playhead. */
export function CutStory({ cut }: { readonly cut: Cut }): ComponentChild {
  const { news } = cut;
  const { history } = useLane();
  const counted = countOfCut(history, cut);
  const answers = answersTo(history, cut);
  return (
    <div class="cut-story">
      {counted !== undefined && (
        <Bars
          of={[
            { name: 'sent', kind: 'before', tokens: counted.sent },
            { name: 'the server counted', kind: 'counted', tokens: counted.counted },
          ]}
        />
      )}
      {news !== null && (
        <p>
          <b>{news.isCertain ? 'Certain' : 'Suspected'}:</b> {howNoticed(news)}.
        </p>
      )}
      {news !== null && news.lost.length > 0 && (
        <>
          <h3>{news.isCertain ? 'The model did not see' : 'The model may not have seen'}</h3>
          <Lost ranges={news.lost} />
          {answers.length > 0 && (
            <p>
              Answered without that: <Refs ids={answers} />
            </p>
          )}
        </>
      )}
      <Recovery of={cut} />
    </div>
  );
}

/** The entries that were dropped, folded. */
function Lost({ ranges }: { readonly ranges: readonly string[] }): ComponentChild {
  const lane = useLane();
  return (
    <ul class="diff">
      {ranges.map((of) => (
        <li key={of} class="gone">
          <span class="sign" aria-label="dropped">
            −
          </span>
          <div>
            <Folded
              of={of}
              form={formText(of, [])}
              read={() => ask<readonly WholeEntry[]>(lane.path('entries', { of }))}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** How the session went on, stage by stage; nothing where it was not interrupted. */
function Recovery({ of: { stages } }: { readonly of: Cut }): ComponentChild {
  const { cursor, goTo, history } = useLane();
  const pastStages = stages.filter((one) => one.at <= cursor.value);
  const isOver = pastStages.some(
    ({ news: { stage } }) => stage === 'recovered' || stage === 'cancelled',
  );
  const end = pastStages.find(({ news: { stage } }) => stage === 'recovered');
  const fall = end === undefined ? null : fallOfLimit(history, end.at);
  if (pastStages.length === 0) return null;
  return (
    <>
      <h3>How the session recovered</h3>
      <ol class="stages" aria-label="The recovery">
        {pastStages.map((one, index) => (
          <li key={index}>
            <button type="button" class="more" onClick={() => goTo(one.at)}>
              {stageWords[one.news.stage]}
            </button>{' '}
            {one.news.text}
          </li>
        ))}
      </ol>
      {!isOver && <p class="quiet">It waits for an answer.</p>}
      {fall !== null && (
        <p>
          It goes on in the window that the server has: the limit fell from {number(fall.from)} to{' '}
          {number(fall.to)} tokens.
        </p>
      )}
    </>
  );
}
