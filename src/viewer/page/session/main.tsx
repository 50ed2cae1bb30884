import { render, type ComponentChild } from 'preact';
import { load } from '../load.ts';
import { keepInAddress } from './address.ts';
import { Beside } from './beside.tsx';
import { BudgetChart } from './budget.tsx';
import { Happenings } from './happenings.tsx';
import { SessionHead } from './head.tsx';
import { Icicle } from './icicle.tsx';
import { LossCard } from './loss.tsx';
import { Looked } from './looked.tsx';
import { Machines } from './machines.tsx';
import { PromptPanel } from './prompt.tsx';
import { SessionPlayer } from './session-player.tsx';
import { readSteps } from './source.ts';
import { playhead, take } from './store.ts';

function Page(): ComponentChild {
  return (
    <div class="session-page">
      <SessionHead />
      <main>
        <BudgetChart />
        <Icicle />
        <Beside />
        <div class="panels">
          <PromptPanel />
          <LossCard />
          <Happenings />
        </div>
        <Machines />
      </main>
      <SessionPlayer />
      <Looked />
    </div>
  );
}

render(<Page />, document.body);
keepInAddress();
void load(playhead, { lines: readSteps(), command: 'view', take });
