import {
  mergeBreadcrumbs,
  mostBreadcrumbs,
  newestEntries,
  type Breadcrumb,
  type BreadcrumbType,
} from './breadcrumb.ts';
import {
  commandsOf,
  entitiesIn,
  entitiesOf,
  entitiesByPlace,
  containsWord,
  type NameKind,
} from '../text/entities.ts';
import { entryId, type EntryId } from '../values/id.ts';
import { mentionsIn, type Mention } from '../text/salience.ts';
import { isHuman, textOf, type Message } from '../messages/message.ts';
import { clip, withinScanLimit, oneLine } from '../text/sentences.ts';

// The breadcrumbs of entries that leave the window. What was changed, what was
// decided and what the summary lost goes first; what it kept fills up to a few.

/** One entry that leaves. */
export interface LeavingEntry {
  readonly n: number;
  readonly message: Message;
}

/** So many are left in any case, if there is that much; more only for what was lost or changed. */
const usual = 20;

/** Weight below which a lost name is left to recall: it stood in output only, and seldom. */
const worth = 2.4;

/** Longest hint, in UTF-16 units. */
const longest = 60;

/** Longest decision, in UTF-16 units. */
const longestDecision = 100;

/** The breadcrumbs of `entries` that a summary now stands for, of which `lost` names the facts it does not hold. */
export function breadcrumbsFor(
  entries: readonly LeavingEntry[],
  lost: ReadonlySet<string>,
): readonly Breadcrumb[] {
  const mentions = mentionsIn(entries.map(({ message }) => message)).filter(isNamed);
  const needed = mentions.filter(
    ({ name, weight, changed }) => changed || (lost.has(name) && weight >= worth),
  );
  const stated = [...decisionsIn(entries), ...citationsIn(entries)];
  const missed = stated.filter(({ type, text }) => type === 'external' || lost.has(text));
  const chosen = new Set(inTurn(needed, missed).slice(0, mostBreadcrumbs));
  const said = mentions.filter(({ weight }) => weight >= worth);
  for (const one of [...inTurn(said, stated), ...inTurn(mentions, [])]) {
    if (chosen.size >= usual) break;
    chosen.add(one);
  }
  const crumbs = [...chosen].map((one) =>
    'text' in one ? ofStated(one, entries) : ofMention(one, entries),
  );
  return mergeBreadcrumbs([crumbs.sort((a, b) => lastOf(a) - lastOf(b))]);
}

/** The hint of what only the longer text of a checkpoint held. */
export const shortenedHint = 'in a checkpoint, before it was shortened';

/** What a checkpoint's text held before it was shortened, and holds after. */
export interface ShortenedText {
  readonly before: string;
  readonly after: string;
  /** Breadcrumbs that there are already. */
  readonly known: readonly Breadcrumb[];
  /** The entries that a name came from, as far as anybody knows. */
  readonly entriesOf: (name: string) => readonly EntryId[];
}

/** The breadcrumbs of what a text loses when it is shortened: one of each type in turn, as far as none leads there. */
export function breadcrumbsLost({
  before,
  after,
  known,
  entriesOf,
}: ShortenedText): readonly Breadcrumb[] {
  const standing = entitiesIn(after);
  const led = new Set(
    known.map(({ type, reference, hint }) => (type === 'decision' ? hint : reference)),
  );
  const byType = new Map<BreadcrumbType, Breadcrumb[]>();
  for (const [name, kind] of entitiesIn(before)) {
    const type = kind === 'decision' ? kind : typeOf({ kind, name });
    if (type === null || standing.has(name) || containsWord(after, name)) continue;
    const entries = entriesOf(name);
    const text = clip(name, longestDecision);
    const crumb =
      type === 'decision'
        ? {
            type,
            reference: [...new Set([entries[0], entries.at(-1)])].join('–'),
            hint: text,
            entries,
          }
        : { type, reference: name, hint: shortenedHint, entries };
    if (led.has(type === 'decision' ? text : name)) continue;
    byType.set(type, [...(byType.get(type) ?? []), crumb]);
  }
  const lists = [...byType.values()];
  const turns = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list[turn] ?? []))
    .flat()
    .slice(0, usual);
}

const lastOf = ({ entries }: Breadcrumb): number => Number(entries.at(-1)?.slice(1) ?? 0);

/** A sentence or a citation, as it stands in an entry. */
interface Stated {
  readonly type: 'decision' | 'external';
  readonly text: string;
  readonly entry: EntryId;
}

type BreadcrumbSource = Mention | Stated;

/** Candidates by type, one of each in turn, so that no type takes all the room. */
function inTurn(
  mentions: readonly Mention[],
  stated: readonly Stated[],
): readonly BreadcrumbSource[] {
  const lists = new Map<BreadcrumbType, BreadcrumbSource[]>([
    ['decision', stated.filter(({ type }) => type === 'decision')],
    ['external', stated.filter(({ type }) => type === 'external')],
  ]);
  for (const mention of mentions) {
    const type = typeOf(mention)!;
    const list = lists.get(type);
    if (list === undefined) lists.set(type, [mention]);
    else list.push(mention);
  }
  const turns = Math.max(0, ...[...lists.values()].map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) =>
    [...lists.values()].flatMap((list) => list[turn] ?? []),
  ).flat();
}

