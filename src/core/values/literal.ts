// Values as JavaScript writes them: texts in any quotes, numbers, objects with or without quotes around their names.

/** A value that stands in a text of JavaScript, and where it ends. */
export interface Literal<Value = unknown> {
  readonly value: Value;
  readonly end: number;
}

/** Deepest list in a list that is read. */
const deepest = 8;

/** The literal at a place of a script; undefined where something else stands there. Of an object or a list those of its members that are literals. */
export function literalAt(script: string, from: number, depth = 0): Literal | undefined {
  const at = behindBlanks(script, from);
  const sign = script.charAt(at);
  const text = textAt(script, at);
  if (text !== undefined) return text;
  if ((sign === '{' || sign === '[') && depth < deepest) return membersAt(script, at, depth);
  word.lastIndex = at;
  const [found = ''] = word.exec(script) ?? [];
  const end = word.lastIndex;
  if (constants.has(found)) return { value: constants.get(found), end };
  return found === '' ? undefined : { value: Number(found.replaceAll('_', '')), end };
}

const word = /-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|(?:true|false|null|undefined)\b/y;
const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

const blank = /(?:\s|\/\/[^\n]*\n)*/y;

/** Where something stands behind what is blank, and behind comments. */
function behindBlanks(script: string, from: number): number {
  blank.lastIndex = from;
  blank.exec(script);
  return blank.lastIndex;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  '\n': '',
};

/** A string that begins at a place; what a template fills in stands as it is in the script. */
function textAt(script: string, from: number): Literal<string> | undefined {
  const quote = script.charAt(from);
  if (quote !== '"' && quote !== "'" && quote !== '`') return undefined;
  let value = '';
  for (let at = from + 1; at < script.length; at += 1) {
    const sign = script.charAt(at);
    if (sign === quote) return { value, end: at + 1 };
    if (sign === '\n' && quote !== '`') return undefined;
    if (sign !== '\\') {
      value += sign;
      continue;
    }
    at += 1;
    escapedUnit.lastIndex = at;
    const [unit, long, short = long] = escapedUnit.exec(script) ?? [];
    if (unit === undefined) value += escapes[script.charAt(at)] ?? script.charAt(at);
    else {
      value += String.fromCharCode(Number.parseInt(short!, 16));
      at += unit.length - 1;
    }
  }
  return undefined;
}

const escapedUnit = /u([\da-f]{4})|x([\da-f]{2})/iy;

const plainName = /[\w$]+/y;
const colon = /\s*:/y;

/** The name of a member that begins at a place, up to its value. */
function nameAt(script: string, at: number): Literal<string> | undefined {
  plainName.lastIndex = at;
  const [plain] = plainName.exec(script) ?? [];
  const name =
    plain === undefined ? textAt(script, at) : { value: plain, end: plainName.lastIndex };
  if (name === undefined) return undefined;
  colon.lastIndex = name.end;
  return colon.test(script) ? { value: name.value, end: colon.lastIndex } : undefined;
}

/** An object or a list that begins at a place, with the members whose values are literals. */
function membersAt(script: string, from: number, depth: number): Literal | undefined {
  const isList = script.charAt(from) === '[';
  const [list, members]: [unknown[], Record<string, unknown>] = [[], {}];
  for (let at = from + 1; at < script.length;) {
    at = behindBlanks(script, at);
    const sign = script.charAt(at);
    if (sign === '}' || sign === ']') return { value: isList ? list : members, end: at + 1 };
    const name = isList ? undefined : nameAt(script, at);
    if (name !== undefined) at = name.end;
    const literal = literalAt(script, at, depth + 1);
    const end = restEnd(script, literal?.end ?? at);
    if (end === undefined) return undefined;
    const isWhole = literal !== undefined && script.slice(literal.end, end).trim() === '';
    if (isWhole && isList) list.push(literal.value);
    else if (isWhole && name !== undefined && name.value !== '__proto__')
      members[name.value] = literal.value;
    at = script.charAt(end) === ',' ? end + 1 : end;
  }
  return undefined;
}

/** Longest expression that is passed over, in UTF-16 units. */
const longestRest = 4_000;

/** Where what stands at a place ends within its list: at a comma or at the end of the list. */
function restEnd(script: string, from: number): number | undefined {
  const most = Math.min(script.length, from + longestRest);
  let depth = 0;
  for (let at = from; at < most; at += 1) {
    const sign = script.charAt(at);
    if (sign === '"' || sign === "'" || sign === '`') {
      const text = textAt(script, at);
      if (text === undefined) return undefined;
      at = text.end - 1;
    } else if (depth === 0 && (sign === ',' || sign === '}' || sign === ']')) return at;
    else if (/[([{]/.test(sign)) depth += 1;
    else if (/[)\]}]/.test(sign)) depth -= 1;
  }
  return undefined;
}
