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

/** What writing the ledger needs to know. */
export interface LedgerContext {
  /** The blocks as they stand, with their texts. */
  readonly blocks: readonly (LedgerBlock & { readonly body: string })[];
  /** What it may show, best first. */
  readonly names: Iterable<LedgerName>;
  /** Most tokens of all blocks. */
  readonly cap: number;
  readonly count: Count;
}

/** The blocks that stay, and the text of a new one; '' for none. */
export interface LedgerPlan {
  readonly kept: readonly LedgerBlock[];
  readonly added: string;
}

/** Share of the cap that a ledger written anew takes, so that there is room for what comes. */
const anew = 0.8;
/** Share of the cap that a further block takes at most. */
const further = 0.08;

const heads: Readonly<Record<NameKind, string>> = {
  path: 'Files (* changed)',
  command: 'Commands',
  identifier: 'Names',
  number: 'Values',
  error: 'Errors',
  url: 'Links',
};
const title = 'Named earlier, out of view now:';
/** Tokens that the head of a line takes at most. */
const headTokens = 6;

/** What the ledger shows in an epoch that begins now: its blocks and one more, or all of it anew. */
export function planLedger({ blocks, names, cap, count }: LedgerContext): LedgerPlan {
  const used = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  const room = Math.min(cap * further, cap - used) - overhead.message;
  if (blocks.length > 0 && room >= cap * further * 0.5) {
    const fresh = fitting(names, { room, count, standing: standingIn(blocks) });
    return { kept: blocks.map(bare), added: print(fresh, '') };
  }
  const most = cap * anew - overhead.message - count(title);
  return { kept: [], added: print(fitting(names, { room: most, count }), title) };
}

const bare = ({ text, tokens, upTo }: LedgerBlock): LedgerBlock => ({ text, tokens, upTo });

/** As many of the names that do not stand already as there is room for, in tokens. */
function fitting(
  names: Iterable<LedgerName>,
  given: { room: number; count: Count; standing?: PrintedNames },
): readonly LedgerName[] {
  const kinds = new Set<NameKind>();
  const kept: LedgerName[] = [];
  let left = given.room;
  for (const name of names) {
    if (given.standing !== undefined && stands(name, given.standing)) continue;
    left -= given.count(` ${name.name}`) + (name.kind === 'command' || name.changed ? 1 : 0);
    if (!kinds.has(name.kind)) left -= headTokens;
    if (left < 0) break;
    kinds.add(name.kind);
    kept.push(name);
  }
  return kept;
}

/** Names under their kinds. What has no spaces needs no comma either: a fifth more names in the same room. */
function print(names: readonly LedgerName[], head: string): string {
  if (names.length === 0) return '';
  const groups = new Map<NameKind, string[]>();
  for (const name of names) {
    const group = groups.get(name.kind) ?? [];
    group.push(printed(name));
    groups.set(name.kind, group);
  }
  const lines = [...groups].map(
    ([kind, group]) => `${heads[kind]}: ${group.join(kind === 'command' ? '; ' : ' ')}`,
  );
  return [head, ...lines].filter((line) => line !== '').join('\n');
}

const standing = new WeakMap<LedgerContext['blocks'], PrintedNames>();

/** What blocks show, as it is printed. */
interface PrintedNames {
  readonly words: ReadonlySet<string>;
  /** The commands of all blocks, each between semicolons. */
  readonly commands: string;
}

/** Remembered, because the same blocks are planned with under each factor. */
function standingIn(blocks: LedgerContext['blocks']): PrintedNames {
  const known = standing.get(blocks);
  if (known !== undefined) return known;
  const lines = blocks.flatMap(({ body }) => body.split('\n'));
  const head = `${heads.command}: `;
  const found: PrintedNames = {
    words: new Set(lines.flatMap((line) => (line.startsWith(head) ? [] : line.split(' ')))),
    commands: lines
      .filter((line) => line.startsWith(head))
      .map((line) => `; ${line.slice(head.length)}; `)
      .join(''),
  };
  standing.set(blocks, found);
  return found;
}

/** Whether a name stands as it would be printed now; a file that was changed since does not. */
function stands(name: LedgerName, { words, commands }: PrintedNames): boolean {
  if (name.kind === 'command') return commands.includes(`; ${name.name}; `);
  return words.has(printed(name)) || words.has(`${name.name}*`);
}

const printed = ({ name, kind, changed }: LedgerName): string =>
  changed && kind === 'path' ? `${name}*` : name;

/** A name longer than this many characters is recall's, not the ledger's. */
const longestName = 160;

/**
 * The names that the ledger may show in an epoch that begins now, best first:
 * those that stand neither in the checkpoints and partial results nor in what
 * is shown verbatim.
 */
export function missingNames(state: State, bodies: Bodies): Iterable<LedgerName> {
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
    for (const name of entitiesIn(bodies.text(text)).keys()) names.add(name);
  const whole = (view?.items ?? []).filter(({ form }) => form === 'whole' || form === 'stray');
  for (const { n } of [...whole, ...olderHuman(state, state.newest)])
    for (const name of entitiesOf(bodies.message(n)).keys()) names.add(name);
  return names;
}
