import { render, type ComponentChild } from 'preact';
import { Actors } from './actors.tsx';
import { load } from './load.ts';
import { Moment } from './moment.tsx';
import { Moves } from './moves.tsx';
import { Player } from './player.tsx';
import { timeline, trouble, count } from './store.ts';

function Page(): ComponentChild {
  const [root] = count.value === 0 ? [] : timeline.roots;
  return (
    <div class="page">
      <header class="head">
        <h1>{root?.name ?? 'flamestack'}</h1>
        <span class="quiet">machines of a session, step by step</span>
        {trouble.value !== '' && <p role="alert">{trouble}</p>}
      </header>
      <Actors />
      <Moment />
      <Moves />
      <Player />
    </div>
  );
}

render(<Page />, document.body);
void load();
