import { InvalidArgumentError } from 'commander';

/** The window where nobody tells one, in tokens: what fits a small machine. */
export const usualWindow = 8_192;

const factors: Readonly<Record<string, number>> = { '': 1, k: 1_024, m: 1_048_576 };

/** A window as people write it, in tokens: `8192`, `8k` (8,192), `32K`, `1m`. */
export function parseWindow(text: string): number {
  const found = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text.trim());
  const tokens = Math.round(Number(found?.[1]) * (factors[found?.[2]?.toLowerCase() ?? ''] ?? 1));
  if (Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  throw new InvalidArgumentError('It takes a number of tokens: 8192, 8k (8,192), 32k or 1m.');
}
