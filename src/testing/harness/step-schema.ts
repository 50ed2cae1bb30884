import { optionFields } from '../../core/budget/options.ts';
import { sections } from '../../core/sections/section-name.ts';
import {
  anything,
  faultIn,
  flag,
  integer,
  nonEmptyText,
  objectOf,
  oneOf,
  text,
  texts,
  type Schema,
} from '../../core/values/validation.ts';
import type { HarnessOptions, RunOptions, StepName } from './step.ts';

// What steps take, written down once: it checks files and code alike, before anything is done.

/** The schema of a step, and the field that a bare value stands for. */
export interface StepSchema {
  readonly schema: Schema;
  readonly bare?: string;
}

const option = (schema: Schema): StepSchema => ({ schema });
const fields = (
  properties: Readonly<Record<string, Schema>>,
  { bare, required = [] }: { bare?: string; required?: readonly string[] } = {},
): StepSchema => ({
  schema: objectOf<Record<string, unknown>>(properties, required),
  ...(bare === undefined ? {} : { bare }),
});

const said = { text, tokens: integer(1), key: nonEmptyText() };
const frameFields = { title: nonEmptyText(), criteria: text, brief: text, as: nonEmptyText() };
const frame = nonEmptyText('the name or id of a frame');
const { summarizer: _, ...sessionFields } = optionFields;
const sessionSchema = objectOf<Record<string, unknown>>({ ...sessionFields, title: text });
const list = (items: Schema): Schema => ({ type: 'array', items });
const record: Schema = { type: 'object', takes: 'names with values' };
const calls: Schema = {
  holds: (value) =>
    Array.isArray(value) &&
    value.every((call) => typeof call === 'string' || typeof Object(call).name === 'string'),
  takes: 'a list of names, or of { name, id?, arguments? }',
};

/** A time that passes: milliseconds, or a text like `5s`. */
const waitSchema: Schema = {
  holds: (value) => msOf(value) !== null,
  takes: 'milliseconds, or a text like 500ms, 5s, 2m, 1h',
};

const expression: Schema = {
  holds: (value) => {
    try {
      return new RegExp(value as string, 'u').source !== '';
    } catch {
      return false;
    }
  },
  takes: 'a regular expression',
};

const textExpected: Schema = {
  holds: (value) =>
    ['string', 'number'].includes(typeof value) ||
    (typeof value === 'object' &&
      faultIn(
        value,
        objectOf<Record<string, unknown>>({ text, match: expression, in: oneOf(...sections) }),
      ) === null),
  takes: `a text, { text, in? } or { match, in? } with a regular expression; "in" is one of ${sections.join(', ')}`,
};
const textsExpected: Schema = {
  holds: (value) => [value].flat().every((one) => faultIn(one, textExpected) === null),
  takes: textExpected.takes!,
};

const recorded: Schema = {
  holds: (value) => value === null || typeof value === 'string',
  takes: 'a text that --update records, or nothing yet',
};

const expectation = objectOf<Record<string, unknown>>({
  shows: textsExpected,
  hides: textsExpected,
  fits: {
    holds: (value) => value === true || Number.isSafeInteger(value),
    takes: 'true, or a number of tokens',
  },
  where: record,
  state: record,
  frames: record,
  facts: {
    holds: (value) => typeof value === 'object' && value !== null,
    takes: 'a list of types, or how many of each',
  },
  recalls: record,
  summaries: integer(0),
  laws: { holds: (value) => value === true, takes: 'true' },
  window: recorded,
  trace: recorded,
});

