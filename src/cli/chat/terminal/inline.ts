import type { Format, Paint } from '../../paper/format.ts';

/** Paints what Markdown marks within a line, word by word. */
export interface Inline {
  /** A word, or a link, as it is shown, and without its paint; the first of a line may say that it is a heading or a quote. */
  word(text: string, isFirst: boolean): StyledWord;
  /** What stands at the beginning of a line that goes on. */
  lead(): StyledWord;
  /** Nothing that was begun goes on. */
  newLine(): void;
}

/** A word with its paint, and without. */
export interface StyledWord {
  readonly styledText: string;
  readonly plain: string;
}

/** Signs before which a word may begin to be bold. */
const before = /^[\s([{"'“‘/—–-]?$/;

/** Signs before which it may begin to be italic: behind a bracket a star is one of code. */
const beforeItalic = /^["'“‘—–-]?$/;

/** A link, and what stands behind it. */
const link = /^\[([^\]\n]+)\]\(([^()\s]+)\)([^]*)$/;

const nothing: StyledWord = { styledText: '', plain: '' };

/** The paint of headings, quotes, links, bold and italic words and code; without a paint, or where it paints nothing, every sign stays. */
export function inline(paint: Paint | undefined): Inline {
  if (paint === undefined || paint('x', 'bold') === 'x')
    return {
      word: (text) => ({ styledText: text, plain: text }),
      lead: () => nothing,
      newLine: () => undefined,
    };
  let [isHeading, isBold, isItalic, isCode, isQuote] = [false, false, false, false, false];
  const formats = (): readonly Format[] => [
    ...(isHeading || isBold ? (['bold'] as const) : []),
    ...(isItalic || isQuote ? (['italic'] as const) : []),
    ...(isCode ? (['cyan'] as const) : []),
  ];
  const bar = (): StyledWord => ({ styledText: paint('│', 'gray'), plain: '│' });
  const marked = (text: string): StyledWord => {
    let [styledText, plain, run] = ['', '', ''];
    const flush = (): void => {
      styledText += paint(run, ...formats());
      plain += run;
      run = '';
    };
    for (let at = 0; at < text.length; at += 1) {
      const [sign, last, next = ''] = [text[at], text[at - 1] ?? '', text[at + 1]];
      if (sign === '`') {
        if (isCode) run += '`';
        flush();
        if (!isCode) run = '`';
        isCode = !isCode;
      } else if (isCode || sign !== '*') run += sign;
      else if (next === '*') {
        const ends = isBold && at > 0;
        const begins = !isBold && before.test(last) && at + 2 < text.length;
        if (ends || begins) {
          flush();
          isBold = begins;
        } else run += '**';
        at += 1;
      } else {
        const ends = isItalic && at > 0 && !/[\p{L}\p{N}]/u.test(next);
        const begins = !isItalic && beforeItalic.test(last) && /[\p{L}\p{N}"'“‘`]/u.test(next);
        if (ends || begins) {
          flush();
          isItalic = begins;
        } else run += sign;
      }
    }
    flush();
    return { styledText, plain };
  };
  return {
    word(text, isFirst) {
      isHeading ||= isFirst && /^#{1,6}$/.test(text);
      if (isFirst && text === '>') {
        isQuote = true;
        return bar();
      }
      const [, name, place, rest = ''] = (isCode ? null : link.exec(text)) ?? [];
      if (name === undefined || place === undefined) return marked(text);
      const after = marked(rest);
      const isBare = name === place;
      return {
        styledText: `${paint(name, ...formats(), 'underline')}${isBare ? '' : ` ${paint(`(${place})`, 'gray')}`}${after.styledText}`,
        plain: `${name}${isBare ? '' : ` (${place})`}${after.plain}`,
      };
    },
    lead() {
      const { styledText, plain } = isQuote ? bar() : nothing;
      return isQuote ? { styledText: `${styledText} `, plain: `${plain} ` } : nothing;
    },
    newLine() {
      [isHeading, isBold, isItalic, isCode, isQuote] = [false, false, false, false, false];
    },
  };
}
