import { entitiesByPlace, type Entities, type NameKind } from './entities.ts';
import { personText, type Message } from '../messages/message.ts';
import { atOnce, growInParts, type Part } from '../values/parts.ts';

// How likely a name is needed again, by who used it and how often. The weights
// were set by hand; weights learnt from what was later needed are no better.

/** A name that messages hold, with its salience. */
export interface Mention {
  readonly name: string;
  readonly kind: NameKind;
  /** Position of the last message that holds it, from 0. */
  readonly last: number;
  /** Messages that hold it. */
  readonly messages: number;
  /** Messages in which a person or the model says it. */
  readonly said: number;
  /** Messages that pass it to a tool. */
  readonly asked: number;
  /** Whether a call creates or changes it: the path as the last one gave it. */
  readonly changed: string | false;
  /** How likely it is needed again; above 0, to three places. */
  readonly weight: number;
}

/**
 * The names of `messages`, those most likely needed again first: changed files
 * before what a person said, before what the model said or passed to a tool;
 * what only tool output holds comes last; frequent, spread and late is better.
 * Decisions are sentences, not names, and are left out.
 */
export function mentionsIn(messages: readonly Message[], part: Part = atOnce): readonly Mention[] {
  const uses = growInParts(messages, part, {
    from: () => new Map<string, NameUse>(),
    add: addUses,
  });
  const lastIndex = Math.max(1, messages.length - 1);
  const mentions = part(() => [...uses.values()].map((use) => toMention(use, lastIndex)));
  return part(() => mentions.sort((a, b) => b.weight - a.weight));
}

const toMention = (use: NameUse, lastIndex: number): Mention => ({
  name: use.name,
  kind: use.kind,
  last: use.last,
  messages: use.messages,
  said: use.person + use.prose,
  asked: use.asked,
  changed: use.changed,
  weight: weigh(use, lastIndex),
});

/** The longest path that ends with each path, where all others that end with it are ends of that one; else the path itself. */
export function wholePaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const longer = new Map<string, Set<string>>();
  for (const path of new Set(paths))
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const end = path.slice(at + 1);
      longer.set(end, (longer.get(end) ?? new Set()).add(path));
    }
  const wholeOf = (path: string): string => {
    const others = [...(longer.get(path) ?? [])];
    const longest = others.toSorted((a, b) => b.length - a.length)[0];
    return longest !== undefined && others.every((other) => longest.endsWith(other))
      ? longest
      : path;
  };
  return new Map(paths.map((path) => [path, wholeOf(path)]));
}

type NameSource = 'person' | 'prose' | 'asked' | 'output';

/** The uses of one name: messages that hold it, and of each source how many. */
interface NameUse extends Record<NameSource, number> {
  readonly name: string;
  readonly kind: NameKind;
  readonly first: number;
  last: number;
  messages: number;
  changed: string | false;
}

function addUses(uses: Map<string, NameUse>, message: Message, index: number): void {
  const { said, asked, changed } = entitiesByPlace(message);
  const typed = personText(message);
  const add = (entities: Entities, from: NameSource): void => {
    for (const [name, kind] of entities) {
      if (kind === 'decision') continue;
      const source = from === 'output' && typed.includes(name) ? 'person' : from;
      const use = uses.get(name) ?? unused(name, kind, index);
      if (use.messages === 0) uses.set(name, use);
      if (use.messages === 0 || use.last !== index) use.messages += 1;
      use.last = index;
      use[source] += 1;
    }
  };
  add(said, message.role === 'assistant' ? 'prose' : 'output');
  add(asked, 'asked');
  for (const [name, path] of changed) {
    const use = uses.get(name);
    if (use !== undefined) use.changed = path;
  }
}

const unused = (name: string, kind: NameKind, index: number): NameUse => ({
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

const kindWeights: Readonly<Record<NameKind, number>> = {
  path: 0.6,
  identifier: 0.3,
  command: 0.4,
  error: 0.5,
  number: 0,
  url: 0,
};

/** The weight of a name, rounded so that it is short and the same everywhere. */
function weigh(use: NameUse, lastIndex: number): number {
  const spoken = use.person + use.prose + use.asked;
  const weight =
    1.5 +
    Math.log(use.messages) +
    (0.7 * use.last) / lastIndex +
    (0.5 * (use.last - use.first)) / lastIndex +
    1.2 * Math.min(use.person, 2) +
    Math.log1p(use.prose) +
    Math.log1p(use.asked) +
    (use.changed === false ? 0 : 1.5) -
    (spoken === 0 ? 1.4 : 0) +
    kindWeights[use.kind];
  return Math.round(weight * 1_000) / 1_000;
}
