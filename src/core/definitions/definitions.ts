import { indentOf } from '../text/indent.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { comment, statement } from './code-lines.ts';
import { aboutAt } from './about.ts';
import { doesAt, endOf } from './does.ts';
import { ownersOf } from './owner.ts';
import { sql, withoutQuoted } from './quoted.ts';
import { closing } from './steps.ts';
import { opensTyped, typedHead } from './typed.ts';
import { longest, valuedAt } from './valued.ts';

// What a text defines, line by line: functions with their parameters, types with
// the names of their members, constants and settings with short values, tests by
// their names. No language is parsed; a line is known by how such lines begin.

/** Something that a text defines. */
export interface Definition {
  /** What it is known by in its file. */
  readonly name: string;
  /** As it is told: a signature, or a name with its value. */
  readonly text: string;
  /** The value of a constant or a setting; '' for anything else. */
  readonly value: string;
  /** What the comment of a function or of a value says. */
  readonly about?: string;
  /** What a function does. */
  readonly does?: string;
  /** Whether the text ends before a function does. */
  readonly isCut?: true;
  /** Whether a script works it out anew in each run. */
  readonly isComputed?: true;
}

const modifiers =
  '(?:(?:export|default|declare|async|public|private|protected|internal|static|readonly|abstract|final|override|pub(?:\\([a-z]+\\))?|virtual|inline|extern|unsafe|const|sealed|partial|open|data|suspend|fileprivate|mutating|operator)\\s+){0,5}';

/** What defines something; that another file is a part of a module, and that tests follow, says nothing of what a file holds. */
const keyword =
  '(?:function\\*?|class|interface|type|enum|namespace|def|defp|defmodule|defmacro|fn|func|fun|struct|trait|impl|mod(?!\\s+(?:tests?\\s*\\{|\\w+\\s*;))|module|record|object|protocol|message|service|rpc|CREATE TABLE|ALTER TABLE|CREATE INDEX|create table)';

/** A line that defines something by a keyword: `export async function load(id: string) {`. */
const keyworded = new RegExp(
  `^[ \\t]{0,12}${modifiers}${keyword}\\s+(?:if not exists\\s+|IF NOT EXISTS\\s+)?(?:\\([^)\\n]{0,40}\\)\\s{0,2})?(?<name>[\\w$#][\\w.$:#?!]*)`,
);

