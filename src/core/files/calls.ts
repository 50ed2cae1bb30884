import { readOnce } from '../values/read-once.ts';

// What a function does, in the fewest words that code has for it: the names of what it calls, those
// first that its file calls seldom.

/** Most calls of a function that are told, and most lines of it that are read. */
const most = { calls: 4, lines: 80 } as const;

const called = /(?<![\w$])([A-Za-z_$][\w$]{4,}[?!]?)\(/g;

/** Names that say nothing of a function: words of languages, and what every text, list and number has. */
const common = new Set(
  `while switch catch return typeof await super function match constructor
  slice splice filter flatMap forEach reduce replace replaceAll includes indexOf lastIndexOf startsWith endsWith
  toString concat findIndex findLast every entries values parse stringify parseInt parseFloat resolve reject finally
  Promise Error TypeError String Number Boolean Array Object Uint8Array console debug print println printf sprintf
  format range append extend isinstance enumerate sorted require expect isArray assign fromEntries toLowerCase
  toUpperCase padStart padEnd toSorted reverse setTimeout clearTimeout floor round substring trimEnd trimStart
  unwrap collect clone into_iter to_string contains push_str getattr setattr hasattr describe
  is_binary is_map is_nil is_list is_atom is_integer is_function length inspect raise
  split strip lower upper items count toFixed matchAll unshift shift`.split(/\s+/),
);

/** The names of what the function that begins at a line calls, in order. */
export function callsAt(lines: readonly string[], at: number, name: string): readonly string[] {
  const own = [...new Set(bodyAt(lines, at).flatMap(namesIn))].filter((one) => one !== name);
  if (own.length <= most.calls) return own;
  const times = timesIn(lines);
  const seldom = own.toSorted((a, b) => times.get(a)! - times.get(b)!).slice(0, most.calls);
  return own.filter((one) => seldom.includes(one));
}

/** The lines of what begins at a line: those that stand deeper than it. */
function bodyAt(lines: readonly string[], at: number): readonly string[] {
  const indent = indentOf(lines[at]!);
  const body = lines.slice(at + 1, at + most.lines);
  const end = body.findIndex(
    (line) => line.trim() !== '' && indentOf(line) <= indent && !/^\s*[)\]]/.test(line),
  );
  return end < 0 ? body : body.slice(0, end);
}

const namesIn = (line: string): readonly string[] =>
  Array.from(line.slice(0, 400).matchAll(called), ([, name = '']) => name).filter(
    (name) => !common.has(name),
  );

/** How often a text calls each name. */
const timesIn = readOnce((lines: readonly string[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const name of lines.flatMap(namesIn)) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
});

const indentOf = (line: string): number => /^\s*/.exec(line)![0].length;
