import type { ComponentChild } from 'preact';
import type { Move } from './move.ts';
import charts from './charts.json' with { type: 'json' };

/** A chart, laid out. */
interface Chart {
  readonly width: number;
  readonly height: number;
  readonly states: readonly (Box & {
    readonly name: string;
    readonly isFinal: boolean;
    readonly isInitial: boolean;
  })[];
  readonly arrows: readonly Arrow[];
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly lines: readonly { readonly event: string; readonly guard: string }[];
  readonly points: readonly (readonly number[])[];
  readonly label: Box;
}

const laid = charts as unknown as Readonly<Record<string, Chart>>;

/** A transition of a machine. */
type Transition = Pick<Move, 'machine' | 'event' | 'from' | 'value'>;

/** The chart of a machine: its state lit, the last transition bright, what may come next in plain ink. */
export function StateChart({ move }: { readonly move: Transition }): ComponentChild {
  const chart = laid[move.machine];
  if (chart === undefined) return <Steps move={move} />;
  const { width, height, states, arrows } = chart;
  const kinds = arrows.map((arrow) => ({ arrow, kind: kindOf(arrow, move) }));
  const back = kinds.toSorted((a, b) => order[a.kind] - order[b.kind]);
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${width} ${height}`}
      style={{ maxWidth: `${width * 1.25}px` }}
      role="img"
      aria-label={`${move.machine}: ${move.value}`}
    >
      <defs>
        {(['idle', 'next', 'last'] as const).map((kind) => (
          <marker
            key={kind}
            id={`${move.machine}-${kind}`}
            class={`head ${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0,0 L8,4 L0,8 z" />
          </marker>
        ))}
      </defs>
      {back.map(({ arrow, kind }, index) => (
        <g key={index} class={`arrow ${kind}`}>
          <path
            d={`M${arrow.points.map((point) => point.join(',')).join('L')}`}
            marker-end={`url(#${move.machine}-${kind})`}
          />
          {arrow.lines.map(({ event, guard }, n) => (
            <text
              key={n}
              class={kind === 'last' && event === move.event.type ? 'taken' : ''}
              x={arrow.label.x + 4}
              y={arrow.label.y + 11 + n * 14}
            >
              {guard === '' ? event : `${event} [${guard}]`}
            </text>
          ))}
        </g>
      ))}
      {states.map(({ name, isFinal, isInitial, ...box }) => (
        <g key={name} class={`state${name === move.value ? ' active' : ''}`}>
          {isInitial && <circle class="initial" cx={box.x + 12} cy={box.y - 12} r="4" />}
          {isInitial && <path class="begins" d={`M${box.x + 12},${box.y - 8}V${box.y - 1}`} />}
          <rect {...box} rx="8" />
          {isFinal && (
            <rect
              class="inner"
              x={box.x + 3}
              y={box.y + 3}
              width={box.width - 6}
              height={box.height - 6}
              rx="6"
            />
          )}
          <text x={box.x + box.width / 2} y={box.y + box.height / 2 + 4}>
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}

type Kind = 'idle' | 'next' | 'last';

const order: Readonly<Record<Kind, number>> = { idle: 0, next: 1, last: 2 };

function kindOf({ from, to, lines }: Arrow, move: Transition): Kind {
  const isLast =
    from === move.from && to === move.value && lines.some(({ event }) => event === move.event.type);
  if (isLast) return 'last';
  return from === move.value ? 'next' : 'idle';
}

/** What has no chart: a word for where it is. */
function Steps({ move }: { readonly move: Transition }): ComponentChild {
  return (
    <p class="steps">
      {move.from !== null && <span class="step">{move.from}</span>}
      {move.from !== null && ' → '}
      <span class="step active">{move.value}</span>
    </p>
  );
}