const types: Readonly<Record<NameKind, BreadcrumbType | null>> = {
  path: 'file',
  identifier: 'function',
  command: 'action',
  url: 'external',
  error: null,
  number: null,
};

/** What a name leads to; null for what is no place to look: errors, versions, bare numbers. */
function typeOf({ kind, name }: Pick<Mention, 'kind' | 'name'>): BreadcrumbType | null {
  if (kind === 'number' && /^#\d/.test(name)) return 'external';
  return types[kind];
}

const isNamed = (mention: Mention): boolean => typeOf(mention) !== null;

/** Decisions of a stretch, the newest first, each once. */
function decisionsIn(entries: readonly LeavingEntry[]): readonly Stated[] {
  const found = new Map<string, Stated>();
  for (const { n, message } of entries.toReversed())
    for (const [text, kind] of entitiesOf(message))
      if (kind === 'decision' && !found.has(text))
        found.set(text, { type: 'decision', text, entry: entryId(n) });
  return [...found.values()];
}

/** Papers, standards and the like, which are no links. */
const citation =
  /\b(?:arxiv:\s?\d{4}\.\d{4,5}(?:v\d{1,2})?|doi:\s?10\.\d{4,9}\/[\w.()/:;-]{1,80}\w|RFC ?\d{3,5}|CVE-\d{4}-\d{4,7})\b/gi;

/** What people and the model cite, the newest first, each once. */
function citationsIn(entries: readonly LeavingEntry[]): readonly Stated[] {
  const found = new Map<string, Stated>();
  for (const { n, message } of entries.toReversed()) {
    if (message.role === 'tool') continue;
    for (const [text] of withinScanLimit(textOf(message.content)).matchAll(citation))
      if (!found.has(text)) found.set(text, { type: 'external', text, entry: entryId(n) });
  }
  return [...found.values()];
}

function ofStated({ type, text, entry }: Stated, entries: readonly LeavingEntry[]): Breadcrumb {
  if (type === 'decision')
    return { type, reference: entry, hint: clip(text, longestDecision), entries: [entry] };
  const source = entries.find(({ n }) => entryId(n) === entry);
  const hint = source === undefined ? '' : hintOf(source.message, text, false);
  return { type, reference: text, hint, entries: [entry] };
}

function ofMention(mention: Mention, entries: readonly LeavingEntry[]): Breadcrumb {
  const { name, last, changed } = mention;
  const holding = entries.filter(({ message }) => entitiesOf(message).has(name));
  const maker = changed
    ? holding.findLast(({ message }) => entitiesByPlace(message).changed.has(name))
    : undefined;
  const source =
    maker ?? holding.findLast(({ message }) => message.role !== 'tool') ?? entries[last];
  return {
    type: typeOf(mention)!,
    reference: name,
    hint: source === undefined ? '' : hintOf(source.message, name, maker !== undefined),
    entries: newestEntries(holding.map(({ n }) => entryId(n))),
  };
}

/** What an entry has to do with a name: the line of prose that says it, else what was done with it. */
function hintOf(message: Message, name: string, changed: boolean): string {
  if (message.role === 'tool') return clip(`in the output of ${message.name ?? 'a tool'}`, longest);
  const line = message.role === 'user' && !isHuman(message) ? '' : lineWith(message, name);
  if (line !== '' && !changed) return line;
  if (message.role === 'user') return isHuman(message) ? 'said by a person' : 'in machine text';
  if (commandsOf(message).includes(name)) return 'was run';
  const call = (message.toolCalls ?? []).find(({ arguments: given }) =>
    containsWord(typeof given === 'string' ? withinScanLimit(given) : JSON.stringify(given), name),
  );
  if (call === undefined) return line;
  return clip(`${changed ? 'changed' : 'used'} by ${oneLine(call.name)}`, longest);
}

/** The part of the first line with a name that says something about it; '' where it stands alone. */
function lineWith(message: Message, name: string): string {
  const text = withinScanLimit(textOf(message.content));
  const at = text.indexOf(name);
  if (at < 0) return '';
  const opening = text.lastIndexOf('\n', at) + 1;
  const start = Math.max(opening, at - longest / 2);
  const end = text.indexOf('\n', at);
  const before = text.slice(start, at);
  const after = text.slice(at, Math.min(end < 0 ? text.length : end, at + 4 * longest));
  const line = oneLine((start === opening ? before : before.replace(/^\S*\s?/, '')) + after);
  const words = line.replace(/^(?:[-*+•#>]{1,6}|\d{1,3}[.)])\s/, '');
  return words.length < name.length + 8 ? '' : clip(words, longest);
}
