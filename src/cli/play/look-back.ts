import type { ReplayStep, Store } from '../../index.ts';
import { number } from '../paper/size.ts';
import { titledTree } from '../sessions/words/frame-titles.ts';
import type { Deck, Move } from './deck.ts';
import type { PlayStep } from './player.ts';

// What a file brought is in the store as it is played: so going back shows what is stored, and nothing is played twice.

/** Who looks back, at what, and how that is shown. */
interface LookBack {
  readonly store: Store;
  readonly deck: Deck;
  /** Shows a step; `place` says which of those that were played. */
  readonly show: (step: PlayStep, place: string) => Promise<void>;
}

/** Shows steps that were played before `newest` as the keys ask for them, until it is reached again; gives the move that leads on from there. */
export async function lookBack(
  newest: PlayStep,
  firstMove: Move,
  { store, deck, show }: LookBack,
): Promise<Move> {
  const { id, seq: last } = newest.state;
  const named = { id, title: newest.tree().title };
  let at = last;
  for (let move = firstMove; ; move = await deck.move()) {
    const to = placeAfter(move, at, last);
    if (to === null) return move;
    if (to >= last) return 'stay';
    const step = await stepAt(store, id, to);
    at = to;
    await show(
      {
        state: step.state,
        tree: () => titledTree(step.tree(), named),
        isNew: move === 'next' && !deck.isPaused,
        moments: [],
        assemble: () => step.assemble(),
        // As if each step took the same share of the file.
        done: newest.done === undefined ? undefined : (newest.done * to) / last,
        isAtRest: true,
      },
      `step ${number(to)} of ${number(last)} played`,
    );
  }
}

/** The step that a move leads to; null for one that leads out of what was played. */
function placeAfter(move: Move, at: number, last: number): number | null {
  const far = Math.max(10, Math.round(last / 20));
  switch (move) {
    case 'back':
      return Math.max(1, at - 1);
    case 'far-back':
      return Math.max(1, at - far);
    case 'first':
      return 1;
    case 'next':
      return at + 1;
    case 'far-next':
      return at + far;
    case 'stay':
      return at;
    case 'last':
    case 'quit':
    case 'interrupt':
      return null;
  }
}

async function stepAt(store: Store, id: string, seq: number): Promise<ReplayStep> {
  for await (const step of store.replay(id, { from: seq, to: seq })) return step;
  throw new Error(`Session "${id}" has no step ${seq}`);
}
