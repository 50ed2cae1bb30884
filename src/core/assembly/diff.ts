import { entriesOf, type Assembly, type OutMessage } from './assembly.ts';
import { entitiesIn, entitiesOf, containsWord, type EntityKind } from '../entities/entities.ts';
import { unmarked } from '../frames/goal-markers.ts';
import { argumentsOf, textOf } from '../messages/message.ts';
import { ordinal } from '../values/id.ts';
import { sections, type Section } from '../sections/section-name.ts';
import { oneLine } from '../text/sentences.ts';

/** A section in two assemblies, in tokens. */
export interface SectionChange {
  readonly section: Section;
  readonly before: number;
  readonly after: number;
}

/** The form of an entry in two assemblies; null where it is not in one. */
export interface EntryChange {
  readonly entry: string;
  readonly before: 'entry' | 'shortened' | null;
  readonly after: 'entry' | 'shortened' | null;
  /** Tokens before and after. */
  readonly tokens: readonly [before: number, after: number];
}

/** A name, path, number or decision that stands in an assembly. */
export interface NamedFact {
  readonly name: string;
  readonly kind: EntityKind;
}

/** The difference between two assemblies. */
export interface Difference {
  readonly tokens: readonly [before: number, after: number];
  /** In the order of the assembly; without those that are empty in both. */
  readonly sections: readonly SectionChange[];
  /** Entries that came, left or changed their form, oldest first. */
  readonly entries: readonly EntryChange[];
  /** The entities in both texts. */
  readonly facts: {
    /** Those of the first that are in the second, too. */
    readonly kept: readonly NamedFact[];
    /** Those of the first that the second lacks. */
    readonly lost: readonly NamedFact[];
    /** Those that are only in the second. */
    readonly gained: readonly NamedFact[];
  };
}

/** What changed from one assembly to another. */
export function difference(before: Assembly, after: Assembly): Difference {
  return {
    tokens: [before.budget.total, after.budget.total],
    sections: sections.flatMap((section) => sectionChange(section, before, after)),
    entries: entryChanges(before, after),
    facts: entityChanges(before, after),
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
  const [was, is] = [shownEntries(before), shownEntries(after)];
  const ids = [...new Set([...was.keys(), ...is.keys()])];
  return ids
    .sort((one, other) => ordinal(one) - ordinal(other))
    .flatMap((entry) => {
      const [old, now] = [was.get(entry), is.get(entry)];
      const forms = { before: old?.form ?? null, after: now?.form ?? null };
      const isSame = old?.tokens === now?.tokens || old?.tokens === null || now?.tokens === null;
      if (forms.before === forms.after && isSame) return [];
      return [{ entry, ...forms, tokens: [old?.tokens ?? 0, now?.tokens ?? 0] as const }];
    });
}

/** An entry as an assembly shows it; its tokens are null where it stands in a message with others. */
interface ShownEntry {
  readonly form: 'entry' | 'shortened';
  readonly tokens: number | null;
}

function shownEntries({ messages }: Assembly): ReadonlyMap<string, ShownEntry> {
  return new Map(
    messages.flatMap((message) =>
      entriesOf(message).map((entry) => [entry, shownAs(message)] as const),
    ),
  );
}

const shownAs = ({ kind, tokens }: OutMessage): ShownEntry =>
  kind === 'made' ? { form: 'entry', tokens: null } : { form: kind, tokens };

/** The entities in the messages of one prompt, or in entries, beside those of another. */
export function entityChanges(before: PromptMessages, after: PromptMessages): Difference['facts'] {
  const was = entitiesByName(before);
  const is = entitiesByName(after);
  const text = after.messages.map(fullText).join('\n');
  const line = oneLine(text);
  const isKept = (name: string, kind: EntityKind): boolean =>
    is.has(name) || containsWord(kind === 'decision' ? line : text, name);
  const facts = { kept: [] as NamedFact[], lost: [] as NamedFact[], gained: [] as NamedFact[] };
  for (const [name, kind] of was) facts[isKept(name, kind) ? 'kept' : 'lost'].push({ name, kind });
  for (const [name, kind] of is) if (!was.has(name)) facts.gained.push({ name, kind });
  return facts;
}

type PromptMessages = Pick<Assembly, 'messages'>;

/** Decisions go without their marker: the same decision may be marked as locked, or be in the goal. */
function entitiesByName({ messages }: PromptMessages): ReadonlyMap<string, EntityKind> {
  const entities = messages.flatMap((one) => [
    ...(one.role === 'system' ? entitiesIn(one.content) : entitiesOf(one)),
  ]);
  return new Map(
    entities.map(([name, kind]) => [kind === 'decision' ? unmarked(name) : name, kind] as const),
  );
}

function fullText(message: OutMessage): string {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [textOf(message.content), ...calls.map(argumentsOf)].join('\n');
}
