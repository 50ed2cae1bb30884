import { render, type ComponentChild } from 'preact';
import { BudgetChart } from './budget.tsx';
import { CompressionCard } from './compression.tsx';
import { Happenings } from './happenings.tsx';
import { SessionHead } from './head.tsx';
import { Icicle } from './icicle.tsx';
import { Looked } from './looked.tsx';
import { Player } from './playhead.tsx';
import { PromptPanel } from './prompt.tsx';
import { load } from './store.ts';

function Page(): ComponentChild {
  return (
    <div class="session-page">
      <SessionHead />
      <main>
        <BudgetChart />
        <Icicle />
        <div class="panels">
          <PromptPanel />
          <CompressionCard />
          <Happenings />
        </div>
      </main>
      <Player />
      <Looked />
    </div>
  );
}

render(<Page />, document.body);
void load();
