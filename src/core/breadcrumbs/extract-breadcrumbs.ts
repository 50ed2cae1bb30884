import { callsOf } from '../commands/scripted-calls.ts';
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
  wordFinder,
  type NameKind,
} from '../entities/entities.ts';
import { entryId, type EntryId } from '../values/id.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';
import { readLately, readOnce } from '../values/read-once.ts';
import { mentionsIn, type Mention } from '../entities/salience.ts';
import {
  authoredText,
  isHuman,
  personText,
  type LeavingEntry,
  type Message,
  type ToolCall,
} from '../messages/message.ts';
import { isRejected, mostTurnsBack } from '../people/rejections.ts';
import { clip, oneLine, withinScanLimit } from '../text/sentences.ts';
import { leadsSomewhere, passing } from './worth-looking.ts';

// The breadcrumbs of entries that leave the window. Changed files, decisions and
// what the summary lost come first; what it kept fills up to a few.

/** Breadcrumbs that are made in any case, if there is enough to name; more only for what was lost or changed. */
const usual = 20;

/** Least weight of a name that gets a breadcrumb for being lost; a lighter one was seldom in output only. */
const leastWeight = 2.4;

/** Longest hint, in UTF-16 units. */
const longest = 60;

/** Longest decision, in UTF-16 units. */
const longestDecision = 100;

/** The breadcrumbs of `entries` that a summary now stands for; `lost` are the entities that it does not hold. */
export function breadcrumbsFor(
  entries: readonly LeavingEntry[],
  lost: ReadonlySet<string>,
  part: Part = atOnce,
): readonly Breadcrumb[] {
  const messages = entries.map(({ message }) => message);
  const mentioned = part(() => mentionsIn(messages, part));
  const named = part(() => mentioned.filter(isNamed));
  const leads = mapInParts(named, part, (one) => leadsSomewhere(one, entries));
  const mentions = named.filter((_, index) => leads[index]);
  return chosenBreadcrumbs(entries, { lost, mentions, part });
}

function chosenBreadcrumbs(
  entries: readonly LeavingEntry[],
  context: {
    readonly lost: ReadonlySet<string>;
    readonly mentions: readonly Mention[];
    readonly part: Part;
  },
): readonly Breadcrumb[] {
  const { lost, mentions, part } = context;
  const needed = mentions.filter(
    ({ name, weight, changed }) => changed || (lost.has(name) && weight >= leastWeight),
  );
  const stated = [...part(() => decisionsIn(entries)), ...part(() => citationsIn(entries))];
  const missed = stated.filter(({ type, text }) => type === 'external' || lost.has(text));
  const chosen = new Set(inTurn(needed, missed, mostBreadcrumbs));
  const said = mentions.filter(({ weight }) => weight >= leastWeight);
  for (const one of [...inTurn(said, stated, 2 * usual), ...inTurn(mentions, [], 2 * usual)]) {
    if (chosen.size >= usual) break;
    chosen.add(one);
  }
  const holding = part(() => entriesHolding(chosen, entries));
  const breadcrumbs = mapInParts([...chosen], part, (one) =>
    'text' in one ? fromQuotation(one, entries) : fromMention(one, holding.get(one.name) ?? []),
  );
  return mergeBreadcrumbs([breadcrumbs.toSorted((a, b) => lastOf(a) - lastOf(b))]);
}

/** The hint of a breadcrumb to what only the longer text of a checkpoint held. */
export const shortenedHint = 'in a checkpoint, before it was shortened';

/** The text of a checkpoint before and after it was shortened. */
interface ShortenedText {
  readonly before: string;
  readonly after: string;
  /** Breadcrumbs that it has already. */
  readonly known: readonly Breadcrumb[];
  /** The entries that a name came from, as far as known. */
  readonly entriesOf: (name: string) => readonly EntryId[];
}

/** The entities of the text of a checkpoint, which is shortened several times. */
const entitiesRead = readLately(entitiesIn);

