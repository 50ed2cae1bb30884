import type { Message, ToolCall } from '../messages/message.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { readOnce } from '../values/read-once.ts';

// Some hosts give the model one tool that runs a script, in which it calls all others:
//
//   const r = await tools.exec_command({ cmd: "npm test", workdir: "/shop" }); text(r.output)
//
// What such a call did is what the calls in its script did.

/** The calls of a message, in order; those of a script in the place of the call that runs it. */
export const callsOf = (message: Message): readonly ToolCall[] =>
  message.role === 'assistant' ? (message.toolCalls ?? []).flatMap(callsIn) : [];

/** The calls that a call makes: itself, unless it runs a script that calls tools; the result of that is the last one's, which alone has its id. */
export const callsIn: (call: ToolCall) => readonly ToolCall[] = readOnce((call: ToolCall) => {
  const { name, arguments: given, id } = call;
  const script = typeof given === 'string' ? given : given['input'];
  if (!runner.test(name) || typeof script !== 'string' || !script.includes('tools.')) return [call];
  const made = together(madeIn(withinScanLimit(script)));
  if (made.length === 0) return [call];
  const [last, ...before] = made.toReversed();
  return [...before.toReversed(), id === undefined ? last! : { id, ...last! }];
});

/** Names of tools that run a script. */
const runner = /^(?:exec|code|run_code)$/;

/** A call within a script. */
type Made = Omit<ToolCall, 'id'>;

/** Most calls of a script that are read: each may be looked for to its end. */
const mostCalls = 64;

/** The calls that stand in a script, whether or not it comes to them. */
function madeIn(script: string): readonly Made[] {
  const found = [...script.matchAll(/\btools\.(\w+)\(\s*/g)].slice(0, mostCalls);
  const made = found.flatMap(({ 0: whole, 1: name = '', index }): readonly Made[] => {
    if (name === 'apply_patch') return [];
    const value = valueAt(script, index + whole.length)?.value;
    const isNamed = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isNamed) return [{ name, arguments: value as Record<string, unknown> }];
    return typeof value === 'string' ? [{ name, arguments: value }] : [];
  });
  return script.includes('tools.apply_patch(') ? [...patchesIn(script), ...made] : made;
}

/** The patches that a script holds; it may give them to the tool by any name. */
const patchesIn = (script: string): readonly Made[] =>
  [...script.matchAll(/["'`](?=\*\*\* Begin Patch)/g)].flatMap(({ index }) => {
    const patch = valueAt(script, index)?.value;
    return typeof patch === 'string' ? [{ name: 'apply_patch', arguments: patch }] : [];
  });

/** Calls with the commands that follow one another in one: the result of their script is that of all. */
function together(made: readonly Made[]): readonly Made[] {
  const calls: Made[] = [];
  for (const call of made) {
    const [before, command] = [commandOf(calls.at(-1)), commandOf(call)];
    if (before === undefined || command === undefined) calls.push(call);
    else calls[calls.length - 1] = { ...call, arguments: { cmd: `${before}\n${command}` } };
  }
  return calls;
}

/** The command that a call gives a shell; undefined for another call. */
const commandOf = (call: Made | undefined): string | undefined =>
  call?.name === 'exec_command' && typeof call.arguments === 'object'
    ? textOrNothing(call.arguments['cmd'])
    : undefined;

const textOrNothing = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A value that stands in a script, and where it ends. */
interface Literal<Value = unknown> {
  readonly value: Value;
  readonly end: number;
}

/** Deepest list in a list that is read. */
const deepest = 8;

/** The literal at a place of a script; undefined where something else stands there. */
function valueAt(script: string, from: number, depth = 0): Literal | undefined {
  const at = from + blanksAt(script, from);
  const sign = script.charAt(at);
  const text = textAt(script, at);
  if (text !== undefined) return text;
  if ((sign === '{' || sign === '[') && depth < deepest) return membersAt(script, at, depth);
  word.lastIndex = at;
  const [found] = word.exec(script) ?? [];
  if (found === undefined) return undefined;
  const value = /^[-\d]/.test(found) ? Number(found.replaceAll('_', '')) : constants.get(found);
  return value === undefined && found !== 'undefined' ? undefined : { value, end: word.lastIndex };
}

const word = /-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|true\b|false\b|null\b|undefined\b/y;
const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const blank = /(?:\s|\/\/[^\n]*\n)*/y;

/** How many signs from a place on are blank. */
function blanksAt(script: string, from: number): number {
  blank.lastIndex = from;
  blank.exec(script);
  return blank.lastIndex - from;
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
    at += blanksAt(script, at);
    const sign = script.charAt(at);
    if (sign === '}' || sign === ']') return { value: isList ? list : members, end: at + 1 };
    const name = isList ? undefined : nameAt(script, at);
    if (name !== undefined) at = name.end;
    const literal = valueAt(script, at, depth + 1);
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
