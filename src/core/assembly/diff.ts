import type { Assembly, OutMessage } from './assembly.ts';
import { entitiesIn, entitiesOf, containsWord, type EntityKind } from '../text/entities.ts';
import { unmarked } from '../frames/goal-markers.ts';
import { argumentsOf, textOf, type Message } from '../messages/message.ts';
import { sections, type Section } from './section-name.ts';
import { oneLine } from '../text/sentences.ts';

/** What two assemblies have in one section, in tokens. */
export interface SectionChange {
  readonly section: Section;
  readonly before: number;
  readonly after: number;
}

/** How an entry stood and stands; null where it is not in the assembly. */
export interface EntryChange {
  readonly entry: string;
  readonly before: 'entry' | 'shortened' | null;
  readonly after: 'entry' | 'shortened' | null;
  /** Tokens before and after. */
  readonly tokens: readonly [before: number, after: number];
}

/** A name that stood in one assembly and stands in the other no more. */
export interface LostFact {
  readonly name: string;
  readonly kind: EntityKind;
}

/** What the model saw before and after. */
export interface Difference {
  readonly tokens: readonly [before: number, after: number];
  /** In the order of the assembly; those without a message on both sides are left out. */
  readonly sections: readonly SectionChange[];
  /** Entries that came, left or changed their form, oldest first. */
  readonly entries: readonly EntryChange[];
  readonly facts: {
    /** How many names of the first assembly stand in the second, too. */
    readonly kept: number;
    readonly lost: readonly LostFact[];
    /** How many names stand only in the second. */
    readonly gained: number;
  };
}

/** What changed from one assembly to another. */
export function difference(before: Assembly, after: Assembly): Difference {
  return {
    tokens: [before.budget.total, after.budget.total],
    sections: sections.flatMap((section) => sectionChange(section, before, after)),
    entries: entryChanges(before, after),
    facts: factChanges(before, after),
  };
}

function sectionChange(
  section: Section,
  before: Assembly,
  after: Assembly,
): readonly SectionChange[] {
  const tokens = ({ messages }: Assembly): number =>
    messages.reduce((sum, one) => (one.section === section ? sum + one.tokens : sum), 0);
  const change = { section, before: tokens(before), after: tokens(after) };
  return change.before + change.after === 0 ? [] : [change];
}

function entryChanges(before: Assembly, after: Assembly): readonly EntryChange[] {
  const [was, is] = [before, after].map(standing) as [MessagesByKey, MessagesByKey];
  const ids = [...new Set([...was.keys(), ...is.keys()])];
  return ids
    .sort((one, other) => Number(one.slice(1)) - Number(other.slice(1)))
    .flatMap((entry) => {
      const [old, now] = [was.get(entry), is.get(entry)];
      const forms = { before: formOf(old), after: formOf(now) };
      if (forms.before === forms.after && old?.tokens === now?.tokens) return [];
      return [{ entry, ...forms, tokens: [old?.tokens ?? 0, now?.tokens ?? 0] as const }];
    });
}

type MessagesByKey = ReadonlyMap<string, OutMessage>;

function standing({ messages }: Assembly): MessagesByKey {
  return new Map(messages.flatMap((one) => (one.entry === undefined ? [] : [[one.entry, one]])));
}

const formOf = (message: OutMessage | undefined): EntryChange['before'] =>
  message === undefined || message.kind === 'made' ? null : message.kind;

function factChanges(before: Assembly, after: Assembly): Difference['facts'] {
  const was = namesIn(before);
  const is = namesIn(after);
  const text = after.messages.map(wordsOf).join('\n');
  const line = oneLine(text);
  const lost = [...was]
    .filter(
      ([name, kind]) => !is.has(name) && !containsWord(kind === 'decision' ? line : text, name),
    )
    .map(([name, kind]) => ({ name, kind }));
  const gained = [...is.keys()].filter((name) => !was.has(name)).length;
  return { kept: was.size - lost.length, lost, gained };
}

/** Names as they are compared: a decision is the same whether it was marked as locked, or the goal says so. */
function namesIn({ messages }: Assembly): ReadonlyMap<string, EntityKind> {
  const facts = messages.flatMap((one) => [
    ...(one.role === 'system' ? entitiesIn(one.content) : entitiesOf(one)),
  ]);
  return new Map(
    facts.map(([name, kind]) => [kind === 'decision' ? unmarked(name) : name, kind] as const),
  );
}

function wordsOf(message: OutMessage): string {
  const text = textOf(message.content);
  const calls =
    message.role === 'assistant'
      ? ((message as Message & { role: 'assistant' }).toolCalls ?? [])
      : [];
  return [text, ...calls.map(argumentsOf)].join('\n');
}
