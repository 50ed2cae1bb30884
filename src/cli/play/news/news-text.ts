import { cleanLine } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { cut, padStart, widthOf, wrap } from '../../paper/width.ts';
import { lessons, type Lesson } from './lesson.ts';
import type { NewsLine } from './news-line.ts';

/** Width of the column that says after which entry something happened, in cells. */
const margin = 6;

/** The text of a news line, and its further lines indented; all of it in one line where nobody asked for a width. */
export function newsLines(moment: NewsLine, entry: string, paper: Paper): readonly string[] {
  const { glyphs, paint, width } = paper;
  const { word, format } = moment;
  const lead = `${padStart(entry, margin)}  `;
  const head = `${glyphs[moment.glyph]} ${word}`;
  if (!Number.isFinite(paper.longest)) {
    const line = [moment.text, ...moment.more].map(cleanLine).join(` ${glyphs.dot} `);
    return [`${paint(lead, 'gray')}${paint(head, 'bold', format)}  ${line}`];
  }
  const room = width - widthOf(lead) - widthOf(head) - 2;
  const text = cut(cleanLine(moment.text), room, glyphs.more);
  const inset = ' '.repeat(margin + 4);
  const more = moment.more.map((line) =>
    paint(inset + cut(cleanLine(line), width - inset.length, glyphs.more), 'gray'),
  );
  return [`${paint(lead, 'gray')}${paint(head, 'bold', format)}  ${text}`, ...more];
}

/** The lines of an explanation. */
export function lessonLines(lesson: Lesson, paper: Paper): readonly string[] {
  const inset = ' '.repeat(margin + 2);
  const sign = `${paper.glyphs.bar.trim()} `;
  return wrap(lessons[lesson], paper.width - inset.length - sign.length).map(
    (line) => inset + paper.paint(sign + line, 'cyan'),
  );
}
