import { isEngineError } from '../../core/values/error.ts';
import { checkArgument } from '../../core/values/validation.ts';
import { refusalOf } from '../laws/move.ts';
import { offerTools, takeMove } from '../laws/take-move.ts';
import { openBench, type Bench, type Recorded } from './bench.ts';
import { brokenLaws } from './check-expectation.ts';
import { StepFailure, type Unmet } from './expectation.ts';
import type { Harness, HarnessOptions, RunOptions, Script, ScriptStep } from './step.ts';
import { harnessSchema, runSchema } from './step-schema.ts';
import { checkScript } from './parse-step.ts';
import { ScriptMistake } from './mistake.ts';
import { takeSteps } from './take-steps.ts';
import { traceOf } from './printed.ts';

/** Opens a new session in a store of its own, with time that stands still. */
export async function harness(options: HarnessOptions = {}): Promise<Harness> {
  checkArgument('options', options, harnessSchema);
  return toHarness(await openBench(options, null));
}

function toHarness(bench: Bench): Harness {
  const take = (steps: readonly ScriptStep[]): Promise<void> =>
    takeSteps(bench, steps, { path: ['steps'], harness: self });
  const close = (): Promise<void> => bench.close();
  const self: Harness = {
    get session() {
      return bench.session;
    },
    get store() {
      return bench.store;
    },
    clock: bench.clock,
    summarizer: bench.summarizer,
    facts: bench.facts,
    run: (...steps) => take(steps),
    expect: (wanted) => take([{ expect: wanted }]),
    async do(command) {
      const { names, clock } = bench;
      if (command.type === 'tools') bench.tools = offerTools(bench, command.tools);
      const taken = takeMove(bench, command, { names, line: 0, tools: bench.tools });
      const code = await clock.until(refusalOf(taken));
      await clock.advance(0);
      return code;
    },
    laws: () => brokenLaws(bench),
    trace: () => traceOf(bench.facts),
    close,
    [Symbol.asyncDispose]: close,
  };
  return self;
}

/** What came of a script. */
export interface ScriptResult {
  /** Steps that were taken; a `repeat` is one. */
  readonly steps: number;
  /** What is not as expected; empty where all is. */
  readonly unmet: readonly Unmet[];
  /** Texts that were recorded, for whoever has the file. */
  readonly recorded: readonly Recorded[];
}

/** Runs a script to its end, or to its first step that fails. Rejects with {@link ScriptMistake} before anything is done, or where a repeated step has no one text to record. */
export async function runScript(script: Script, given: RunOptions = {}): Promise<ScriptResult> {
  checkArgument('options', given, runSchema);
  checkScript(script);
  const { inPlace = false, ...options } = given;
  const recorded: Recorded[] = [];
  const bench = await openBench({ ...script, ...options }, inPlace ? recorded : null).catch(
    (error: unknown) => {
      if (isEngineError(error)) throw new ScriptMistake(error.message, ['session']);
      throw error;
    },
  );
  const play = { path: ['steps'], harness: toHarness(bench), taken: 0 };
  const result = (unmet: readonly Unmet[]): ScriptResult => ({
    steps: play.taken,
    unmet,
    recorded,
  });
  try {
    await takeSteps(bench, script.steps, play);
    return result([]);
  } catch (error) {
    if (error instanceof StepFailure) return result(error.unmet);
    throw error;
  } finally {
    await bench.close();
  }
}
