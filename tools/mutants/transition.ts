import { not, type AnyStateMachine } from 'xstate';

// A statechart is data, so a change of it is data, too: an arrow left out, led to another state, or taken where
// its guard refuses it; or another state to begin in.

/** A change of one arrow of a machine; of the arrow that leads into it where `path` is empty. */
export interface Change {
  readonly machine: string;
  /** Where the arrow stands in the configuration: a state and the words below it. */
  readonly path: readonly string[];
  /** Which of the arrows for the same event, in their order. */
  readonly nth: number;
  readonly was: string;
  readonly to: { readonly state: string } | 'left out' | 'guard inverted';
}

/** An arrow, as a configuration has it. */
export interface Arrow {
  readonly target?: string;
  readonly guard?: unknown;
}

/** A part of a configuration. */
export type Node = Readonly<Record<string, unknown>>;
type States = Readonly<Record<string, Node>>;

/** Every change of every arrow of a machine. */
export function changesOf({ config }: AnyStateMachine): readonly Change[] {
  const states = Object.keys(config.states!);
  const first = config.initial as string;
  const elsewhere = (was: string): Change['to'][] =>
    states.filter((state) => state !== was).map((state) => ({ state }));
  const begins = { machine: config.id!, path: [], nth: 0, was: first };
  return [
    ...elsewhere(first).map((to): Change => ({ ...begins, to })),
    ...Object.entries(config.states as States).flatMap(([state, node]) =>
      placesIn(node).flatMap((below) => {
        const path = [state, ...below];
        return arrowsAt(node, below).flatMap(({ target = state, guard }, nth) => {
          const inverted: Change['to'][] = guard === undefined ? [] : ['guard inverted'];
          const all: Change['to'][] = ['left out', ...inverted, ...elsewhere(target)];
          return all.map((to): Change => ({ machine: config.id!, path, nth, was: target, to }));
        });
      }),
    ),
  ];
}

/** The arrow that a change is of. */
export const arrowOf = ({ machine, path, nth }: Change): string =>
  [machine, ...path, ...(nth === 0 ? [] : [`#${nth + 1}`])].join(' ');

/** A change in a line. */
export const lineOf = (change: Change): string => {
  const { path, was, to } = change;
  const arrow = path.length === 0 ? `${change.machine} begins` : arrowOf(change);
  return `${arrow} → ${was}: ${typeof to === 'string' ? to : `→ ${to.state}`}`;
};

/** The configuration of a machine with a change. */
export function applied(config: Node, { path, nth, to }: Change): Node {
  if (path.length === 0) return { ...config, initial: (to as { state: string }).state };
  return withArrows(config, path, (arrows) =>
    arrows.flatMap((arrow, at): readonly Arrow[] => {
      if (at !== nth) return [arrow];
      if (to === 'left out') return [];
      if (to === 'guard inverted') return [{ ...arrow, guard: not(arrow.guard as never) }];
      return [{ ...arrow, target: to.state }];
    }),
  );
}

/** The configuration of a machine with other arrows at a place. */
export function withArrows(
  config: Node,
  [state, ...below]: readonly string[],
  change: (arrows: readonly Arrow[]) => readonly Arrow[],
): Node {
  const states = config['states'] as States;
  const node = states[state!]!;
  const arrows = change(arrowsAt(node, below));
  return { ...config, states: { ...states, [state!]: put(node, below, arrows) } };
}

function put(node: Node, [word, ...below]: readonly string[], arrows: readonly Arrow[]): Node {
  if (below.length > 0) return { ...node, [word!]: put(node[word!] as Node, below, arrows) };
  if (arrows.length > 0) return { ...node, [word!]: arrows };
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== word));
}

/** Where the arrows of a state stand. */
function placesIn(node: Node): readonly (readonly string[])[] {
  const within = (word: string): readonly (readonly string[])[] =>
    Object.keys((node[word] ?? {}) as Node)
      .filter((key) => word === 'on' || key === 'onDone' || key === 'onError')
      .map((key) => [word, key]);
  return [...('always' in node ? [['always']] : []), ...within('invoke'), ...within('on')];
}

function arrowsAt(node: Node, place: readonly string[]): readonly Arrow[] {
  const found = place.reduce<unknown>((now, word) => (now as Node)[word], node);
  const list = Array.isArray(found) ? (found as readonly unknown[]) : [found];
  return list.map((arrow) => (typeof arrow === 'string' ? { target: arrow } : (arrow as Arrow)));
}
