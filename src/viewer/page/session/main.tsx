import { render, type ComponentChild } from 'preact';
import { load } from '../load.ts';
import { showTurns } from '../show-turns.ts';
import { keepInAddress } from './address.ts';
import { BudgetChart } from './axis/budget.tsx';
import { plannedIn } from './axis/icicle.tsx';
import { Chooser } from './beside/chooser.tsx';
import { Compare } from './beside/compare.tsx';
import { OtherWindow } from './beside/window.tsx';
import { Lacking } from './entries/lacking.tsx';
import { Looked } from './entries/looked.tsx';
import { SessionHead } from './head.tsx';
import { Keys } from './keys.tsx';
import { besideSession, focused, own, playhead, takeOwn } from './lane/lanes.ts';
import { readSteps } from './lane/source.ts';
import { OfLane } from './lane/use-lane.ts';
import { Within } from './lane/within.tsx';
import { Happenings } from './moment/happenings.tsx';
import { LossCard } from './moment/loss.tsx';
import { Machines } from './moment/machines.tsx';
import { PromptPanel } from './moment/prompt.tsx';
import { SessionPlayer } from './session-player.tsx';

function Page(): ComponentChild {
  const lanes = [own, ...(besideSession.value === null ? [] : [besideSession.value])];
  const waits = lanes.some((lane) => plannedIn(lane).length > 0);
  return (
    <div class="session-page">
      <Skip />
      <SessionHead />
      <main class={`${waits ? 'has-later' : ''}${lanes.length === 1 ? ' alone' : ''}`}>
        <BudgetChart />
        <OtherWindow />
        <Compare />
        <Panels />
        <OfLane.Provider value={focused.value}>
          <Machines />
        </OfLane.Provider>
      </main>
      <SessionPlayer />
      <Lacking />
      <Looked />
      <Chooser />
      <Keys />
    </div>
  );
}

/** Leads by keyboard past all that stands before the slider. */
const Skip = (): ComponentChild => (
  <button
    type="button"
    class="skip"
    onClick={() => document.querySelector<HTMLInputElement>('.track input')?.focus()}
  >
    Skip to the playhead
  </button>
);

/** The prompt at the playhead, what went and what happened; with two sessions both prompts, and the others of the one in focus. */
function Panels(): ComponentChild {
  const other = besideSession.value;
  const lane = focused.value;
  return (
    <div class={`panels${other === null ? '' : ' joined'}`}>
      {other === null ? (
        <PromptPanel />
      ) : (
        [own, other].map((one) => (
          <Within key={one.name} lane={one}>
            <PromptPanel />
          </Within>
        ))
      )}
      <OfLane.Provider value={lane}>
        <LossCard key={`loss ${lane.name}`} />
        <Happenings key={`events ${lane.name}`} />
      </OfLane.Provider>
    </div>
  );
}

showTurns();
render(<Page />, document.body);
keepInAddress();
void load(playhead, { lines: readSteps(own.name), command: 'view', take: takeOwn });
