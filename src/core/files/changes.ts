import type { ToolCall } from '../messages/message.ts';
import { clip, leftOutCode, oneLine, unfenced, withinScanLimit } from '../text/sentences.ts';
import type { Exchange } from '../outcomes/exchanges.ts';
import { readOnce } from '../values/read-once.ts';
import {
  clippedLine,
  insideOf,
  lineFacts,
  longestLine,
  wholeFacts,
  type FileFact,
} from './changed-lines.ts';
import { byName, definitionsIn, type Definition } from '../definitions/definitions.ts';
import { lastName } from '../definitions/settings.ts';
import { stepsAt } from '../definitions/steps.ts';
import { editOfOpen, editsGiven, type EditTexts, type EditedFile } from './edit-texts.ts';
import { fieldsChanged, membersChanged, type MembersChanged } from './members.ts';
import { isDocument } from './paths.ts';
import { settingsGone, valueFacts } from './setting-facts.ts';

// What an edit changed: the file, and what its new text has and its old one has
// not: definitions, values, settings; where it has none of that, its lines.

/**
 * A name that an edit took out of a definition, or a condition that it took out (`if err != nil`); `inside` is ''
 * where the edit does not show which, and the name itself where the definition went. Of a setting that went the name
 * has its value (`.cache.size: 40`).
 */
export interface GoneName {
  readonly name: string;
  readonly inside: string;
}

/** A file that a call changed. */
export interface FileChange {
  /** As the call gave it. */
  readonly path: string;
  /** What became of it, in order. */
  readonly facts: readonly FileFact[];
  /** Whether it has more lines that say something than `facts` tell. */
  readonly isCut: boolean;
  /** Names that stood in the lines it replaced and stand in its new text no more. */
  readonly gone: readonly GoneName[];
  /** Fields that came to types, or went from them, whose heads it does not show. */
  readonly members: readonly MembersChanged[];
  /** Lines that it took away, as they would be told. */
  readonly lost: readonly string[];
  /** The new text of a document; '' for any other file. */
  readonly prose: string;
}

/** The files that a call changes; the one that its result names, where an edit is of the open file. */
export function changesIn(exchange: Pick<Exchange, 'call' | 'result'>): readonly FileChange[] {
  const changes = changesOf(exchange.call);
  if (changes.length > 0) return changes;
  const open = editOfOpen(exchange);
  return open === null ? [] : [changeOf(open)];
}

/** The files that the arguments of a call name and change. */
const changesOf: (call: ToolCall) => readonly FileChange[] = readOnce((call: ToolCall) =>
  editsGiven(call).map(changeOf),
);

/** What became of a file, by what is gone and new, and by that with what stands `around` it. */
function changeOf({ path, own, around }: EditedFile): FileChange {
  const { before, after } = own;
  const [old, fresh] = changedLines(before, after);
  if (isDocument(path))
    return {
      path,
      facts: documentFacts(old, fresh),
      isCut: false,
      gone: [],
      members: [],
      lost: [],
      prose: freshProse(fresh, after),
    };
  const facts = definitionFacts(before, after);
  const shown = { old, fresh, around };
  const unset = settingsGone(path, shown).map((name) => ({ name, inside: '' }));
  const gone = [...unset, ...namesGone(old, around.before, after)].slice(0, mostGone);
  const values = valueFacts(path, shown);
  const factNames = new Set(facts.map(({ name }) => name));
  const all = [...facts, ...values.filter(({ name }) => !factNames.has(lastName(name)))];
  const isNamed = all.some(({ was, now }) => was !== now);
  const whole = isNamed || around.before !== '' ? [] : wholeFacts(after);
  const lines =
    isNamed || whole.length > 0
      ? { facts: whole, isCut: false }
      : lineFacts(old, fresh, around.after);
  return {
    path,
    facts: [...all, ...lines.facts, ...renamedIn(own)],
    isCut: lines.isCut,
    gone,
    members: membersChanged(path, shown),
    lost: old.slice(0, mostLost).map(clippedLine),
    prose: '',
  };
}

/** The name that another takes the place of wherever it stands, as gone. */
function renamedIn({ before, after }: EditTexts): readonly FileFact[] {
  const [was, is] = [before.trim(), after.trim()];
  const isRenamed = was !== is && onlyName.test(was) && onlyName.test(is);
  return isRenamed ? [{ name: was, was, now: '' }] : [];
}
const onlyName = /^[A-Za-z_$][\w$]{3,80}$/;

/** Most lines that an edit took away which are read. */
const mostLost = 200;

/** The lines of a document that are new, each under the heads that it stands under; code with a mark of it. */
function freshProse(fresh: readonly string[], after: string): string {
  const isFresh = new Set(fresh);
  return unfenced(after, 'prose', () => leftOutCode)
    .filter(
      (line) =>
        (isFresh.has(line) && !ticked.test(line)) ||
        /^\s*#{1,6}\s|:\**\s*$/.test(line) ||
        line === leftOutCode,
    )
    .join('\n');
}

/** Most names that are gone with an edit. */
const mostGone = 40;

/** A name in code. */
const word = /[A-Za-z_$][\w$]{3,}/g;

