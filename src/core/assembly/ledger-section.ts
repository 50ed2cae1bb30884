import { type NameKind, entitiesIn, entitiesOf } from '../text/entities.ts';
import { type LedgerName, ranked } from '../breadcrumbs/ledger.ts';
import { overhead, type Count } from '../messages/token-count.ts';
import type { LedgerBlock } from '../state/view.ts';
import type { Bodies } from '../messages/bodies.ts';
import { olderHuman } from './human-section.ts';
import type { State } from '../state/state.ts';
import { path } from '../frames/tree.ts';

// The ledger as the model sees it is written in blocks, each after what people
// had said by then, and stays as it is from epoch to epoch: names that left the
// window meanwhile go into a new block at the end. Only when its share is used
// up is it written anew, without what faded. So a server's prompt cache keeps
// most of it through a compression.

/** What the blocks of the next epoch are planned from. */
export interface LedgerContext {
  /** The present blocks with their texts. */
  readonly blocks: readonly (LedgerBlock & { readonly body: string })[];
  /** The names to show, best first. */
  readonly names: Iterable<LedgerName>;
  /** Most tokens of all blocks. */
  readonly cap: number;
  readonly count: Count;
}

/** The blocks that stay, and the text of a new one; '' for none. */
interface LedgerPlan {
  readonly kept: readonly LedgerBlock[];
  readonly added: string;
}

/** What the ledger shows in an epoch that begins now: its blocks and one more, or all of it anew. */
export function planLedger({ blocks, names, cap, count }: LedgerContext): LedgerPlan {
  const used = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  const room = Math.min(cap * blockShare, cap - used) - overhead.message;
  if (blocks.length > 0 && room >= cap * blockShare * 0.5) {
    const fresh = fittingNames(names, { room, count, shown: printedNames(blocks) });
    return { kept: blocks.map(withoutBody), added: print(fresh, '') };
  }
  const most = cap * rewriteShare - overhead.message - count(title);
  const all = fittingNames(names, { room: most, count, shown: null });
  return { kept: [], added: print(all, title) };
}

/** The names that the ledger may show in an epoch that begins now, best first: those that no other part of the assembly shows. */
export function missingNames(state: State, bodies: Bodies): Iterable<LedgerName> {
  if (state.ledger.names.length === 0) return [];
  const shown = namesInView(state, bodies);
  const names = ranked(state.ledger);
  return {
    *[Symbol.iterator]() {
      for (const name of names)
        if (name.name.length <= longestName && !shown.has(name.name)) yield name;
    },
  };
}

/** Share of the cap that a rewritten ledger takes, so that there is room for later blocks. */
const rewriteShare = 0.8;
/** Share of the cap that one more block takes at most. */
const blockShare = 0.08;
/** Longest name that the ledger shows, in UTF-16 units; longer ones are left to recall. */
const longestName = 160;

const title = 'Named earlier, out of view now:';
const labels: Readonly<Record<NameKind, string>> = {
  path: 'Files (* changed)',
  command: 'Commands',
  identifier: 'Names',
  number: 'Values',
  error: 'Errors',
  url: 'Links',
};
/** Most tokens of a label. */
const labelTokens = 6;

const withoutBody = ({ text, tokens, upTo }: LedgerBlock): LedgerBlock => ({ text, tokens, upTo });

/** The first names that are not shown yet, as many as there is room for, in tokens. */
function fittingNames(
  names: Iterable<LedgerName>,
  { room, count, shown }: { room: number; count: Count; shown: PrintedNames | null },
): readonly LedgerName[] {
  const kinds = new Set<NameKind>();
  const fitting: LedgerName[] = [];
  let left = room;
  for (const name of names) {
    if (shown !== null && isPrinted(name, shown)) continue;
    left -= count(` ${name.name}`) + (name.kind === 'command' || name.changed ? 1 : 0);
    if (!kinds.has(name.kind)) left -= labelTokens;
    if (left < 0) break;
    kinds.add(name.kind);
    fitting.push(name);
  }
  return fitting;
}

/** Names under their kinds. What has no spaces needs no comma either: a fifth more names in the same room. */
function print(names: readonly LedgerName[], head: string): string {
  if (names.length === 0) return '';
  const groups = new Map<NameKind, string[]>();
  for (const name of names) {
    const group = groups.get(name.kind) ?? [];
    group.push(printName(name));
    groups.set(name.kind, group);
  }
  const lines = [...groups].map(
    ([kind, group]) => `${labels[kind]}: ${group.join(kind === 'command' ? '; ' : ' ')}`,
  );
  return [head, ...lines].filter((line) => line !== '').join('\n');
}

const printName = ({ name, kind, changed }: LedgerName): string =>
  changed && kind === 'path' ? `${name}*` : name;

/** The names of some blocks as they were printed. */
interface PrintedNames {
  readonly words: ReadonlySet<string>;
  /** The commands of all blocks, each between semicolons. */
  readonly commands: string;
}

const printed = new WeakMap<LedgerContext['blocks'], PrintedNames>();

/** Cached, because the same blocks are planned with under each factor. */
function printedNames(blocks: LedgerContext['blocks']): PrintedNames {
  const known = printed.get(blocks);
  if (known !== undefined) return known;
  const lines = blocks.flatMap(({ body }) => body.split('\n'));
  const head = `${labels.command}: `;
  const found: PrintedNames = {
    words: new Set(lines.flatMap((line) => (line.startsWith(head) ? [] : line.split(' ')))),
    commands: lines
      .filter((line) => line.startsWith(head))
      .map((line) => `; ${line.slice(head.length)}; `)
      .join(''),
  };
  printed.set(blocks, found);
  return found;
}

/** Whether a name was printed as it would be now; a file that was changed since was not. */
function isPrinted(name: LedgerName, { words, commands }: PrintedNames): boolean {
  if (name.kind === 'command') return commands.includes(`; ${name.name}; `);
  return words.has(printName(name)) || words.has(`${name.name}*`);
}

/** The names in checkpoints, partial results and verbatim messages. */
function namesInView(state: State, bodies: Bodies): ReadonlySet<string> {
  const names = new Set<string>();
  const view = state.views.get(state.active);
  const partials = path(state.frames, state.active).flatMap(({ partial }) => partial ?? []);
  for (const { text } of [...(view?.checkpoints ?? []), ...partials])
    for (const name of entitiesIn(bodies.text(text)).keys()) names.add(name);
  const whole = (view?.items ?? []).filter(({ form }) => form === 'whole' || form === 'stray');
  for (const { n } of [...whole, ...olderHuman(state, state.newest)])
    for (const name of entitiesOf(bodies.message(n)).keys()) names.add(name);
  return names;
}