/** New breadcrumbs of the entities that a text loses when it is shortened, one of each type in turn. */
export function breadcrumbsLost({
  before,
  after,
  known,
  entriesOf,
}: ShortenedText): readonly Breadcrumb[] {
  if (after === before) return [];
  const kept = entitiesRead(after);
  const knownTexts = new Set(
    known.map(({ type, reference, hint }) => (type === 'decision' ? hint : reference)),
  );
  const byType = new Map<BreadcrumbType, Breadcrumb[]>();
  const isIn = wordFinder(after);
  for (const [name, kind] of entitiesRead(before)) {
    const type = kind === 'decision' ? kind : typeOf({ kind, name });
    if (type === null || kept.has(name) || isIn(name)) continue;
    if (kind === 'decision' && passing.test(name)) continue;
    const [head, from] = /^(e\d+)(?:–e\d+)? /.exec(kind === 'decision' ? name : '') ?? [''];
    const text = clip(plain(name.slice(head.length)), longestDecision);
    if (knownTexts.has(type === 'decision' ? text : name)) continue;
    const entries = from === undefined ? entriesOf(name) : [from as EntryId];
    const breadcrumb =
      type === 'decision'
        ? {
            type,
            reference: [...new Set([entries[0], entries.at(-1)])].join('–'),
            hint: text,
            entries,
          }
        : { type, reference: name, hint: shortenedHint, entries };
    byType.set(type, [...(byType.get(type) ?? []), breadcrumb]);
  }
  return oneOfEach([...byType.values()], usual);
}

/** A text without bold marks, so that one decision is told once. */
const plain = (text: string): string => text.replaceAll('**', '');

const lastOf = ({ entries }: Breadcrumb): number => Number(entries.at(-1)?.slice(1) ?? 0);

/** A decision or citation in an entry, verbatim. */
interface Quotation {
  readonly type: 'decision' | 'external';
  readonly text: string;
  readonly entry: EntryId;
}

type BreadcrumbSource = Mention | Quotation;

/** At most `most` sources of breadcrumbs, one of each type in turn, so that no type takes all the room. */
function inTurn(
  mentions: readonly Mention[],
  stated: readonly Quotation[],
  most: number,
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
  return oneOfEach([...lists.values()], most);
}

/** The members of lists, one of each in turn; `most` of them. */
function oneOfEach<T>(lists: readonly (readonly T[])[], most: number): readonly T[] {
  const turns = Math.max(0, ...lists.map(({ length }) => length));
  const taken: T[] = [];
  for (let turn = 0; turn < turns && taken.length < most; turn += 1)
    for (const list of lists) if (turn < list.length) taken.push(list[turn]!);
  return taken.slice(0, most);
}

const types: Readonly<Record<NameKind, BreadcrumbType | null>> = {
  path: 'file',
  identifier: 'function',
  command: 'action',
  url: 'external',
  error: null,
  number: null,
};

/** Folders that hold no work: somebody's home, a device. */
const noPlace = /^(?:Users|home|dev)\/[^/.]+$/;

