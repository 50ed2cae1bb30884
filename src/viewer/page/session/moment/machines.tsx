import { useEffect, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { StateChart } from '../../chart.tsx';
import { Waiting } from '../entries/waiting.tsx';
import { showsMachines } from '../lane/lane.ts';
import { useLane } from '../lane/use-lane.ts';
import { LaneName } from '../lane/within.tsx';
import type { MachineMove } from '../model/wire.ts';

/** The state machines of the session at the playhead, drawn where somebody opens them. */
export function Machines(): ComponentChild {
  const { moves, unread } = useLane();
  const why = unread.moves.value;
  const allMoves = why === null ? moves.value : null;
  const isOpen = showsMachines.value;
  return (
    <section class="machines" aria-label="State machines">
      <header>
        <LaneName />
        <h2>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => (showsMachines.value = !isOpen)}
          >
            <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> State machines
          </button>
        </h2>
        <span class="quiet">
          where each stands at this moment, and by which event it came there
        </span>
      </header>
      {isOpen && allMoves === null && <Waiting unread={why} />}
      {isOpen && allMoves !== null && <Drawn moves={allMoves} />}
    </section>
  );
}

const drawn = ['session', 'frame', 'compression', 'recovery'] as const;

function Drawn({ moves }: { readonly moves: readonly MachineMove[] }): ComponentChild {
  const { step } = useLane();
  const [picked, pick] = useState<MachineMove | null>(null);
  useEffect(() => pick(null), [moves]);
  const now = moves.filter(({ seq }) => seq === step.value?.seq);
  const atWork = drawn.flatMap((machine) => {
    const move = picked?.machine === machine ? picked : lastOf(moves, machine);
    return move === undefined ? [] : [{ machine, move }];
  });
  const resting = drawn.filter((name) => !atWork.some(({ machine }) => machine === name));
  return (
    <>
      <ol class="moves-now" aria-label="Transitions of this step">
        {now.map((move, index) => (
          <li key={index}>
            <button
              type="button"
              aria-pressed={move === picked}
              onClick={() => pick(move === picked ? null : move)}
            >
              <span class="quiet">{shortName(move.actor)}</span> {move.event.type}{' '}
              {move.from !== null && move.from !== move.value && `${move.from} → `}
              <b>{move.value}</b>
            </button>
          </li>
        ))}
      </ol>
      <div class="charts">
        {atWork.map(({ machine, move }) => (
          <figure key={machine}>
            <figcaption>
              {machine} <span class={`badge ${move.status}`}>{move.value}</span>{' '}
              <span class="quiet">{shortName(move.actor)}</span>
            </figcaption>
            <StateChart move={move} />
          </figure>
        ))}
      </div>
      {resting.length > 0 && <p class="quiet">Not at work: {resting.join(', ')}.</p>}
    </>
  );
}

/** The last move of a machine; of frames at work the innermost one. */
const lastOf = (moves: readonly MachineMove[], machine: string): MachineMove | undefined =>
  moves.findLast((one) => one.machine === machine);

const shortName = (actor: string): string => actor.slice(actor.indexOf('/') + 1);
