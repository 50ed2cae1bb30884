import type { ComponentChild } from 'preact';
import { besideSession, own, putBeside } from '../lane/lanes.ts';
import type { Lane } from '../lane/lane.ts';
import { LaneName, Within } from '../lane/within.tsx';
import { useLane } from '../lane/use-lane.ts';
import { Connection } from '../../player.tsx';
import { number } from '../model/words/amounts.ts';
import { totalOf } from '../model/history.ts';
import { AxisChoice, Breaks, Ticks } from './axis.tsx';
import { Costs } from './costs.tsx';
import { Icicle, IcicleSection } from './icicle.tsx';
import { Legend } from './legend.tsx';
import { Plot } from './plot.tsx';

/** How full the prompt was, and where a compression or the end of a frame emptied it; of two sessions one above the other. */
export function BudgetChart(): ComponentChild {
  const other = besideSession.value;
  return (
    <>
      <section class={`budget${other === null ? '' : ' joined'}`} aria-label="Context budget">
        <header>
          <h2>Context budget</h2>
          <span class="quiet">tokens of the prompt, by part</span>
          <AxisChoice />
        </header>
        {other === null ? (
          <>
            <div class="chart-and-legend">
              <Plot>
                <Breaks />
                <Ticks />
              </Plot>
              <Legend />
            </div>
            <Costs />
          </>
        ) : (
          <>
            <Side lane={own} />
            <Side lane={other} key={other.name} isLast />
          </>
        )}
      </section>
      {other === null && <IcicleSection />}
    </>
  );
}

/** One of two sessions on the axis. */
function Side(props: { readonly lane: Lane; readonly isLast?: boolean }): ComponentChild {
  const { lane, isLast = false } = props;
  const { session, title, place } = lane.head.value ?? { session: '', title: '', place: '' };
  const isTwin = own.head.value?.title === besideSession.value?.head.value?.title;
  const whose = [isTwin && title !== session ? session : '', place];
  return (
    <Within lane={lane}>
      <div class={`side${isLast ? ' last' : ''}`} role="group" aria-label={title}>
        <p class="side-head">
          <LaneName />
          <b class="side-title" title={title}>
            {title}
          </b>
          <span class="quiet place">{whose.filter((word) => word !== '').join(' · ')}</span>
          <Size />
          {isLast && <Connection playhead={lane} last={lane.head.value?.last} />}
          {isLast && (
            <button
              type="button"
              class="more"
              title="Show this session no longer"
              onClick={() => void putBeside('')}
            >
              close
            </button>
          )}
        </p>
        <Plot>{isLast && <Ticks />}</Plot>
        <Icicle />
        <Legend />
      </div>
    </Within>
  );
}

/** How full the prompt of a lane is. */
function Size(): ComponentChild {
  const { step } = useLane();
  if (step.value === null) return null;
  return (
    <span class="size">
      <b>{number(totalOf(step.value))}</b> / {number(step.value.limit)} tokens
    </span>
  );
}
