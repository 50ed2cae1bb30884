import { render, type ComponentChild } from 'preact';
import { Actors } from './actors.tsx';
import { readLines } from '../lines.ts';
import { load } from '../load.ts';
import { showTurns } from '../show-turns.ts';
import { Moment } from './moment.tsx';
import { Moves } from './moves.tsx';
import { Connection, Player } from '../player.tsx';
import { count, cursor, goTo, playhead, step, take, timeline, type StreamItem } from './store.ts';

const ends = [
  { title: 'To the beginning', key: 'Home', act: () => goTo(0) },
  { title: 'To the end', key: 'End', act: () => goTo(count.value - 1) },
] as const;

function Page(): ComponentChild {
  const [root] = count.value === 0 ? [] : timeline.roots;
  return (
    <div class="page">
      <header class="head">
        <h1>{root?.name ?? 'flamestack'}</h1>
        <span class="quiet">machines of a session, step by step</span>
        {playhead.trouble.value !== '' && <p role="alert">{playhead.trouble}</p>}
      </header>
      <Actors />
      <Moment />
      <Moves />
      <Player playhead={playhead} step={step} ends={ends} marks={{ all: timeline.marks }}>
        <output>
          {(count.value === 0 ? 0 : cursor.value + 1).toLocaleString('en')} /{' '}
          {count.value.toLocaleString('en')}
        </output>
        <Connection playhead={playhead} />
      </Player>
    </div>
  );
}

showTurns();
render(<Page />, document.body);
void load(playhead, { lines: readLines<StreamItem>('/api/inspections'), command: 'inspect', take });
