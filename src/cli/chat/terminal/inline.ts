import type { Format, Paint } from '../../paper/format.ts';

/** Paints what Markdown marks within a line, word by word. */
export interface Inline {
  /** A word as it is shown, and without its paint; the first of a line may say that it is a heading. */
  word(text: string, isFirst: boolean): { readonly shown: string; readonly plain: string };
  /** Nothing that was begun goes on. */
  newLine(): void;
}

/** Signs before which a word may begin to be bold. */
const before = /^[\s([{"'“‘/—–-]?$/;

/** The paint of headings, bold words and code; without a paint, or where it paints nothing, every sign stays. */
export function inline(paint: Paint | undefined): Inline {
  if (paint === undefined || paint('x', 'bold') === 'x')
    return { word: (text) => ({ shown: text, plain: text }), newLine: () => undefined };
  let [isHeading, isBold, isCode] = [false, false, false];
  const formats = (): readonly Format[] => [
    ...(isHeading || isBold ? (['bold'] as const) : []),
    ...(isCode ? (['cyan'] as const) : []),
  ];
  return {
    word(text, isFirst) {
      isHeading ||= isFirst && /^#{1,6}$/.test(text);
      let [shown, plain, run] = ['', '', ''];
      const flush = (): void => {
        shown += paint(run, ...formats());
        plain += run;
        run = '';
      };
      for (let at = 0; at < text.length; at += 1) {
        if (text[at] === '`') {
          if (isCode) run += '`';
          flush();
          if (!isCode) run = '`';
          isCode = !isCode;
          continue;
        }
        const isMark = !isCode && text.startsWith('**', at);
        const ends = isMark && isBold && at > 0;
        const begins = isMark && !isBold && before.test(text[at - 1] ?? '') && at + 2 < text.length;
        if (ends || begins) {
          flush();
          isBold = begins;
          at += 1;
        } else run += text[at];
      }
      flush();
      return { shown, plain };
    },
    newLine() {
      [isHeading, isBold, isCode] = [false, false, false];
    },
  };
}
