import { factNames } from '../../core/state/evolve.ts';
import { errorCodes, type ErrorCode } from '../../core/values/error.ts';
import { isObject } from '../../core/values/json.ts';
import {
  faultIn,
  objectOf,
  readableValue,
  wordsOf,
  type Fault,
  type Schema,
} from '../../core/values/validation.ts';
import type { ScriptPath } from './expectation.ts';
import { ScriptMistake, unknownName } from './mistake.ts';
import type { ScriptStep, StepName } from './step.ts';
import { modifiers, scriptSchema, stepSchemas } from './step-schema.ts';

/** A step as it is taken: its name, its fields, and what goes with it. */
export interface ParsedStep {
  readonly name: StepName;
  readonly args: Readonly<Record<string, unknown>>;
  readonly modifiers: Readonly<Record<string, unknown>>;
}

/** Refuses a script with anything in it that there is not; throws {@link ScriptMistake}. */
export function checkScript(script: unknown): void {
  check('script', script, { schema: scriptSchema, path: [] });
  checkSteps((script as { readonly steps: readonly unknown[] }).steps, ['steps']);
}

function checkSteps(steps: readonly unknown[], path: ScriptPath): void {
  for (const [index, step] of steps.entries())
    if (typeof step !== 'function') parseStep(step as ScriptStep, [...path, index]);
}

/** Reads a step; throws {@link ScriptMistake} that says where. */
export function parseStep(step: ScriptStep, path: ScriptPath): ParsedStep {
  const entries = typeof step === 'string' ? [[step, null]] : entriesOf(step, path);
  const names = entries.filter(([name]) => !Object.hasOwn(modifiers, name as string));
  const [first, second] = names as [string, unknown][];
  if (first === undefined) throw new ScriptMistake('A step needs a name', path);
  const [name, value] = first;
  if (!Object.hasOwn(stepSchemas, name))
    throw unknownName('There is no step', { name, known: Object.keys(stepSchemas), path });
  if (second !== undefined && Object.hasOwn(stepSchemas, second[0]))
    throw new ScriptMistake(
      `"${name}" and "${second[0]}" are two steps`,
      [...path, second[0]],
      true,
    );
  if (second !== undefined)
    throw unknownName(`Beside "${name}" there is no`, {
      name: second[0],
      known: Object.keys(modifiers),
      path,
    });
  const { schema, bare } = stepSchemas[name as StepName];
  const isBare = bare !== undefined && (typeof value !== 'object' || Array.isArray(value));
  const args = value === null ? {} : isBare ? { [bare]: value } : value;
  check(name, args, {
    schema,
    path: isBare ? path : [...path, name],
    bare: isBare ? name : undefined,
  });
  const rest = Object.fromEntries(entries.filter(([one]) => one !== name)) as Record<
    string,
    unknown
  >;
  check('step', rest, { schema: objectOf<Record<string, unknown>>(modifiers), path });
  if (name === 'repeat')
    checkSteps((args as { steps: readonly unknown[] }).steps, [...path, name, 'steps']);
  checkCode(rest['refused'] as string | undefined, [...path, 'refused']);
  if (name === 'expect') checkFacts(args as { facts?: unknown }, [...path, name, 'facts']);
  return { name: name as StepName, args: args as Record<string, unknown>, modifiers: rest };
}

function entriesOf(step: unknown, path: ScriptPath): readonly (readonly [string, unknown])[] {
  if (typeof step !== 'object' || step === null || Array.isArray(step))
    throw new ScriptMistake(
      `A step is a name with a value, not ${readableValue(step).slice(0, 60)}`,
      path,
    );
  return Object.entries(step);
}

function checkCode(refused: string | undefined, path: ScriptPath): void {
  if (refused === undefined || errorCodes.includes(refused as ErrorCode)) return;
  const detail = { name: refused, known: errorCodes, path };
  throw Object.assign(unknownName('There is no code', detail), { path, isName: false });
}

function checkFacts({ facts }: { readonly facts?: unknown }, path: ScriptPath): void {
  const isList = Array.isArray(facts);
  const named: readonly unknown[] = isList ? facts : Object.keys(facts ?? {});
  for (const [index, name] of named.entries())
    if (!factNames.includes(name as string))
      throw Object.assign(
        unknownName('There is no fact', { name: String(name), known: factNames, path }),
        isList ? { path: [...path, index], isName: false } : {},
      );
}

/** Checks a value against a schema; a fault says where it is. */
function check(
  name: string,
  value: unknown,
  { schema, path, bare }: { schema: Schema; path: ScriptPath; bare?: string | undefined },
): void {
  const unknown = Object.keys(Object(value)).find(
    (one) => !Object.hasOwn(schema.properties ?? {}, one),
  );
  const isClosed = schema.additionalProperties === false && isObject(value);
  const fault =
    isClosed && unknown !== undefined
      ? { at: unknown, name: unknown, known: Object.keys(schema.properties!) }
      : faultIn(value, schema);
  if (fault === null) return;
  const at = bare === undefined ? pathOf(fault) : [bare];
  const owner = at.length > 1 ? `"${at.at(-2)}"` : name === 'script' ? 'A script' : `"${name}"`;
  if ('known' in fault) {
    const { name, known } = fault;
    throw unknownName(`${owner} has no`, {
      name,
      known,
      path: [...path, ...at.slice(0, -1)],
    });
  }
  const isWhole = name === 'script' || name === 'step';
  const field = bare ?? ([isWhole ? '' : name, fault.at].filter(Boolean).join('.') || name);
  throw fault.value === undefined
    ? new ScriptMistake(`${owner} needs "${fault.at}": ${wordsOf(fault.schema)}`, path)
    : new ScriptMistake(
        `"${field}" cannot be ${readableValue(fault.value).slice(0, 60)}; it takes ${wordsOf(fault.schema)}`,
        [...path, ...at],
      );
}

/** The path of a fault: `calls[0].name` as `calls`, 0, `name`. */
const pathOf = ({ at }: Fault): ScriptPath =>
  at === ''
    ? []
    : at
        .split(/[.[\]]+/)
        .filter(Boolean)
        .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
