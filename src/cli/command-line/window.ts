import { InvalidArgumentError } from 'commander';
import { EngineError } from '../../names.ts';
import type { Io } from '../io.ts';

/** The window where nobody tells one, in tokens: what fits a small machine. */
export const usualWindow = 8_192;

/** The smallest that a session takes, in tokens; told here again, as no command line loads the engine to be read. */
export const leastWindow = 1_000;

/** The largest that is meant as one, in tokens: more is mistyped. */
const mostWindow = 100 * 1_048_576;

const factors: Readonly<Record<string, number>> = { '': 1, k: 1_024, m: 1_048_576 };

/** A window as people write it, in tokens: `8192`, `8k` (8,192), `32K`, `1m`. */
export function parseWindow(text: string): number {
  const match = /^(\d+|\d+(?:\.\d+)?(?=[km]))([km]?)$/i.exec(text.trim());
  const tokens = Math.round(Number(match?.[1]) * (factors[match?.[2]?.toLowerCase() ?? ''] ?? 1));
  if (tokens > 0 && tokens <= mostWindow) return tokens;
  throw new InvalidArgumentError(
    `It takes a number of tokens from ${leastWindow} to 100m: 8192, 8k (8,192), 32k or 1m.`,
  );
}

/** The window for new sessions that FLAMESTACK_WINDOW tells; undefined where it tells none. Throws `OPTION_INVALID`. */
export function toldWindow({ FLAMESTACK_WINDOW: setting }: Io['env']): number | undefined {
  if (!setting) return undefined;
  try {
    return parseWindow(setting);
  } catch (cause) {
    const message = `FLAMESTACK_WINDOW is "${setting}": it takes a number of tokens from ${leastWindow} to 100m, as 8192, 8k, 32k or 1m`;
    throw new EngineError('OPTION_INVALID', message, {
      cause,
      detail: { option: 'window', value: setting },
    });
  }
}
