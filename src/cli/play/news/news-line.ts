import type { Glyphs } from '../../paper/glyph.ts';
import type { Format } from '../../paper/format.ts';
import type { Lesson } from './lesson.ts';

/** A line of news in a play. */
export interface NewsLine {
  /** What happened, for scripts: the fact's type. */
  readonly type: string;
  readonly glyph: keyof Glyphs;
  readonly format: Format;
  /** One word, in bold. */
  readonly word: string;
  /** What it happened to; not cleaned. */
  readonly text: string;
  /** Further lines; not cleaned. */
  readonly more: readonly string[];
  /** What a tour explains when this happens first. */
  readonly lessons: readonly Lesson[];
  /** The same for scripts. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A news line without a look of its own. */
export function plainNews(
  type: string,
  fields: Pick<NewsLine, 'word' | 'text' | 'data'>,
): NewsLine {
  return { ...fields, type, glyph: 'note', format: 'gray', more: [], lessons: [] };
}