/** The type of breadcrumb that a name makes; null for plain words, folders that hold no work, errors, versions and bare numbers, which lead nowhere. */
function typeOf({ kind, name }: Pick<Mention, 'kind' | 'name'>): BreadcrumbType | null {
  if (kind === 'number' && /^#\d/.test(name)) return 'external';
  if (kind === 'identifier' && /^[a-z]+$/.test(name)) return null;
  if (kind === 'path' && noPlace.test(name)) return null;
  return types[kind];
}

const isNamed = (mention: Mention): boolean => typeOf(mention) !== null;

/** The decisions in entries that no person rejects in them, the newest first, each once. */
function decisionsIn(entries: readonly LeavingEntry[]): readonly Quotation[] {
  const decisions = new Map<string, Quotation>();
  let later: readonly string[] = [];
  for (const { n, message } of entries.toReversed()) {
    if (isHuman(message)) later = [personText(message), ...later].slice(0, mostTurnsBack);
    const isOut = (text: string): boolean =>
      later.some((said, index) => isRejected(text, said, index === 0));
    for (const [text, kind] of entitiesOf(message))
      if (kind === 'decision' && !passing.test(text) && !decisions.has(text) && !isOut(text))
        decisions.set(text, { type: 'decision', text, entry: entryId(n) });
  }
  return [...decisions.values()];
}

/** References to papers, standards and the like that are no links. */
const citation =
  /\b(?:arxiv:\s?\d{4}\.\d{4,5}(?:v\d{1,2})?|doi:\s?10\.\d{4,9}\/[\w.()/:;-]{1,80}\w|RFC ?\d{3,5}|CVE-\d{4}-\d{4,7})\b/gi;

/** The citations of people and the model, the newest first, each once. */
function citationsIn(entries: readonly LeavingEntry[]): readonly Quotation[] {
  const citations = new Map<string, Quotation>();
  for (const { n, message } of entries.toReversed()) {
    if (message.role === 'tool') continue;
    for (const [text] of withinScanLimit(authoredText(message)).matchAll(citation))
      if (!citations.has(text)) citations.set(text, { type: 'external', text, entry: entryId(n) });
  }
  return [...citations.values()];
}

function fromQuotation(
  { type, text, entry }: Quotation,
  entries: readonly LeavingEntry[],
): Breadcrumb {
  if (type === 'decision')
    return { type, reference: entry, hint: clip(plain(text), longestDecision), entries: [entry] };
  const source = entries.find(({ n }) => entryId(n) === entry);
  const hint = source === undefined ? '' : hintOf(source.message, text, false);
  return { type, reference: text, hint, entries: [entry] };
}

/** The entries that hold the names of mentions. */
function entriesHolding(
  sources: Iterable<BreadcrumbSource>,
  entries: readonly LeavingEntry[],
): ReadonlyMap<string, readonly LeavingEntry[]> {
  const holding = new Map<string, LeavingEntry[]>();
  for (const one of sources) if (!('text' in one)) holding.set(one.name, []);
  for (const entry of entries)
    for (const name of entitiesOf(entry.message).keys()) holding.get(name)?.push(entry);
  return holding;
}

/** `holding` are the entries that hold the name, oldest first. */
function fromMention(mention: Mention, holding: readonly LeavingEntry[]): Breadcrumb {
  const { name, changed } = mention;
  const maker = changed
    ? holding.findLast(({ message }) => entitiesByPlace(message).changed.has(name))
    : undefined;
  const source =
    maker ?? holding.findLast(({ message }) => message.role !== 'tool') ?? holding.at(-1);
  return {
    type: typeOf(mention)!,
    reference: name,
    hint: source === undefined ? '' : hintOf(source.message, name, maker !== undefined),
    entries: newestEntries(holding.map(({ n }) => entryId(n))),
  };
}

/** The hint for a name: the line of prose that has it, else what the entry did with it. */
function hintOf(message: Message, name: string, changed: boolean): string {
  if (message.role === 'tool') return clip(`in the output of ${message.name ?? 'a tool'}`, longest);
  const said = withinScanLimit(authoredText(message));
  const line = lineWith(said, name);
  if (line !== '' && !changed) return line;
  if (message.role === 'user') return said.includes(name) ? 'said by a person' : 'in machine text';
  if (commandsOf(message).includes(name)) return 'was run';
  const call = callsOf(message).find((one) => containsWord(argumentText(one), name));
  if (call === undefined) return line;
  return clip(`${changed ? 'changed' : 'used'} by ${oneLine(call.name)}`, longest);
}

/** What a call is given, as text. */
const argumentText = readOnce(({ arguments: args }: ToolCall) =>
  typeof args === 'string' ? withinScanLimit(args) : JSON.stringify(args),
);

/** The first line with a name, cut around it; '' where it has little but the name. */
function lineWith(text: string, name: string): string {
  const at = text.indexOf(name);
  if (at < 0) return '';
  const lineStart = text.lastIndexOf('\n', at) + 1;
  const start = Math.max(lineStart, at - longest / 2);
  const end = text.indexOf('\n', at);
  const before = text.slice(start, at);
  const after = text.slice(at, Math.min(end < 0 ? text.length : end, at + 4 * longest));
  const line = oneLine((start === lineStart ? before : before.replace(/^\S*\s?/, '')) + after);
  const words = line.replace(/^(?:[-*+•#>]{1,6}|\d{1,3}[.)])\s/, '');
  return words.length < name.length + 8 ? '' : clip(words, longest);
}
