import { entitiesByPlace, type EntityKind, type NameKind } from './entities.ts';
import { isHuman, type Message } from '../messages/message.ts';

/** What a stretch of messages does with one name. */
export interface Mention {
  readonly name: string;
  readonly kind: NameKind;
  /** Position of the last message that holds it, from 0. */
  readonly last: number;
  /** Messages that hold it. */
  readonly messages: number;
  /** Whether a call creates or changes it: the path as the last one gave it. */
  readonly changed: string | false;
  /** How likely it is needed again; above 0, to three places. */
  readonly weight: number;
}

/** Where a name was met: messages by role, and calls. */
interface EntityUse {
  readonly name: string;
  readonly kind: Mention['kind'];
  readonly first: number;
  last: number;
  messages: number;
  person: number;
  prose: number;
  asked: number;
  output: number;
  changed: string | false;
}

type MentionSource = 'person' | 'prose' | 'asked' | 'output';

const kindWeights: Readonly<Record<Mention['kind'], number>> = {
  path: 0.6,
  identifier: 0.3,
  command: 0.4,
  error: 0.5,
  number: 0,
  url: 0,
};

/**
 * The names of `messages`, those most likely needed again first: changed files
 * before what a person said, before what the model said or passed to a tool;
 * what only tool output holds comes last; frequent, spread and late is better.
 * Decisions are sentences, not names, and are left out.
 */
export function mentionsIn(messages: readonly Message[]): readonly Mention[] {
  const tallies = new Map<string, EntityUse>();
  for (const [index, message] of messages.entries()) tally(tallies, message, index);
  const span = Math.max(1, messages.length - 1);
  return [...tallies.values()]
    .map(({ name, kind, last, messages: held, changed, ...rest }) => ({
      name,
      kind,
      last,
      messages: held,
      changed,
      weight: weigh({ name, kind, last, messages: held, changed, ...rest }, span),
    }))
    .sort((a, b) => b.weight - a.weight);
}

function tally(tallies: Map<string, EntityUse>, message: Message, index: number): void {
  const { said, asked, changed } = entitiesByPlace(message);
  const role = message.role === 'assistant' ? 'prose' : isHuman(message) ? 'person' : 'output';
  const meet = (facts: ReadonlyMap<string, EntityKind>, where: MentionSource): void => {
    for (const [name, kind] of facts) {
      if (kind === 'decision') continue;
      const known = tallies.get(name) ?? fresh(name, kind, index);
      if (known.messages === 0) tallies.set(name, known);
      if (known.messages === 0 || known.last !== index) known.messages += 1;
      known.last = index;
      known[where] += 1;
    }
  };
  meet(said, role);
  meet(asked, 'asked');
  for (const [name, path] of changed) {
    const known = tallies.get(name);
    if (known !== undefined) known.changed = path;
  }
}

const fresh = (name: string, kind: EntityUse['kind'], index: number): EntityUse => ({
  name,
  kind,
  first: index,
  last: index,
  messages: 0,
  person: 0,
  prose: 0,
  asked: 0,
  output: 0,
  changed: false,
});

// The weights were set by hand; weights learnt from what was later needed are
// no better. Rounded, so that a stored weight is short and the same everywhere.
function weigh(tally: EntityUse, span: number): number {
  const spoken = tally.person + tally.prose + tally.asked;
  const weight =
    1.5 +
    Math.log(tally.messages) +
    (0.7 * tally.last) / span +
    (0.5 * (tally.last - tally.first)) / span +
    1.2 * Math.min(tally.person, 2) +
    Math.log1p(tally.prose) +
    Math.log1p(tally.asked) +
    (tally.changed === false ? 0 : 1.5) -
    (spoken === 0 ? 1.4 : 0) +
    kindWeights[tally.kind];
  return Math.round(weight * 1_000) / 1_000;
}

/** Of paths that are the end of one other only, that one: the same file, said shorter. */
export function wholePaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const ends = new Map<string, Set<string>>();
  for (const one of new Set(paths))
    for (let at = one.indexOf('/'); at >= 0; at = one.indexOf('/', at + 1)) {
      const end = one.slice(at + 1);
      ends.set(end, (ends.get(end) ?? new Set()).add(one));
    }
  const longestOf = (one: string): string => {
    const longer = [...(ends.get(one) ?? [])];
    const most = longer.toSorted((a, b) => b.length - a.length)[0];
    return most !== undefined && longer.every((other) => most.endsWith(other)) ? most : one;
  };
  return new Map(paths.map((one) => [one, longestOf(one)]));
}
