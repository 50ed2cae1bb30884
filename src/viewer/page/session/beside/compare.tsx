import { signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { countOf, Names, Refs } from '../entries/names.tsx';
import { follow, type Lane } from '../lane/lane.ts';
import {
  axis,
  besideSession,
  firstTold,
  isJoined,
  own,
  placeAtPlayhead,
  reach,
} from '../lane/lanes.ts';
import { OfLane, useLane } from '../lane/use-lane.ts';
import { LaneName, shortNameOf } from '../lane/within.tsx';
import { pairingText } from '../model/axis/distance.ts';
import { number } from '../model/words/amounts.ts';
import { totalOf } from '../model/history.ts';
import { saidText } from '../model/time.ts';
import type { Compared } from '../model/wire.ts';
import { unreadText, type Unread } from '../model/words/unread.ts';

/** What the prompts of both sessions hold at the playhead. */
const compared = signal<Compared | null>(null);
const unread = signal<Unread | null>(null);

follow(
  () => {
    const [lane, seq] = [besideSession.value, own.step.value?.seq];
    const other = lane?.step.value?.seq;
    const isRead = [own, lane].every((one) => one?.connection.value !== 'loading');
    return lane === null || !isRead || seq === undefined || other === undefined
      ? null
      : lane.path('compare', { seq, other, own: own.name });
  },
  compared,
  unread,
);

/** Two sessions at the playhead, in numbers, and what only one of their prompts holds. */
export function Compare(): ComponentChild {
  const other = besideSession.value;
  if (other === null || !isJoined.value) return null;
  const lanes = [own, other] as const;
  const over = lanes.find((lane) => isOver(lane));
  const comparison = compared.value;
  const isNow =
    comparison?.seq === own.step.value?.seq && comparison?.other === other.step.value?.seq;
  const now = comparison !== null && isNow ? comparison : null;
  return (
    <section class="compare" aria-label="Side by side">
      <header>
        <h2>Side by side</h2>
        <span class="quiet">
          {pairingText(axis.value, placeAtPlayhead.value * reach.value, firstTold.value)}
          {over !== undefined && `; ${shortNameOf(over)} had ended by then`}
        </span>
      </header>
      <div class="scroll">
        <Figures lanes={lanes} comparison={now} />
        <Both comparison={now} />
        {now !== null && (
          <div class="only">
            {lanes.map((lane, side) => (
              <OfLane.Provider key={lane.name} value={lane}>
                <Only comparison={now} side={side as 0 | 1} />
              </OfLane.Provider>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

interface FiguresProps {
  readonly lanes: readonly [Lane, Lane];
  /** Null until it is read. */
  readonly comparison: Compared | null;
}

/** Both sessions in numbers, a column each. */
function Figures({ lanes, comparison }: FiguresProps): ComponentChild {
  const row = (name: string, tell: (lane: Lane, side: number) => ComponentChild, isOld = false) => (
    <tr key={name} class={isOld ? 'stale' : ''}>
      <th scope="row">{name}</th>
      {lanes.map((lane, side) => (
        <td key={lane.name}>{tell(lane, side)}</td>
      ))}
    </tr>
  );
  const only = (what: string, count: (compared: Compared, side: number) => number) =>
    row(
      `${what} only in its prompt`,
      (_, side) => (comparison === null ? '…' : number(count(comparison, side))),
      comparison === null,
    );
  return (
    <table>
      <thead>
        <tr>
          <td />
          {lanes.map((lane) => (
            <th key={lane.name} scope="col">
              <LaneName of={lane} /> {lane.head.value?.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, tell }) => row(name, tell))}
        {only('entries', ({ onlyEntries }, side) => onlyEntries[side]!.length)}
        {only('names', ({ onlyNames }, side) => countOf(onlyNames[side]!))}
      </tbody>
    </table>
  );
}

/** What the prompts have in common. */
function Both({ comparison }: Pick<FiguresProps, 'comparison'>): ComponentChild {
  return (
    <p class="both">
      {comparison === null ? (
        <span class="quiet">{unread.value === null ? 'Loading …' : unreadText(unread.value)}</span>
      ) : (
        <>
          In both prompts: <b>{number(comparison.entries)}</b>{' '}
          {comparison.entries === 1 ? 'entry' : 'entries'}, word for word, and{' '}
          <b>{number(comparison.names)}</b> names (paths, commands, numbers and the like).
        </>
      )}
    </p>
  );
}

/** Whether a session had come to its end before the playhead, where the other goes on. */
const isOver = ({ cursor, count, places }: Lane): boolean =>
  cursor.value === count.value - 1 && (places.value.at(-1) ?? 0) < placeAtPlayhead.value;

/** What only the prompt of one session has. */
function Only({
  comparison,
  side,
}: {
  readonly comparison: Compared;
  readonly side: 0 | 1;
}): ComponentChild {
  const [entries, lost] = [comparison.onlyEntries[side], comparison.onlyNames[side]];
  return (
    <div>
      {entries.length > 0 && (
        <p>
          <LaneName /> alone: <Refs ids={entries} />
        </p>
      )}
      <Names
        kinds={lost}
        seq={side === 0 ? comparison.seq : comparison.other}
        title={`Names that only ${shortNameOf(useLane())} has:`}
      />
    </div>
  );
}

/** What is told of each session. */
const rows: readonly { readonly name: string; readonly tell: (lane: Lane) => ComponentChild }[] = [
  {
    name: 'where it is',
    tell: ({ step, count, history }) =>
      step.value === null
        ? ''
        : `turn ${step.value.turn} · step ${number(step.value.seq)} of ${number(history.steps[count.value - 1]!.seq)}`,
  },
  {
    name: 'when',
    tell: ({ step, head }) => (step.value === null ? '' : saidText(step.value.at, head.value)),
  },
  {
    name: 'its prompt',
    tell: ({ step }) =>
      step.value === null
        ? ''
        : `${number(totalOf(step.value))} of ${number(step.value.limit)} tokens`,
  },
  {
    name: 'said by then',
    tell: ({ step, cursor, history }) =>
      `${number(step.value?.said ?? 0)} tokens in ${number(saidBy(history.entries, cursor.value))} entries`,
  },
  {
    name: 'compressions',
    tell: ({ cursor, history }) =>
      number(history.compressions.filter(({ at }) => at <= cursor.value).length),
  },
  {
    name: 'frames finished',
    tell: ({ cursor, history }) =>
      number(
        [...history.frames.values()].filter(
          ({ from, to }) => from !== null && to !== null && to <= cursor.value,
        ).length,
      ),
  },
  {
    name: 'sent so far',
    tell: ({ cursor, history }) => {
      const { calls = 0, sent = 0 } = history.costs[cursor.value] ?? {};
      return `${number(sent)} tokens in ${number(calls)} ${calls === 1 ? 'call' : 'calls'}`;
    },
  },
];

/** How many entries had come by a step. */
const saidBy = (entries: readonly number[], cursor: number): number =>
  Math.max(
    0,
    entries.findLastIndex((at) => at !== undefined && at <= cursor),
  );
