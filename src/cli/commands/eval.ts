import { baselines, evaluate, flamestack, totalsOf, type MethodKind } from '../../eval/index.ts';
import type { Call } from '../call.ts';
import { exits } from '../exit.ts';

/** Options of `eval` alone. */
export interface EvalOptions {
  readonly budget?: readonly number[] | undefined;
  readonly method?: readonly string[] | undefined;
  readonly format?: string | undefined;
  /** Whether the frames of the files are left out. */
  readonly flat?: boolean | undefined;
}

/** Budgets unless told, in tokens. */
const usual: readonly number[] = [8_000, 16_000, 32_000];

const known: readonly MethodKind[] = [flamestack('flamestack'), ...baselines];

function chosen(names: readonly string[] | undefined): readonly MethodKind[] {
  return known.filter(({ name }) => names?.includes(name) ?? true);
}

/** Measures what a window keeps of session files; gives the exit code. */
export async function evalFiles(
  files: readonly string[],
  options: EvalOptions,
  call: Call,
): Promise<number> {
  const { signal } = call.io;
  const { budget: budgets = usual, format, flat = false } = options;
  const evaluation = await evaluate(files, {
    budgets,
    methods: chosen(options.method),
    frames: !flat,
    signal,
    ...(format === undefined ? {} : { format }),
  });
  call.emit('flamestack.eval/1', { budgets, totals: totalsOf(evaluation), ...evaluation });
  return exits.done;
}
