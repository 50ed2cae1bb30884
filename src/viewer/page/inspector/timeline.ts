import type { Move } from '../move.ts';
import { partitionPoint } from '../partition-point.ts';

/** An actor, and where its moves are. */
export interface Actor {
  readonly name: string;
  readonly parent: string | null;
  readonly machine: Move['machine'];
  /** Indexes of its moves, ascending. */
  readonly moves: number[];
  readonly children: Actor[];
}

/** All that was told so far; it only grows. */
export interface Timeline {
  readonly moves: Move[];
  readonly actors: Map<string, Actor>;
  readonly roots: Actor[];
  /** Indexes of moves at which a checkpoint was made, a frame ended or context was lost. */
  readonly marks: number[];
}

/** An actor at a moment, for a tree of actors. */
export interface ActorRow {
  readonly actor: Actor;
  readonly depth: number;
  /** Its last move then. */
  readonly move: Move;
}

/** Nothing yet. */
export function emptyTimeline(): Timeline {
  return { moves: [], actors: new Map(), roots: [], marks: [] };
}

/** Adds what was told. */
export function addMove(timeline: Timeline, move: Move): void {
  const { moves, actors, roots, marks } = timeline;
  const index = moves.push(move) - 1;
  const existing = actors.get(move.actor);
  if (existing === undefined) {
    const { actor: name, parent = null, machine } = move;
    const actor = { name, parent, machine, moves: [index], children: [] };
    actors.set(name, actor);
    const above = parent === null ? undefined : actors.get(parent);
    (above?.children ?? roots).push(actor);
  } else existing.moves.push(index);
  if (isMark(move)) marks.push(index);
}

const isMark = ({ machine, from, status }: Move): boolean =>
  from !== null && status === 'done' && ['frame', 'compression', 'recovery'].includes(machine);

/** The place in `actor.moves` of its last move at `cursor`; -1 where it had not begun. */
export const lastMove = ({ moves }: Actor, cursor: number): number =>
  partitionPoint(moves.length, (index) => moves[index]! <= cursor) - 1;

/** The actors that had begun at `cursor`, each below its parent; `ended` says whether work that is over stays. */
export function actorsAt(timeline: Timeline, cursor: number, ended: boolean): readonly ActorRow[] {
  const rows: ActorRow[] = [];
  const open = timeline.roots.map((actor) => ({ actor, depth: 0 })).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { actor, depth } = next;
    const at = lastMove(actor, cursor);
    if (at === -1) continue;
    const move = timeline.moves[actor.moves[at]!]!;
    if (ended || move.status === 'active' || actor.machine === 'frame' || depth === 0)
      rows.push({ actor, depth, move });
    open.push(...actor.children.map((child) => ({ actor: child, depth: depth + 1 })).toReversed());
  }
  return rows;
}

/** Indexes of the moves whose actor, event or state has `words` in it. */
export function movesWith(timeline: Timeline, words: string): readonly number[] {
  const wanted = words.toLowerCase();
  return timeline.moves.flatMap(({ actor, event, value }, index) =>
    `${actor} ${event.type} ${value}`.toLowerCase().includes(wanted) ? [index] : [],
  );
}
