import type { Bench } from './bench.ts';
import { brokenLaws, checkExpectation } from './check-expectation.ts';
import { StepFailure, type ScriptPath } from './expectation.ts';
import { ScriptMistake } from './mistake.ts';
import type { Harness, ScriptStep } from './step.ts';
import { parseStep } from './parse-step.ts';
import { takeStep } from './take-step.ts';

/** Where steps stand, and who takes those that are functions. */
interface StepPlay {
  readonly path: ScriptPath;
  readonly harness: Harness;
  /** Steps taken so far. */
  taken?: number;
}

/** Takes steps one by one; rejects with {@link StepFailure} at the first that is not as expected. */
export async function takeSteps(
  bench: Bench,
  steps: readonly ScriptStep[],
  play: StepPlay,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const path = [...play.path, index];
    await (
      typeof step === 'function'
        ? call(step, play.harness)
        : takeOne(bench, step, { ...play, path })
    ).catch((error: unknown) => {
      throw failureAt(path, error);
    });
    play.taken = (play.taken ?? 0) + 1;
    if (bench.options.laws !== true) continue;
    const broken = await brokenLaws(bench);
    const lines = broken.map(({ law, what }) => `${law}: ${what}`);
    if (broken.length > 0)
      throw new StepFailure([{ path, what: 'Expected: every law holds after this step', lines }]);
  }
}

async function call(step: (harness: Harness) => unknown, harness: Harness): Promise<void> {
  try {
    await step(harness);
  } catch (error) {
    throw error instanceof StepFailure || error instanceof ScriptMistake
      ? error
      : new StepFailure(
          [
            {
              path: [],
              what: saidBy(error)[0],
              lines: [...saidBy(error).slice(1), ...framesOf(error)],
            },
          ],
          { cause: error },
        );
  }
}

/** The message of what was thrown, by its lines. */
const saidBy = (error: unknown): readonly [string, ...string[]] =>
  (error instanceof Error ? error.message : String(error)).split('\n') as [string, ...string[]];

/** Where a function threw, without the parts of Node that called it. */
function framesOf(error: unknown): readonly string[] {
  const { stack = '' } = Object(error) as { readonly stack?: string };
  const frames = stack.split('\n').filter((line) => /^ +at (?!.*node:)/.test(line));
  return frames
    .slice(0, mostFrames)
    .map((line) => line.trim().replace(/file:\/\/|\?[\d.]+(?=:)/g, ''));
}

/** Most frames of a stack that are told. */
const mostFrames = 3;

/** What was thrown at a step, as its failure. */
function failureAt(path: ScriptPath, error: unknown): Error {
  if (error instanceof ScriptMistake) return error;
  if (error instanceof StepFailure) {
    const unmet = error.unmet.map((one) => (one.path.length > 0 ? one : { ...one, path }));
    return new StepFailure(unmet, { cause: error.cause });
  }
  const [what, ...lines] = saidBy(error);
  return new StepFailure([{ path, what, lines }], { cause: error });
}

async function takeOne(
  bench: Bench,
  step: Exclude<ScriptStep, (...given: never) => unknown>,
  play: StepPlay,
): Promise<void> {
  const { path } = play;
  const parsed = parseStep(step, path);
  const { name, args } = parsed;
  if (name === 'expect') {
    const unmet = await checkExpectation(bench, args, [...path, name]);
    if (unmet.length > 0) throw new StepFailure(unmet);
  } else if (name === 'repeat') {
    const { times, steps } = args as {
      readonly times: number;
      readonly steps: readonly ScriptStep[];
    };
    for (let round = 1; round <= times; round += 1)
      await takeSteps(bench, inRound(steps, round), {
        ...play,
        path: [...path, name, 'steps'],
      }).catch((error: unknown) => {
        throw error instanceof StepFailure
          ? withRound(error, `in round ${round} of ${times}`)
          : error;
      });
  } else await takeStep(bench, parsed, path);
}

/** A failure that says in which round it came. */
function withRound({ unmet, cause }: StepFailure, round: string): StepFailure {
  return new StepFailure(
    unmet.map((one) => ({ ...one, lines: [...one.lines, round] })),
    { cause },
  );
}

/** The steps of a round, with its number for `{n}` in their texts. */
function inRound<T>(value: T, round: number): T {
  if (typeof value === 'string') return value.replaceAll('{n}', String(round)) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => inRound(one, round)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    inRound(one, round) as unknown,
  ]);
  return Object.fromEntries(entries) as T;
}
