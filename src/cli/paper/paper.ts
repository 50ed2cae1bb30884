import type { Io, Writer } from '../io.ts';
import { paintFor, type Paint } from './format.ts';
import { ascii, full, type Glyphs } from './glyph.ts';

/** The surface of an output: its size, its signs, and whether it takes color. */
export interface Paper {
  /** Width of what is laid out, as rules and tables, in cells. */
  readonly width: number;
  /** A line of text is cut beyond this, in cells; infinite where nobody asked for a width. */
  readonly longest: number;
  /** In lines; infinite where nobody scrolls. */
  readonly height: number;
  /** Whether lines already written can be drawn over. */
  readonly isLive: boolean;
  readonly glyphs: Glyphs;
  /** The text in these formats, or as it is where there is no color. */
  readonly paint: Paint;
}

/** Options of how output looks. */
export interface Looks {
  /** Undefined where nothing was said. */
  readonly color?: boolean | undefined;
  readonly ascii?: boolean | undefined;
}

/** Width where there is no terminal and `COLUMNS` is not set, in cells. */
const plainWidth = 80;

/** The narrowest that lines are laid out for, in cells. */
const leastWidth = 40;

/** The paper of `writer`. */
export function paperOf(writer: Writer, env: Io['env'], looks: Looks): Paper {
  const isTerminal = writer.isTTY === true;
  const isDumb = env['TERM'] === 'dumb';
  const hasColor = looks.color ?? wantsColor(env, isTerminal && !isDumb);
  const columns = isTerminal ? writer.columns || plainWidth : columnsIn(env);
  return {
    width: Math.max(leastWidth, columns ?? plainWidth),
    longest: columns === undefined ? Number.POSITIVE_INFINITY : Math.max(leastWidth, columns),
    height: (isTerminal ? writer.rows : undefined) || Number.POSITIVE_INFINITY,
    isLive: isTerminal && !isDumb,
    glyphs: (looks.ascii ?? env['FLAMESTACK_ASCII'] === '1') || isDumb ? ascii : full,
    paint: hasColor ? paintFor(env) : (text) => text,
  };
}

/** The width that the surroundings ask for where there is no terminal; undefined without one. */
function columnsIn({ COLUMNS }: Io['env']): number | undefined {
  return /^[1-9]\d{0,5}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : undefined;
}

/** Node's own order: FORCE_COLOR, then NO_COLOR; then FLAMESTACK_COLOR, then what the stream is. */
function wantsColor(env: Io['env'], fallback: boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  const wanted = env['FLAMESTACK_COLOR'];
  return wanted === 'always' || (wanted !== 'never' && fallback);
}
