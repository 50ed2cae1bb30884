import type { ToolCall } from '../../index.ts';

/** Names of arguments that tell most of a call, the most telling first; else it is the only one. */
const telling = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'path',
  'pattern',
  'query',
  'url',
  'title',
  'toolName',
];

/** Arguments that an edit takes away, and puts there, in the order in which they are told. */
const sides = [
  { sign: '-', name: /^old(?:_?(?:string|str|text))?$/i },
  { sign: '+', name: /^new(?:_?(?:string|str|text))?$/i },
] as const;

/** How deep arguments are told a line each; what is in them deeper is told as JSON. */
const deepest = 4;

/** A call as people read it: its name with what tells most, then the other arguments a line each, edits as a diff; JSON that is no object as it came. What is not the first line is indented. */
export function callText({ name, arguments: args }: Pick<ToolCall, 'name' | 'arguments'>): string {
  if (typeof args === 'string') return headLines(name, args).join('\n').trimEnd();
  const names = Object.keys(args);
  const first =
    telling.find((one) => typeof args[one] === 'string') ??
    names.find((one) => names.length === 1 && typeof args[one] === 'string');
  const head = first === undefined ? [name] : headLines(name, args[first] as string);
  const others = Object.entries(args).filter(([one]) => one !== first);
  return [...head, ...indented(argumentLines(others, deepest))].join('\n');
}

/** A name and a text; further lines of that as far in as the lines of an argument. */
function headLines(name: string, text: string): readonly string[] {
  const [line, ...more] = text.split('\n');
  return [`${name} ${line}`, ...indented(indented(more))];
}

function argumentLines(
  args: readonly (readonly [name: string, value: unknown])[],
  depth: number,
): readonly string[] {
  return args
    .toSorted(([one], [other]) => sideOf(one) - sideOf(other))
    .flatMap(([name, value]) => linesOf(name, value, depth));
}

function linesOf(name: string, value: unknown, depth: number): readonly string[] {
  if (typeof value === 'object' && value !== null && depth > 0) {
    if (!Array.isArray(value)) return group(name, value, depth);
    if (value.length > 0 && value.every((one) => typeof one === 'object' && one !== null))
      return value.flatMap((one, index) => group(`${name} ${index + 1}`, one as object, depth));
  }
  if (typeof value !== 'string') return [`${name}: ${JSON.stringify(value)}`];
  const lines = value.split('\n');
  const side = sides[sideOf(name)];
  if (side !== undefined) return value === '' ? [] : lines.map((line) => `${side.sign} ${line}`);
  return lines.length === 1 ? [`${name}: ${value}`] : [`${name}:`, ...indented(lines)];
}

const group = (name: string, value: object, depth: number): readonly string[] => [
  `${name}:`,
  ...indented(argumentLines(Object.entries(value), depth - 1)),
];

const sideOf = (name: string): number => sides.findIndex((one) => one.name.test(name));

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);
