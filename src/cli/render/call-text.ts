import type { ToolCall } from '../../index.ts';

/** Names of arguments that tell most of a call, the most telling first. */
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
];

/** Arguments that an edit takes away, and puts there. */
const sides = [
  { sign: '-', name: /^old(?:_?(?:string|str|text))?$/i },
  { sign: '+', name: /^new(?:_?(?:string|str|text))?$/i },
] as const;

/** A call as people read it: its name with what tells most, then the other arguments a line each, edits as a diff; JSON that is no object as it came. */
export function callText({ name, arguments: given }: Pick<ToolCall, 'name' | 'arguments'>): string {
  if (typeof given === 'string') return `${name} ${given}`.trimEnd();
  const first = telling.find((one) => typeof given[one] === 'string');
  const head = first === undefined ? name : `${name} ${given[first] as string}`;
  const others = Object.entries(given).filter(([one]) => one !== first);
  return [head, ...others.flatMap(([one, value]) => argumentLines(one, value))].join('\n');
}

function argumentLines(name: string, value: unknown): readonly string[] {
  if (isListOfObjects(value))
    return value.flatMap((one) => Object.entries(one).flatMap(([of, it]) => argumentLines(of, it)));
  if (typeof value !== 'string') return [`  ${name}: ${JSON.stringify(value)}`];
  const lines = value.split('\n');
  const side = sides.find((one) => one.name.test(name));
  if (side !== undefined) return value === '' ? [] : lines.map((line) => `  ${side.sign} ${line}`);
  if (lines.length === 1) return [`  ${name}: ${value}`];
  return [`  ${name}:`, ...lines.map((line) => `    ${line}`)];
}

const isListOfObjects = (value: unknown): value is readonly object[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