/** A method: `  async load(id: string): Promise<Row> {`; a function of a shell: `load() {`. */
const method =
  /^[ \t]{0,8}(?:(?:async|static|public|private|protected|get|set|override|readonly|\*)\s+){0,4}(?<name>#?[\w$]+)(?:<[^<>()\n]{1,40}>)?\([^\n]*$/;

/** A function that is a constant: `export const load = async (id: string) => {`. */
const arrowed =
  /^(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\s*=\s*(?:async\s*)?\([^\n]*(?:=>\s*[{(]?|[({,])\s*$/;

/** Whether the first parenthesis of a line stays open: `const load = (id,`, but not `const url = (a || b).replace(`. */
const isOpenHead = (line: string): boolean => closing(line.slice(line.indexOf('('))) < 0;

/** A test by its name: `test('a user logs in', …`, `test "a user logs in" do`. */
const named =
  /^[ \t]{0,12}(?:test|it|describe|context|scenario)(?:\.\w+){0,2}[ (]\s*(?<quote>["'`])(?<name>.{3,160}?)\k<quote>/;

/** What a text defines, in order; each line once. What several types define alike is known by its type, too. */
export function definitionsIn(text: string): readonly Definition[] {
  const lines = withoutQuoted(text.split('\n'));
  const definitions = lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const one = definitionAt(lines, at);
    return one === null ? [] : [{ one, at }];
  });
  const owners = ownersOf(definitions, lines);
  return definitions.map(({ one, at }) => {
    const owner = owners.get(at) ?? '';
    return owner === '' ? one : ofOwner(one, owner);
  });
}

/** A definition that is known by its type, too: its name, the last before what it takes or is, has that before it. */
function ofOwner({ name, text, ...one }: Definition, owner: string): Definition {
  const signature = text.replace(/^func \([^)]*\) /, 'func ');
  const at = signature.slice(0, signature.search(/[(=]|$/)).lastIndexOf(name);
  const qualified = at < 0 ? signature : `${signature.slice(0, at)}${owner}.${signature.slice(at)}`;
  return { ...one, name: `${owner}.${name}`, text: qualified };
}

/** Definitions by their names; of several heads of one function that stands which does most, of several values all. */
export function byName(list: readonly Definition[]): ReadonlyMap<string, Definition> {
  const definitions = new Map<string, Definition>();
  for (const one of list) {
    const before = definitions.get(one.name);
    const { does = '' } = before ?? {};
    if (does === '' || (one.does ?? '').length > does.length)
      definitions.set(one.name, before === undefined ? one : withValues(before, one));
  }
  return definitions;
}

/** A name that is given one value after another with both of them: `IS_ERROR = false | true`; `…` is one that is long. */
function withValues(before: Definition, one: Definition): Definition {
  if (before.value === one.value) return one;
  const [valued, other] = one.value === '' ? [before, one] : [one, before];
  const isValue = other.value !== '' || other.text === other.name;
  if (!isValue || !valued.text.endsWith(valued.value)) return one;
  const [was, is] = [before.value || '…', one.value || '…'];
  if (was.split(' | ').includes(is)) return before;
  const value = `${was} | ${is}`;
  return { ...one, text: clip(valued.text.slice(0, -valued.value.length) + value, longest), value };
}

/** What a line of a text defines; null for a line that defines nothing. */
export function definitionAt(lines: readonly string[], at: number): Definition | null {
  const line = lines[at]!;
  if (line.length > 600 || comment.test(line)) return null;
  const test = named.exec(line)?.groups?.['name'];
  if (test !== undefined) return { name: test, text: `test “${clip(test, longest)}”`, value: '' };
  const word = keyworded.exec(line)?.groups?.['name'];
  if (word !== undefined)
    return {
      name: word,
      text: signatureAt(lines, at, word),
      value: '',
      ...doneBy(lines, at, word),
    };
  if (statement.test(line)) return null;
  const arrow = arrowed.exec(line)?.groups?.['name'];
  if (arrow !== undefined && (line.includes('=>') || isOpenHead(line)))
    return {
      name: arrow,
      text: signatureAt(lines, at, arrow)
        .replace(/^(?:const|let|var)\s+/, '')
        .replace(/\s*=\s*(?:async\s*)?(?=\()/, '')
        .replace(/\s*=>.*$/, ''),
      value: '',
      ...doneBy(lines, at, arrow),
    };
  const called = method.exec(line)?.groups?.['name'];
  if (called !== undefined) {
    const whole = signatureAt(lines, at, called);
    return opensBody(lines, at, called)
      ? { name: called, text: whole, value: '', ...doneBy(lines, at, called) }
      : null;
  }
  const typedName = typedHead(line);
  if (typedName !== undefined) {
    const { closed, after } = headAt(lines, at, `${typedName}(`);
    if (closed && opensTyped(after))
      return {
        name: typedName,
        text: signatureAt(lines, at, `${typedName}(`),
        value: '',
        ...doneBy(lines, at, typedName),
      };
  }
  return valuedAt(lines, at);
}

/** A line that begins something which holds functions, and calls nothing itself. */
const container = new RegExp(
  `^[ \\t]{0,12}${modifiers}(?:class|interface|type|enum|namespace|defmodule|struct|trait|impl|mod|module|record|object|protocol|service)\\s`,
);

/** What the function of a head does, and what its comment says; of a type, which does nothing, the comment alone. */
function doneBy(
  lines: readonly string[],
  at: number,
  name: string,
): Pick<Definition, 'about' | 'does' | 'isCut'> {
  const line = lines[at]!;
  const isFunction = !container.test(line) && !sql.test(line) && /\(|\bdo$/.test(line);
  const isOpen = isFunction && /\([^)]*$/.test(line);
  const head = isOpen ? headAt(lines, at, name).head.split('\n').length : 1;
  const does = isFunction ? doesAt(lines, at, { name, head }) : '';
  const about = aboutAt(lines, at, { name });
  const isCut = does !== '' && endOf(lines, at) === lines.length;
  return { ...(does !== '' && { does }), ...(about !== '' && { about }), ...(isCut && { isCut }) };
}

/** Whether a body follows a head with parameters. */
function opensBody(lines: readonly string[], at: number, name: string): boolean {
  const head = headAt(lines, at, name);
  return head.closed && /^\s*(?::[^=;]{1,120}?)?\s*(?:\{|do\b|where\b)/.test(head.after);
}

/** Most lines of parameters. */
const mostLines = 12;

/** A line up to the end of the parameters of a name, over several lines; `after` is what follows them. */
function headAt(lines: readonly string[], at: number, name: string) {
  const text = lines
    .slice(at, at + mostLines)
    .join('\n')
    .slice(0, 900);
  let depth = 0;
  for (
    let index = text.indexOf('(', text.indexOf(name));
    index >= 0 && index < text.length;
    index += 1
  ) {
    const mark = text.charAt(index);
    if (mark === '(') depth += 1;
    if (mark === ')') depth -= 1;
    if (depth === 0)
      return { closed: true, head: text.slice(0, index + 1), after: text.slice(index + 1) };
  }
  return { closed: false, head: lines[at]!, after: '' };
}

/** What a line defines, on one line: with its parameters, a type with its members, without its body. */
function signatureAt(lines: readonly string[], at: number, name: string): string {
  const line = lines[at]!;
  const { closed, head, after } = /^[^={]*\(/.test(line)
    ? headAt(lines, at, name)
    : { closed: false, head: line, after: '' };
  const result = closed ? (returned.exec(after)?.[0] ?? '') : '';
  const signature = oneLine(closed ? `${head}${isBalanced(result) ? result : ''}` : head)
    .replace(/^(?:export |default |public |pub(?:\([a-z]+\))? |declare )+/, '')
    .replace(/\(\s+/g, '(')
    .replace(/,?\s+\)/g, ')');
  const whole = closed ? signature : signature.replace(/(?:\s+do|[\s{:=,;(]+|\s*\{.*)$/, '');
  const members = closed && sql.test(line) ? '' : membersAt(lines, at);
  return clip(whole.replace(/[\s:]+$/, '') + members, longest);
}

/** The type of what a function gives, behind its parameters. */
const returned =
  /^[ \t]*(?:->|:)[ \t]*[^\s{;=][^\n{;=]{0,60}|^[ \t]{1,20}(?!do\b|when\b|where\b)[\w*.[\](), ]{1,80}(?=[ \t]{0,20}(?:\{|\n|$))/;

const isBalanced = (type: string): boolean =>
  type.split('<').length === type.replace(/[-=]>/g, '').split('>').length;

const holder =
  /^[ \t]{0,12}(?:(?:export|declare|pub|public|type)\s+){0,3}(?:interface|enum|struct|record|type)\s.*\{\s*$|^[ \t]{0,16}(?:CREATE TABLE|create table)\s.*\(\s*$/;

/** A member of a type, or a column of a table. */
const member =
  /^\s*(?:(?:readonly|pub|public|private|static|let|var|val|final|case)\s+)*([\w$]+\??)\s*(?:[:,(=;]|$|\s\S)/;

/** What begins a line that names no member. */
const constraint =
  /^(?:PRIMARY|FOREIGN|UNIQUE|CHECK|CONSTRAINT|INDEX|KEY|func|fun|fn|def|init|return|if|for|guard|switch)$/;

/** The names of the members of a type, or of the columns of a table, that begins at a line. */
function membersAt(lines: readonly string[], at: number): string {
  if (!holder.test(lines[at]!)) return '';
  const indent = indentOf(lines[at]!);
  const members: string[] = [];
  let isClosed = false;
  let depth = Infinity;
  for (const line of lines.slice(at + 1, at + 60)) {
    isClosed = /^\s*[})]/.test(line);
    if (line.trim() !== '' && indentOf(line) <= indent) break;
    const name = member.exec(line)?.[1];
    if (name === undefined || comment.test(line) || constraint.test(name)) continue;
    // What stands deeper is of a member.
    depth = Math.min(depth, indentOf(line));
    if (indentOf(line) === depth) members.push(name);
  }
  return members.length === 0 ? '' : ` { ${members.join(', ')}${isClosed ? '' : ', …'} }`;
}
