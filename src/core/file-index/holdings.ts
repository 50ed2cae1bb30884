import { fading } from '../values/fading.ts';
import { lastName, settingsMeant, shortName } from '../definitions/settings.ts';
import type { GoneName } from '../files/changes.ts';
import type { MembersChanged } from '../files/members.ts';
import { shareOf } from './fact-share.ts';
import type { FileFact } from '../file-events/file-events.ts';

// What a file holds, as the log showed it, each thing with a score that fades: what
// an edit brought, what a reading showed, what is spoken of.

/** A score that fades; `at` is the compression that it is as of. */
export interface Faded {
  readonly score: number;
  readonly at: number;
}

/** Something that a file holds, or that was said of it. */
export interface Holding extends Faded, FileFact {}

/** Most things of a file that are kept; recall finds the rest. */
const mostHeld = 48;

/** What weighs a thing that was brought, shown, shown of a file outside the work, or spoken of. */
const weights = { brought: 1, shown: 0.3, aside: 0.06, spoken: 0.4 } as const;

/** The share of a score that is left after a compression that does not bring it. */
const shareLeft = fading(0.95);

/** A score as of a compression. */
export const scoreAt = ({ score, at }: Faded, now: number): number =>
  score * shareLeft(Math.max(0, now - at));

/** Something with a score that rises at a compression. */
export const raised = <T extends Faded>(one: T, gain: number, at: number): T => ({
  ...one,
  at,
  score: rounded(scoreAt(one, at) + gain),
});

/** Two scores as one, as of the later. */
export const sumAt = (earlier: Faded, later: Faded): number =>
  rounded(scoreAt(earlier, later.at) + later.score);

const rounded = (score: number): number => Math.round(score * 100) / 100;

/** Those of a list that are worth most, in its order. */
export function best<T extends Faded>(list: readonly T[], size: number, now: number): readonly T[] {
  if (list.length <= size) return list;
  const kept = new Set([...list].sort((a, b) => scoreAt(b, now) - scoreAt(a, now)).slice(0, size));
  return list.filter((one) => kept.has(one));
}

/** What a file holds after it was brought, or shown to have, something else. */
export function withFacts(
  holds: readonly Holding[],
  facts: readonly FileFact[],
  { how, at }: { readonly how: 'brought' | 'shown' | 'aside'; readonly at: number },
): readonly Holding[] {
  const all = new Map(holds.map((one) => [one.name, one]));
  for (const rawFact of facts) {
    const fact = inItsBlock(rawFact, all);
    const existing = all.get(fact.name);
    all.delete(fact.name);
    if (fact.text === '') continue;
    for (const name of all.keys())
      if (name.startsWith('.') && `.${fact.name}`.endsWith(name)) all.delete(name);
    const weighs = weights[how] * shareOf(fact.text);
    const score = Math.max(weighs, existing === undefined ? 0 : scoreAt(existing, at) + weighs / 4);
    // A head that is shown without its body says nothing of what it does.
    const isHead =
      how !== 'brought' && existing !== undefined && existing.text.startsWith(`${fact.text} (`);
    all.set(fact.name, { ...(isHead ? existing : fact), at, score: rounded(score) });
  }
  return best([...all.values()], mostHeld, at);
}

/** A setting whose block was not shown as the only known one that it may be; anything else as it is. */
function inItsBlock(fact: FileFact, holdings: ReadonlyMap<string, Holding>): FileFact {
  if (!fact.name.startsWith('.')) return fact;
  const like = [...holdings.values()].filter(({ name }) => `.${name}`.endsWith(fact.name));
  if (like.length !== 1 || like[0]!.name === fact.name) return fact;
  const [{ name, tokens }] = like as [Holding];
  const text = shortName(name) + fact.text.slice(shortName(fact.name).length);
  return { ...fact, name, text, tokens: fact.tokens + tokens };
}