/** A line that gives a name of the whole file, or of a block right in it, a value; a local variable, or the key of an object, stands otherwise. */
const named =
  /^(?:(?:(?:export|pub|const|let|var|static|final) ){1,4}|(?:\t| {0,4}))([A-Za-z_$][\w$]{3,80})(?: {1,20}[\w.*[\]]{1,40})? {0,20}=(?![=>]).*(?<![,([{])$/;

/** The names in lines of a text that another has no more, of lines in no definition those that are called; and the conditions of those lines. */
function namesGone(old: readonly string[], before: string, after: string): readonly GoneName[] {
  const lines = before.split('\n');
  const remaining = new Set(after.match(word));
  let kept: ReadonlySet<string> | undefined;
  const isKept = (condition: string): boolean =>
    (kept ??= new Set(after.split('\n').flatMap(conditionIn))).has(condition);
  const gone = old.slice(0, mostLost).flatMap((whole): readonly GoneName[] => {
    const line = whole.slice(0, 400);
    const names = (line.match(word) ?? []).filter((name) => !remaining.has(name));
    const when = conditionIn(line).filter((text) => !isKept(text));
    if (names.length === 0 && when.length === 0) return [];
    const inside = insideOf(whole, lines);
    const own = named.exec(line)?.[1] ?? '';
    const isMeant = (name: string): boolean => inside !== '' || line.includes(`${name}(`);
    return [
      ...(names.includes(own) ? [{ name: own, inside: own }] : []),
      ...[...when, ...names.filter(isMeant)].map((name) => ({ name, inside })),
    ];
  });
  return gone;
}

/** The condition that a line sets, as it is told of a function. */
const conditionIn = (line: string): readonly string[] =>
  stepsAt(line).flatMap(({ kind, text }) => (kind === 'when' && text.includes(' ') ? [text] : []));

/** The lines of the old text that the new one has not, and the other way round. */
function changedLines(
  before: string,
  after: string,
): readonly [readonly string[], readonly string[]] {
  const [old, fresh] = [before, after].map((text) => withinScanLimit(text).split('\n')) as [
    string[],
    string[],
  ];
  const without = (lines: readonly string[], others: readonly string[]): readonly string[] => {
    const trimmed = new Set(others.map((line) => line.trim()));
    return lines.filter((line) => !trimmed.has(line.trim()));
  };
  return [without(old, fresh), without(fresh, old)];
}

const ticked = /^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[ xX~]\]\s/;

/** Of a document: its new headings, and the items of its lists that were ticked off. */
function documentFacts(old: readonly string[], fresh: readonly string[]): readonly FileFact[] {
  const oldLines = new Set(old.map(oneLine));
  return unfenced(fresh.join('\n'), 'prose')
    .map(oneLine)
    .filter(
      (line) =>
        (/^#{1,4} .{3}/.test(line) && !oldLines.has(line) && !isSilent(line)) ||
        /^[-*+] \[x\] /i.test(line),
    )
    .map((line) => clip(line.replace(/^(?:[-*+]|#+) /, ''), longestLine))
    .map((line) => ({ name: line, was: '', now: line }));
}

/** Whether a heading says nothing of its document: any other may have it, too. */
export const isSilent = (heading: string): boolean =>
  /^#+ (?:[\d.]{1,8} )?(?:overview|introduction|intro|summary|notes?|usage|background|goals?|details|description|examples?|conclusions?|references|appendix|contents|table of contents|misc(?:ellaneous)?|general|about|status|context|licen[cs]e|change ?log|unreleased|added|changed|fixed|removed|deprecated|security|contributing|authors?|support|requirements|prerequisites|installation)$/i.test(
    heading.replace(/[*_`:]/g, '').trimEnd(),
  );

/** What a text defines that the one before did not, or otherwise, and what it no longer does. */
function definitionFacts(before: string, after: string): readonly FileFact[] {
  const old = byName(definitionsIn(before));
  const fresh = byName(definitionsIn(after));
  const gone = [...old.values()].filter(({ name }) => !after.includes(lastName(name)));
  return [
    ...[...fresh.values()].flatMap((one) => {
      const was = old.get(one.name);
      if (was?.text !== one.text) return [factOf(one, was)];
      return was.does === one.does && was.about === one.about ? [] : [sameHead(one)];
    }),
    ...gone.map(({ name }) => ({ name, was: name, now: '' })),
  ];
}

const factOf = (
  { name, text, value, ...what }: Definition,
  was: Definition | undefined,
): FileFact => ({ name, was: formerText({ text, value }, was), now: text, ...what });

/** What was there before a value, or a type that has other fields now; '' for anything else. */
function formerText(
  { text, value }: Pick<Definition, 'text' | 'value'>,
  was: Definition | undefined,
): string {
  if (was === undefined) return '';
  if (value !== '') return was.value;
  return fieldsChanged(was.text, text) === '' ? '' : was.text;
}

/** A definition that is as it was, and does something else now; where its end is not shown, what it does is not certain. */
const sameHead = ({ name, text, about, does, isCut }: Definition): FileFact => ({
  name,
  was: text,
  now: text,
  ...(about !== undefined && { about }),
  ...(does !== undefined && isCut !== true && { does }),
});
