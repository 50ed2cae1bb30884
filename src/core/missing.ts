import type { Bodies } from './body.ts';
import { factsIn, factsOf } from './facts.ts';
import { olderHuman } from './human-section.ts';
import { ranked, type Name } from './ledger.ts';
import type { State } from './state.ts';
import { path } from './tree.ts';

/** A name longer than this many characters is recall's, not the ledger's. */
const longestName = 160;

/**
 * The names that the ledger may show in an epoch that begins now, best first:
 * those that stand neither in the checkpoints and partial results nor in what
 * is shown verbatim.
 */
export function missingNames(state: State, bodies: Bodies): Iterable<Name> {
  if (state.ledger.names.length === 0) return [];
  const standing = standingNames(state, bodies);
  const names = ranked(state.ledger);
  return {
    *[Symbol.iterator]() {
      for (const name of names)
        if (name.name.length <= longestName && !standing.has(name.name)) yield name;
    },
  };
}

function standingNames(state: State, bodies: Bodies): ReadonlySet<string> {
  const names = new Set<string>();
  const view = state.views.get(state.active);
  const partials = path(state.frames, state.active).flatMap(({ partial }) => partial ?? []);
  for (const { text } of [...(view?.checkpoints ?? []), ...partials])
    for (const name of factsIn(bodies.text(text)).keys()) names.add(name);
  const whole = (view?.items ?? []).filter(({ form }) => form === 'whole' || form === 'stray');
  for (const { n } of [...whole, ...olderHuman(state, state.newest)])
    for (const name of factsOf(bodies.message(n)).keys()) names.add(name);
  return names;
}
