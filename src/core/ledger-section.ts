import type { Bodies } from './body.ts';
import { factsIn, factsOf, type FactKind } from './facts.ts';
import { olderHuman } from './human-section.ts';
import { ranked, type Name } from './ledger.ts';
import type { State } from './state.ts';
import { path } from './tree.ts';

const heads: Readonly<Record<FactKind, string>> = {
  path: 'Files (* changed)',
  command: 'Commands',
  identifier: 'Names',
  number: 'Values',
  error: 'Errors',
  url: 'Links',
  decision: 'Decided',
};

/** A name longer than this many characters is recall's, not the ledger's. */
const longestName = 160;

/** What an epoch began with; what came later hides no name. */
export type Since = Pick<State['shown'], 'upTo' | 'newest' | 'frames'>;

/**
 * The names a ledger may show, best first: those that stand neither in the
 * checkpoints and partial results nor in what was shown verbatim when the epoch
 * began.
 */
export function missingNames(state: State, since: Since, bodies: Bodies): readonly Name[] {
  if (state.ledger.names.size === 0) return [];
  const standing = standingNames(state, since, bodies);
  return ranked(state.ledger).filter(
    ({ name }) => name.length <= longestName && !standing.has(name),
  );
}

/** The names as the model sees them, grouped by kind; '' for none. */
export function ledgerSection(names: readonly Name[]): string {
  if (names.length === 0) return '';
  const groups = new Map<FactKind, string[]>();
  for (const { name, kind, changed } of names) {
    const group = groups.get(kind) ?? [];
    group.push(changed && kind === 'path' ? `${name}*` : name);
    groups.set(kind, group);
  }
  const lines = [...groups].map(([kind, group]) => `${heads[kind]}: ${group.join(', ')}`);
  return ['Named earlier, out of view now:', ...lines].join('\n');
}

function standingNames(state: State, since: Since, bodies: Bodies): ReadonlySet<string> {
  const names = new Set<string>();
  const view = state.views.get(state.active);
  const partials = path(since.frames, state.active).flatMap(({ partial }) => partial ?? []);
  for (const { text } of [...(view?.checkpoints ?? []), ...partials])
    for (const name of factsIn(bodies.text(text)).keys()) names.add(name);
  for (const item of view?.items ?? []) {
    if (item.form !== 'whole' && item.form !== 'stray') continue;
    if (item.n > since.upTo) continue;
    for (const name of factsOf(bodies.message(item.n)).keys()) names.add(name);
  }
  for (const { n } of olderHuman(state, since.newest))
    for (const name of factsOf(bodies.message(n)).keys()) names.add(name);
  return names;
}
