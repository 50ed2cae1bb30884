import { InvalidArgumentError } from 'commander';
import type { SessionOptions } from '../../../src/index.ts';
import { baselines, flamestack, type MethodKind } from '../index.ts';

/** Options of the engine as they were typed, by name. */
export type Typed = Readonly<Record<string, string>>;

/** The name of the engine with other options than its own. */
const tuned = 'tuned';

/** The methods with these names, all unless told; options of the engine make one more. Refuses names that there are not. */
export function methodsOf(
  names: readonly string[] | undefined,
  typed: Typed,
): readonly MethodKind[] {
  const given = Object.entries(typed);
  const about = `this engine with ${given.map(([name, value]) => `${name}=${value}`).join(', ')}`;
  const own = flamestack(tuned, (budget) => optionsOf(typed, budget), about);
  const known = [flamestack('flamestack'), ...(given.length === 0 ? [] : [own]), ...baselines];
  for (const name of names ?? [])
    if (!known.some((kind) => kind.name === name)) throw unknown(name, known);
  if (given.length > 0 && names?.includes(tuned) === false)
    throw new InvalidArgumentError(
      `Options of the engine are for the method "${tuned}"; add it to --method, or leave --method out`,
    );
  return known.filter(({ name }) => names?.includes(name) ?? true);
}

function unknown(name: string, known: readonly MethodKind[]): Error {
  const there = known.map((kind) => kind.name).join(', ');
  const hint =
    name === tuned ? ' (it needs an option: --trigger, --preserve-recent, --option)' : '';
  return new InvalidArgumentError(`There is no method "${name}"${hint}; there are ${there}`);
}

/** Refuses options that the engine would refuse, before any file is read; rejects with `OPTION_INVALID`. */
export async function check(
  kinds: readonly MethodKind[],
  budgets: readonly number[],
): Promise<void> {
  for (const kind of kinds)
    for (const budget of budgets) {
      const method = await kind.begin({ budget, system: '', title: '' });
      await method.close?.();
    }
}

function optionsOf(typed: Typed, budget: number): SessionOptions {
  return Object.fromEntries(
    Object.entries(typed).map(([name, text]) => [name, valueOf(text, budget)]),
  );
}

/** `0.9`, `true`, `2000`, a share of the budget such as `25%`, or a text. */
function valueOf(text: string, budget: number): unknown {
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  if (share !== undefined) {
    if (Number(share) > 100)
      throw new InvalidArgumentError(`"${text}" of a budget is more than it has; up to 100%`);
    return Math.floor((Number(share) / 100) * budget);
  }
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
