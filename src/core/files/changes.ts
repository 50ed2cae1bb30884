import { textOf, type ToolCall } from '../messages/message.ts';
import { isEdit, patchHead, pathGiven } from '../commands/edit-calls.ts';
import { leavesOf, shellText } from '../commands/shell-commands.ts';
import { clip, leftOutCode, oneLine, unfenced, withinScanLimit } from '../text/sentences.ts';
import type { Exchange } from '../outcomes/exchanges.ts';
import { readOnce } from '../values/read-once.ts';
import {
  asTold,
  insideOf,
  lineFacts,
  longestLine,
  wholeFacts,
  type FileFact,
} from './changed-lines.ts';
import { byName, definitionsIn, type Definition } from '../definitions/definitions.ts';
import { lastName, parting } from '../definitions/settings.ts';
import { membersChanged, type MembersChanged } from './members.ts';
import { isDocument } from './paths.ts';
import { valueFacts } from './setting-facts.ts';
import { editsInPython, isPassing } from './script-edits.ts';
import { replacedIn, writesIn } from './shell-files.ts';

// What an edit changed: the file, and what its new text has and its old one has
// not: definitions, values, settings; where it has none of that, its lines.

/** A name that an edit took out of a definition; `inside` is '' where the edit does not show which. */
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

/** Characters of a text that definitions are read from. */
const mostRead = 100_000;

/** The files that a call changes; the one that its result names, where an edit is of the open file. */
export function changesIn({
  call,
  result,
}: Pick<Exchange, 'call' | 'result'>): readonly FileChange[] {
  const changes = changesOf(call);
  const { arguments: given } = call;
  if (changes.length > 0 || typeof given === 'string' || !isEdit(call)) return changes;
  const [, path, open = path] =
    named.exec(result === undefined ? '' : textOf(result.content)) ?? [];
  if (open === undefined) return [];
  return [changeOfEdits(open, given)];
}

/** How a result names the file that was written. */
const named =
  /^(?:(?:The file|File)(?: (?:created|written|updated|saved) successfully (?:at|to))?|Successfully (?:wrote|updated|created|edited|replaced)(?: \w+){0,3})[ :`'"]+(\/?[^\s`'":]+\.\w{1,8})\b|^\[File: (\S{1,300}) \(\d+ lines total\)\]/m;

/** The files that the arguments of a call name and change; none for a call that changes none. */
const changesOf: (call: ToolCall) => readonly FileChange[] = readOnce((call: ToolCall) =>
  isEdit(call) ? readChanges(call) : changesInShell(shellText(call)),
);

/** The files that a shell text writes, and those in which its scripts replace texts; a script that only stands in a file for that is not told. */
function changesInShell(shell: string): readonly FileChange[] {
  const replaced = replacedIn(shell).map(({ path, edits }) => changeOfEdits(path, { edits }));
  const written = writesIn(shell).filter(
    ({ path, text }) => !isPassing(path) || editsInPython(text).length === 0,
  );
  return [
    ...written.map(({ path, text }) =>
      changeOf(oneLine(path).slice(0, 300), { before: '', after: text.slice(0, mostRead) }),
    ),
    ...replaced,
  ];
}

function readChanges(call: ToolCall): readonly FileChange[] {
  const { arguments: given } = call;
  const path = pathGiven(call);
  if (typeof given === 'string') return changesOfPatch(given);
  if (path === undefined) return changesOfPatch(leavesOf(given, 2 * mostRead));
  return [changeOfEdits(oneLine(path).slice(0, 300), given)];
}

/** What the edits of a file make of it. */
function changeOfEdits(path: string, given: Readonly<Record<string, unknown>>): FileChange {
  const [before, after] = textsOf(given);
  const whole = (text: string): string => text.replaceAll(`${parting}\n`, '');
  return changeOf(path, { before: whole(before), after: whole(after) }, { before, after });
}

/** The old and the new text of an edit; of several at once, all of them. */
function textsOf(given: Readonly<Record<string, unknown>>): readonly [string, string] {
  const texts = { before: '', after: '' };
  for (const [key, value] of Object.entries(given)) {
    if (Array.isArray(value))
      for (const one of value as readonly unknown[])
        if (typeof one === 'object' && one !== null) {
          const [before, after] = textsOf(one as Record<string, unknown>);
          texts.before += `${before}${parting}\n`;
          texts.after += `${after}${parting}\n`;
        } else texts.after += `${leavesOf(one, mostRead)}\n`;
    else if (/^(?:old|search)/i.test(key)) texts.before += `${leavesOf(value, mostRead)}\n`;
    else if (typeof value === 'string' && !aside.test(key))
      texts.after += `${leavesOf(value, mostRead)}\n`;
  }
  return [texts.before.slice(0, mostRead), texts.after.slice(0, mostRead)];
}

/** Arguments of an edit that are no text of the file. */
const aside =
  /^(?:file_?path|path|filename|target_file|notebook_path|file|command|description|instructions?|cell_\w+|edit_mode|mode|encoding)$/i;

/** The files of a patch, each with what its lines changed. */
function changesOfPatch(patch: string): readonly FileChange[] {
  const parts = withinScanLimit(patch).split(new RegExp(patchHead, 'm'));
  return parts.slice(1).flatMap((part) => {
    const [head, ...lines] = part.split('\n') as [string, ...string[]];
    const path = oneLine(head.replace(/^b\//, '')).slice(0, 300);
    if (path === '' || path === '/dev/null') return [];
    const [before, after] = ['-', '+'].map((mark) =>
      lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(1)] : [])),
    ) as [string[], string[]];
    const around = {
      before: withContext(lines, '-', before),
      after: withContext(lines, '+', after),
    };
    return [changeOf(path, { before: before.join('\n'), after: after.join('\n') }, around)];
  });
}