/** What each step takes. */
export const stepSchemas: Readonly<Record<StepName, StepSchema>> = {
  user: fields({ ...said, origin: oneOf('person', 'machine') }, { bare: 'text' }),
  assistant: fields(
    { ...said, calls, thinking: text, finish: text, counted: integer(0) },
    { bare: 'text' },
  ),
  tool: fields(
    { ...said, call: nonEmptyText(), name: nonEmptyText(), error: flag },
    { bare: 'text' },
  ),
  push: fields(frameFields, { bare: 'title', required: ['title'] }),
  plan: fields({ ...frameFields, parent: frame }, { bare: 'title', required: ['title'] }),
  start: fields({ frame }, { bare: 'frame', required: ['frame'] }),
  pop: fields(
    {
      frame,
      status: oneOf('completed', 'failed', 'blocked'),
      results: text,
      brief: text,
      artifacts: texts,
      decisions: texts,
      drop: flag,
    },
    { bare: 'results' },
  ),
  invalidate: fields({ frame, reason: text }, { bare: 'frame', required: ['frame'] }),
  retry: fields({ frame, as: nonEmptyText() }, { bare: 'frame', required: ['frame'] }),
  goal: fields(
    {
      description: nonEmptyText(),
      priority: oneOf('high', 'medium', 'low'),
      status: oneOf('active', 'paused', 'completed'),
      milestones: list(anything),
      decisions: list(anything),
      artifacts: list(anything),
      next: texts,
    },
    { bare: 'description', required: ['description'] },
  ),
  assemble: fields({ tools: list(anything) }),
  compress: fields({ focus: text }, { bare: 'focus' }),
  undo: fields({}),
  redo: fields({}),
  snapshot: fields({}),
  restore: fields({ back: integer(0) }, { bare: 'back' }),
  configure: option(sessionSchema),
  recover: fields({ from: nonEmptyText(), trust: flag }, { bare: 'from' }),
  confirm: fields(
    { answer: { holds: isAnswer, takes: 'true, false or a text' } },
    { bare: 'answer', required: ['answer'] },
  ),
  cut: fields({ to: integer(1), text }, { bare: 'to', required: ['to'] }),
  report: fields({
    assembly: nonEmptyText(),
    usage: anything,
    error: text,
    window: integer(1),
    messages: integer(0),
    compacted: flag,
  }),
  answer: fields({ text }, { bare: 'text', required: ['text'] }),
  refuse: fields({ reason: text }, { bare: 'reason', required: ['reason'] }),
  wait: fields({ time: waitSchema }, { bare: 'time', required: ['time'] }),
  settle: fields({}),
  kill: fields({}),
  reopen: option(sessionSchema),
  repeat: fields(
    { times: integer(1, 100_000), steps: list(anything) },
    { required: ['times', 'steps'] },
  ),
  expect: option(expectation),
};

/** What may go with any step. */
export const modifiers: Readonly<Record<string, Schema>> = {
  refused: nonEmptyText('the code of an error'),
  crash: oneOf('before', 'in', 'after'),
  fault: oneOf('disk full', 'input/output error'),
  write: integer(1),
};

const behavior: Schema = {
  holds: (value) =>
    value === 'hold' ||
    value === 'honest' ||
    faultIn(value, objectOf<Record<string, unknown>>({ say: text, after: waitSchema }, ['say'])) ===
      null ||
    faultIn(
      value,
      objectOf<Record<string, unknown>>({ fail: text, after: waitSchema }, ['fail']),
    ) === null,
  takes: 'hold, honest, { say, after? } or { fail, after? }',
};

const benchFields = { session: sessionSchema, summarizer: list(behavior), laws: flag };
const recordFields = { folder: text, update: flag };

/** A script, but for its steps. */
export const scriptSchema: Schema = objectOf<Record<string, unknown>>(
  {
    test: nonEmptyText('a text, the name of the test'),
    ...benchFields,
    steps: list(anything),
  },
  ['test', 'steps'],
);

/** What a harness takes in code. */
export const harnessSchema: Schema = objectOf<HarnessOptions>({ ...benchFields, ...recordFields });

/** What the run of a script takes. */
export const runSchema: Schema = objectOf<RunOptions>({ ...recordFields, inPlace: flag });

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A time in milliseconds, as scripts write it; null for anything else. */
export function msOf(time: unknown): number | null {
  if (typeof time === 'number') return Number.isFinite(time) && time >= 0 ? time : null;
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(String(time)) ?? [];
  return amount === undefined ? null : Number(amount) * units[unit!]!;
}

function isAnswer(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'string';
}
