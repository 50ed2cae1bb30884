import { clip, oneLine } from '../text/sentences.ts';
import { aboutAt, sentence } from './about.ts';
import { openedBy } from './quoted.ts';
import { tableAt } from './table.ts';
import { typedField } from './typed.ts';

// Constants, fields and what a script sets: a name with its value, where that is short,
// with its type where there is one, and with what its comment says.

/** A name that a line of a text gives a value or a type. */
export interface Valued {
  readonly name: string;
  readonly text: string;
  readonly value: string;
  readonly about?: string;
  readonly isComputed?: true;
}

/** Longest definition that is told, in UTF-16 units. */
export const longest = 140;

/** Longest value that is told, in UTF-16 units. */
export const longestValue = 48;

/** Longest value that is one text, or is made of one: `errors.New("no such row")`. */
const longestWords = 100;

/** Longest of what the comment of a value says that is told: it has the reason for it. */
const longestWhy = 150;

/** A field of a class: `  private readonly rows = new Map<string, Row>();`. */
const field =
  /^[ \t]{1,4}(?:(?:private|public|protected|static|readonly|declare)\s+){1,4}(?<name>#?[\w$]+)\s*[?!]?\s*(?<rest>[:=;].*)$/;

/** A constant of the whole file, or what a shell sets: what stands indented is local. */
const constant =
  /^(?:export\s+|pub\s+)?(?:const|let|var|static|final|val)\s+(?:mut\s+)?(?<name>[\w$]+)(?<rest>.*)$|^[ \t]{0,4}(?<upper>@?[A-Z][A-Z0-9_]{2,}|@\w+)\s*(?<rest2>(?:[:=]|%?[{[]).*)$|^(?:(?:readonly|declare|export|typeset)\s+(?:-\w+\s+)?)?(?<set>[A-Za-z_]\w+)(?<rest3>=[^=\s>].*)$/;

/** What a shell works out, and gives no default: `="$(cat)"`, `=$DIR/x`. */
const computed = /^="?\$(?!\{\w+:?[-=])/;

/** What a script gives a name that only begins: it says nothing of it. */
const passing = /^(?:-?\d|true|false|(["'])\1)$/;

/** What a line gives a value, or a type; null for nothing. */
export function valuedAt(lines: readonly string[], at: number): Valued | null {
  const line = lines[at]!;
  const { name, upper, set, rest, rest2, rest3 } = constant.exec(line)?.groups ?? {};
  const fieldParts =
    field.exec(line)?.groups ?? (name === undefined ? typedField(lines, at) : undefined);
  const own = name ?? upper ?? set ?? fieldParts?.['name'];
  if (own === undefined || own.length < 3) return null;
  const rightSide = fieldParts?.['rest'] ?? rest ?? rest2 ?? rest3 ?? '';
  const table = tableAt(lines, at, rightSide);
  if (table !== '') return { name: own, text: `${own} = ${table}`, value: '' };
  const [definition, remark] = withoutRemark(rightSide);
  const typed = untyped.test(line) ? definition.replace(goTyped, ': $1$2') : definition;
  const valued = withValue(own, typed, fieldParts !== undefined);
  if (valued === null) return null;
  const isComputed = computed.test(rest2 ?? rest3 ?? '');
  if (set !== undefined && (isComputed || passing.test(valued.value))) return null;
  if (isComputed) return { ...valued, isComputed };
  const isBare = fieldParts !== undefined && valued.value === '';
  const about = isBare
    ? ''
    : aboutAt(lines, at, { name: own, most: longestWhy }) || sentence(remark, longestWhy);
  return about === '' ? valued : { ...valued, about };
}

/** A list or a text that a line names, however deep it stands; null for none. */
export function namedAt(lines: readonly string[], at: number): Valued | null {
  const [, name = '', rest = ''] =
    /^[ \t]{0,12}(?:(?:local|let|const|var|readonly|my)\s)?([A-Za-z_][\w.-]{2,40})( ?= ?.+)$/.exec(
      lines[at]!,
    ) ?? [];
  if (name === '') return null;
  const table = tableAt(lines, at, rest);
  if (table !== '') return { name, text: clip(`${name} = ${table}`, longest), value: '' };
  const text = rest.replace(/^[ =]{1,3}/, '').replace(/[;,]$/, '');
  return /^(["'`])[^"'`]{3,}\1$/.test(text) && text.length <= longestWords
    ? { name, text: `${name} = ${text}`, value: text }
    : null;
}

/** A line that may have a type without a colon, as Go has it. */
const untyped = /^(?:var|const)\s[^;]*$/;
const goTyped = /^ {1,20}([\w.*[\]]{1,60})( {1,20}=[^=].*)?$/;

/** What a line gives, and the remark behind it. */
function withoutRemark(text: string): readonly [string, string] {
  const at = text.search(/\s(?:\/\/|#)\s/);
  const definition = text.slice(0, at);
  const isWithin = ['"', "'", '`'].some((mark) => definition.split(mark).length % 2 === 0);
  return at < 0 || isWithin ? [text, ''] : [definition, text.slice(at).replace(/^[\s/#]+/, '')];
}

/** Values that say no more than a type does. */
const empty = /^(?:null|undefined|nil|None|\[\]|\{\}|new Map\(\)|new Set\(\)|"")$/;

/** A constant or a field with its type, and its value where that is short. */
function withValue(name: string, rest: string, isField: boolean): Valued | null {
  const definition = rest.trim().replace(/[;,]$/, '').trimEnd();
  const [, type = '', value = ''] =
    /^(:[^=]{1,60}?)?\s{0,20}(?:=(?![>=])\s{0,20}(.*))?$/.exec(definition) ?? [];
  if (!isField && type === '' && value === '') return null;
  const isList = /^[[{(].*[\]})](?:\s*as const)?$/.test(value) && value.length <= 2 * longestValue;
  const isShort =
    value.length <= longestValue && !/[{[(\\]$/.test(value) && openedBy(value) === undefined;
  const short = isList || isShort || isWords(value) ? value : '';
  const assignment = short === '' || (type !== '' && empty.test(short)) ? '' : ` = ${short}`;
  return { name, text: clip(oneLine(`${name}${type}${assignment}`), longest), value: short };
}

/** Whether a value is one text of several words, or is made of one. */
const isWords = (value: string): boolean =>
  value.length <= longestWords &&
  /^(?:[\w.]{1,40}\()?[rbf]?(?<mark>["'`])[^"'`\s]{1,60}\s[^"'`]+\k<mark>\)?$/.test(value);