/** The old or the new lines of a patch with what it shows around them; the head of a part names what that is in. */
function withContext(lines: readonly string[], mark: '-' | '+', own: readonly string[]): string {
  const isOwn = new Set(own);
  return lines
    .flatMap((line) => {
      const said = line.slice(1);
      if (line.startsWith('@@')) return [parting, line.replace(/^@@(?: -[\d, +]{1,60} @@)? ?/, '')];
      if (line.startsWith(mark)) return [said];
      return line.startsWith(' ') && !isOwn.has(said) ? [said] : [];
    })
    .join('\n');
}

/** The old and the new text of a file, as far as an edit shows them. */
interface EditTexts {
  readonly before: string;
  readonly after: string;
}

/** What became of a file, by what is gone and new, and by that with what stands `around` it. */
function changeOf(path: string, own: EditTexts, around: EditTexts = own): FileChange {
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
  const gone = namesGone(old, around.before, after);
  const values = valueFacts(path, { old, fresh, around });
  const told = new Set(facts.map(({ name }) => name));
  const all = [...facts, ...values.filter(({ name }) => !told.has(lastName(name)))];
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
    members: membersChanged(path, { old, fresh, around }),
    lost: old.slice(0, mostLost).map(asTold),
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

/** The names in lines of a text that another has no more; of lines in no definition those that are called. */
function namesGone(old: readonly string[], before: string, after: string): readonly GoneName[] {
  const lines = before.split('\n');
  const left = new Set(after.match(word));
  const gone = old.slice(0, mostLost).flatMap((line): readonly GoneName[] => {
    const names = (line.slice(0, 400).match(word) ?? []).filter((name) => !left.has(name));
    if (names.length === 0) return [];
    const inside = insideOf(line, lines);
    const isMeant = (name: string): boolean => inside !== '' || line.includes(`${name}(`);
    return names.filter(isMeant).map((name) => ({ name, inside }));
  });
  return gone.slice(0, mostGone);
}

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
    const known = new Set(others.map((line) => line.trim()));
    return lines.filter((line) => !known.has(line.trim()));
  };
  return [without(old, fresh), without(fresh, old)];
}

const ticked = /^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[ xX~]\]\s/;

/** Of a document: its new headings, and the items of its lists that were ticked off. */
function documentFacts(old: readonly string[], fresh: readonly string[]): readonly FileFact[] {
  const known = new Set(old.map(oneLine));
  return unfenced(fresh.join('\n'), 'prose')
    .map(oneLine)
    .filter(
      (line) =>
        (/^#{1,4} .{3}/.test(line) && !known.has(line) && !isSilent(line)) ||
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
): FileFact => ({ name, was: value === '' ? '' : (was?.value ?? ''), now: text, ...what });

/** A definition that is as it was, and does something else now; where its end is not shown, what it does is not certain. */
const sameHead = ({ name, text, about, does, isCut }: Definition): FileFact => ({
  name,
  was: text,
  now: text,
  ...(about !== undefined && { about }),
  ...(does !== undefined && isCut !== true && { does }),
});