/** What a file holds without what an edit took out of it, and of which nothing is told that does what went. */
export function withoutGone(
  holds: readonly Holding[],
  gone: readonly GoneName[],
): readonly Holding[] {
  if (gone.length === 0) return holds;
  const went = new Set(gone.flatMap(({ name, inside }) => (name === inside ? [name] : [])));
  const unset = new Set(gone.flatMap(({ name }) => settingsMeant(name, holds)));
  return holds
    .filter((one) => !unset.has(one))
    .filter(({ name, text }) => !went.has(name) || text.startsWith(`${name}(`))
    .map((one) => {
      if (one.bare === '') return one;
      // Behind what is told without them: up to its last sign, which a closing parenthesis may be.
      const deedsText = one.text.slice(one.bare.length - 1);
      const deeds = new Set(deedsText.match(/[A-Za-z_$][\w$]*/g));
      const isStale = gone.some(
        ({ name, inside }) =>
          (inside === '' || inside === one.name) &&
          (name.includes(' ') ? deedsText.includes(name) : deeds.has(name)),
      );
      return isStale ? { ...one, text: one.bare, bare: '' } : one;
    });
}

/** What a file holds, with the fields in its types that came beside one that they have, and without those that went. */
export function withMembers(
  holds: readonly Holding[],
  changes: readonly MembersChanged[],
): readonly Holding[] {
  let all = holds;
  for (const { beside, added, gone } of changes) {
    const like = all.filter(({ text }) => membersIn(text).includes(beside));
    const [type] = like;
    if (type === undefined || like.length > 1) continue;
    const members = membersIn(type.text);
    const fields = members
      .filter((name) => !gone.includes(name))
      .flatMap((name) =>
        name === beside ? [name, ...added.filter((one) => !members.includes(one))] : [name],
      );
    const change = (text: string): string => text.replace(braces, () => `{ ${fields.join(', ')} }`);
    const changed = { ...type, text: change(type.text), bare: change(type.bare) };
    const longer = Math.max(0, changed.text.length - type.text.length);
    all = all.map((one) => (one === type ? { ...changed, tokens: type.tokens + longer } : one));
  }
  return all;
}

/** The fields of a type, as they are told behind its head. */
const membersIn = (text: string): readonly string[] =>
  /^[^(={]*$/.test(text.split(braces, 1)[0]!) ? (braces.exec(text)?.[1]!.split(', ') ?? []) : [];
const braces = /\{ ([^{}]*) \}/;

/** What a file holds, which weighs more the more it is spoken of. */
export function withSpoken(
  holds: readonly Holding[],
  names: Readonly<Record<string, number>>,
  at: number,
): readonly Holding[] {
  const spoken = ({ name }: Holding): number => {
    const said = [name, lastName(name)].find((one) => Object.hasOwn(names, one));
    return said === undefined ? 0 : names[said]!;
  };
  if (!holds.some((one) => spoken(one) > 0)) return holds;
  return holds.map((one) => {
    const times = spoken(one);
    return times > 0 ? raised(one, weights.spoken * Math.log1p(times), at) : one;
  });
}

/** The name of what a file holds, with the value of a constant where that is short and the name does not say it. */
export function holdingLabel({ name, text, bare }: Holding): string {
  const head = bare || text;
  const rest = head.startsWith(name) ? head.slice(name.length) : '';
  const value = shortValue.exec(rest)?.[1] ?? '';
  const words = value.replace(/[^\p{L}]/gu, '').toLowerCase();
  const isSaid = words !== '' && name.toLowerCase().includes(words);
  return isSaid || beginning.test(value) ? name : name + value;
}

/** A value that a name only begins with. */
const beginning = /^ = (?:true|false|null|undefined|nil|None|-?[01]|''|""|\[\]|\{\})$/;

/** A value of some twenty characters behind a name and its type, and before what its comment says. */
const shortValue = /^(?:: [^=]{1,40})?( = [^ ({[](?:.{0,22}[\w"'`)])?)(?: \(.*\))?$/;
