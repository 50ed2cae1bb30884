import type { ToolCall } from '../messages/message.ts';
import { clip, oneLine, unfenced, withinScanLimit } from '../text/sentences.ts';
import { leavesOf, shellText } from '../commands/shell-commands.ts';
import type { FileFact } from '../files/changed-lines.ts';
import { changesIn, isSilent, type GoneName } from '../files/changes.ts';
import { byName, definitionsIn } from '../definitions/definitions.ts';
import { lastName } from '../definitions/settings.ts';
import type { MembersChanged } from '../files/members.ts';
import { isDocument } from '../files/paths.ts';
import { settingsShown } from '../files/setting-facts.ts';
import type { Exchange } from '../outcomes/exchanges.ts';
import { writesIn } from '../files/shell-files.ts';

/** Something in a file: what it is known by, and how it is told; '' for what is gone. */
export interface NamedText {
  readonly name: string;
  readonly now: string;
  /** What its comment says, and what it does; '' for nothing. */
  readonly about: string;
  readonly does: string;
}

/** What a call made of a file. */
interface FileEdit {
  readonly path: string;
  readonly extent: 'whole' | 'part' | 'none';
  readonly facts: readonly NamedText[];
  /** Names that stand no more in what was changed. */
  readonly gone: readonly GoneName[];
  /** Fields that came to types, or went from them, whose heads it does not show. */
  readonly members: readonly MembersChanged[];
}

/** What a call made of files. */
export function editsOf({ call, result }: Pick<Exchange, 'call' | 'result'>): readonly FileEdit[] {
  return changesIn({ call, result }).map(({ path, facts, gone, members }): FileEdit => {
    const meant = facts.filter(
      ({ name, now }) => name !== '' && (name !== now || now.startsWith('#')),
    );
    const brought = meant.map((one) => withDeeds(one.name, one.now, one));
    return { path, extent: extentOf(call, path), facts: brought, gone, members };
  });
}

/** Whether a call writes a whole file, or a part of it, or takes it away. */
export function extentOf(call: ToolCall, path: string): FileEdit['extent'] {
  const { name, arguments: args } = call;
  const write = writesIn(shellText(call)).findLast((one) => one.path === path);
  if (write !== undefined) return write.extent;
  const hasOld = typeof args !== 'string' && Object.keys(args).some((key) => /^old/i.test(key));
  const isWritten =
    /^(?:write|create)/i.test(name) || (typeof args !== 'string' && args['command'] === 'create');
  if (isWritten && !hasOld) return 'whole';
  const patch = leavesOf(typeof args === 'string' ? [args] : args, 200_000);
  if (patch.includes(`*** Delete File: ${path}`)) return 'none';
  return patch.includes(`*** Add File: ${path}`) ? 'whole' : 'part';
}

/** What a text of a file shows that it holds, but what a script only works out; of a document its headings. */
export function shownIn(path: string, text: string): readonly NamedText[] {
  if (!isDocument(path)) {
    const lines = withinScanLimit(text);
    const settings = settingsShown(path, lines);
    const set = new Set(settings.map(({ name }) => lastName(name)));
    const defined = definitionsIn(lines).filter(({ name }) => !set.has(name));
    const facts = [...defined, ...settings];
    const literalNames = new Set(facts.flatMap(({ name, isComputed }) => (isComputed ? [] : name)));
    return [...byName(facts).values()]
      .filter(({ name }) => literalNames.has(name))
      .map((one) => withDeeds(one.name, one.text, one));
  }
  const headings = unfenced(text, 'prose').filter(
    (line) => /^#{1,3} .{3}/.test(line) && !isSilent(oneLine(line)),
  );
  return headings
    .map((line) => clip(oneLine(line), 90))
    .map((line) => ({ name: line, now: line, about: '', does: '' }));
}

/** The head of something that an edit brought, as it is told. */
export const headText = (fact: FileFact): string => withDeeds(fact.name, fact.now, fact).now;

/** A definition as it is told: shorter, where it says what it does. */
function withDeeds(
  name: string,
  text: string,
  { about = '', does = '' }: { readonly about?: string; readonly does?: string },
): NamedText {
  const head = shorter(text);
  if (text === '' || (about === '' && does === '')) return { name, now: head, about: '', does: '' };
  return { name, now: withNames(head), about, does };
}

/** Something in a file with what its comment says and what it does, as it is told. */
export function factText({ now, about, does }: Pick<NamedText, 'now' | 'about' | 'does'>): string {
  const what = [about, does].filter((one) => one !== '').join('. ');
  return what === '' ? now : `${now} (${what})`;
}

/** Longest head that stands with the types of its parameters, in UTF-16 units. */
const longestHead = 70;

/** A long head with the names of its parameters alone: `load(id, depth)`. */
function withNames(head: string): string {
  if (head.length <= longestHead || /%\{|\{:/.test(head)) return head;
  const at = head.indexOf('(');
  const names = Array.from(head.slice(at + 1).matchAll(parameter), ([, name = '']) => name);
  return at < 0 || names.length === 0 ? head : `${head.slice(0, at)}(${names.join(', ')})`;
}

/** A parameter and its type, which may be a list in brackets. */
const parameter =
  /(?:^|,\s)(?:(?:private|public|protected|readonly)\s)*([\w$.]+)\??\s*:(?:[^,(){}[\]]|\([^()]*\)|\{[^{}]*\}|\[[^[\]]*\])*/g;

/** A definition without what tells little of it. */
const shorter = (line: string): string =>
  line
    .replace(
      /^(?:(?:private|public|protected|async|readonly|override|function\*?|defp?|fn|func|get|set|const|let|var)\s+)+(?:\([^)]*\)\s+)?(?=\S)/,
      '',
    )
    .replace(/\)\s*(?:->|:)\s*(?:void|None|Promise<void>|\(\))$/, ')')
    .replace(/\s+do$/, '');
