import { styleText } from 'node:util';
import type { Io, Writer } from '../io.ts';
import { ascii, full, type Glyphs } from './glyph.ts';

/** How a stretch of text is painted. */
export type Format =
  | 'bold'
  | 'dim'
  | 'gray'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan';

/** What is drawn on: its size, its signs, and whether it takes color. */
export interface Paper {
  /** In cells. */
  readonly width: number;
  /** In lines; infinite where nobody scrolls. */
  readonly height: number;
  /** Whether lines already written can be drawn over. */
  readonly isLive: boolean;
  readonly glyphs: Glyphs;
  /** The text in these formats, or as it is where there is no color. */
  readonly paint: (text: string, ...formats: readonly Format[]) => string;
}

/** What a person asked of the looks. */
export interface Looks {
  /** Undefined where nothing was said. */
  readonly color?: boolean | undefined;
  readonly ascii?: boolean | undefined;
}

/** Width where there is no terminal, in cells. */
const plainWidth = 80;

/** The narrowest that lines are laid out for, in cells. */
const leastWidth = 40;

/** What to draw on when writing to `writer`. */
export function paperOf(writer: Writer, env: Io['env'], looks: Looks): Paper {
  const isTerminal = writer.isTTY === true;
  const isDumb = env['TERM'] === 'dumb';
  const hasColor = looks.color ?? wantsColor(env, isTerminal && !isDumb);
  return {
    width: Math.max(leastWidth, (isTerminal ? writer.columns : undefined) || plainWidth),
    height: (isTerminal ? writer.rows : undefined) || Number.POSITIVE_INFINITY,
    isLive: isTerminal && !isDumb,
    glyphs: looks.ascii === true || isDumb ? ascii : full,
    paint: hasColor ? paint : (text) => text,
  };
}

/** Node's own order: FORCE_COLOR, then NO_COLOR, then what the stream is. */
function wantsColor(env: Io['env'], fallback: boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  return fallback;
}

/** One format at a time: given a list, Node 20 paints whatever the stream is. */
function paint(text: string, ...formats: readonly Format[]): string {
  if (text === '') return text;
  return formats.reduce(
    (painted, format) => styleText(format, painted, { validateStream: false }),
    text,
  );
}
