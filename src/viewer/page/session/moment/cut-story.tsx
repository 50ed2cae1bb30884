import type { ComponentChild } from 'preact';
import { Ref } from '../entries/names.tsx';
import { useLane } from '../lane/use-lane.ts';
import { isShort } from '../told/axis/bands.ts';
import { stageWords, whatNoticed } from '../told/words/cut.ts';
import { countOfCut } from '../told/words/loss.ts';
import { number } from '../told/words/amounts.ts';
import { type Cut } from '../told/history.ts';

/** How part of a prompt was dropped, by what that was noticed, and how the session went on, as far as it had by the playhead. */
export function CutStory({ cut }: { readonly cut: Cut }): ComponentChild {
  const { news, stages } = cut;
  const { cursor, goTo, history } = useLane();
  const counted = countOfCut(history, cut);
  const told = stages.filter((one) => one.at <= cursor.value);
  const isOver = told.some(({ news: { stage } }) => stage === 'recovered' || stage === 'cancelled');
  return (
    <div class="cut-story">
      {news !== null && (
        <p>
          <b>{news.isCertain ? 'Certain.' : 'Suspected.'}</b> {whatNoticed(news)}.
        </p>
      )}
      {counted !== undefined && (
        <p>
          Sent <b>{number(counted.sent)}</b> tokens, the server counted{' '}
          <b class={isShort(counted) ? 'bad' : ''}>{number(counted.counted)}</b>.
        </p>
      )}
      {news !== null && news.lost.length > 0 && (
        <p>
          The model did not see{' '}
          {news.lost.map((ref) => (
            <Ref key={ref} of={ref} />
          ))}
        </p>
      )}
      {told.length > 0 && (
        <ol class="stages" aria-label="The recovery">
          {told.map((one, index) => (
            <li key={index}>
              <button type="button" class="more" onClick={() => goTo(one.at)}>
                {stageWords[one.news.stage]}
              </button>{' '}
              {one.news.text}
            </li>
          ))}
        </ol>
      )}
      {told.length > 0 && !isOver && <p class="quiet">It waits for an answer.</p>}
    </div>
  );
}
