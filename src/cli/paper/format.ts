import { WriteStream } from 'node:tty';
import type { Io } from '../io.ts';

/** A format of text. */
export type Format = 'bold' | 'italic' | 'underline' | 'inverse' | Color;

/** A color of text. */
export type Color = 'gray' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/**
 * Each color among the 256 that no theme changes, chosen so that it can be read on white and on black alike: no color of them has more on both. A theme's own
 * sixteen cannot: its yellow is pale on white, its gray is the ground itself in Solarized.
 */
export const fixed: Readonly<Record<Color, number>> = {
  gray: 243,
  red: 131,
  green: 28,
  yellow: 130,
  blue: 63,
  magenta: 163,
  cyan: 30,
};

/** Where a terminal has no more than sixteen colors: those of its theme. */
const themed: Readonly<Record<Color, number>> = {
  gray: 90,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
};

/** Paints a text in formats. */
export type Paint = (text: string, ...formats: readonly Format[]) => string;

/** The paint for a terminal of these surroundings. */
export function paintFor(env: Io['env']): Paint {
  const color = has256(env)
    ? (name: Color) => `38;5;${fixed[name]}`
    : (name: Color) => `${themed[name]}`;
  return (text, ...formats) =>
    text === '' ? text : formats.reduce((painted, one) => painting(painted, one, color), text);
}

function painting(text: string, format: Format, color: (name: Color) => string): string {
  if (format === 'bold') return `\x1b[1m${text}\x1b[22m`;
  if (format === 'italic') return `\x1b[3m${text}\x1b[23m`;
  if (format === 'underline') return `\x1b[4m${text}\x1b[24m`;
  if (format === 'inverse') return `\x1b[7m${text}\x1b[27m`;
  return `\x1b[${color(format)}m${text}\x1b[39m`;
}

/** Node does not know all names that say it themselves. */
function has256(env: Io['env']): boolean {
  const { TERM = '' } = env;
  return /-(?:256color|direct)$/.test(TERM) || WriteStream.prototype.getColorDepth(env) >= 8;
}
