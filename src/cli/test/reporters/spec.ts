import type { CommandCall } from '../../call/call.ts';
import { clean, cleanLine } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { duration, many } from '../../paper/size.ts';
import { cut, wrap } from '../../paper/width.ts';
import { addressOf, isMet, type Problem, type Reporter, type TestReport } from '../report.ts';

/** For people: a line for each script, and what is wrong with its place in the file. */
export function specReporter(call: CommandCall): Reporter {
  let file = '';
  return {
    test(report) {
      const paper = call.paper();
      if (report.file !== file && !call.quiet) call.print(paper.paint(report.file, 'bold'));
      ({ file } = report);
      if (!call.quiet || !isMet(report)) call.print(...linesOf(report, paper));
    },
    end(reports, ms) {
      const wrong = reports.filter((report) => !isMet(report)).length;
      const recorded = reports.reduce((sum, report) => sum + report.recorded, 0);
      const parts = [
        many(reports.length, 'script'),
        ...(wrong > 0 ? [`${wrong} not as expected`] : []),
        ...(recorded > 0 ? [`${many(recorded, 'text')} recorded`] : []),
        duration(ms),
      ];
      const paper = call.paper();
      if (!call.quiet) call.print('', paper.paint(parts.join(' · '), wrong > 0 ? 'red' : 'green'));
    },
  };
}

function linesOf(report: TestReport, paper: Paper): readonly string[] {
  const { glyphs, paint } = paper;
  const { steps, problems, ms } = report;
  const name = cleanLine(report.name);
  if (isMet(report)) {
    const size = paint(`${many(steps, 'step')}, ${duration(ms)}`, 'gray');
    return [`  ${paint(glyphs.completed, 'green')} ${name}  ${size}`];
  }
  return [
    `  ${paint(glyphs.failed, 'red')} ${name}`,
    ...problems.flatMap((problem) => problemLines(report.file, problem, paper)),
  ];
}

function problemLines(file: string, problem: Problem, paper: Paper): readonly string[] {
  const { place, what, lines } = problem;
  const { paint, width } = paper;
  const said = (text: string, indent: string): readonly string[] =>
    wrap(cleanLine(text), width - indent.length).map((line) => indent + line);
  return [
    '',
    `    ${paint(addressOf(file, problem), 'cyan')}`,
    ...(place === null ? [] : frameOf(place, paper)),
    ...said(what, '    ').map((line) => paint(line, 'bold')),
    ...lines.flatMap((line) => {
      if (/^[-+ ] |^[-+]?$/.test(line)) return diffLines(clean(line), paper);
      const [, label = '', rest = line] = /^(there|nearest) {2}(.*)$/.exec(line) ?? [];
      const rows = said(rest, ' '.repeat(label === '' ? 6 : 8 + label.length));
      return rows.map((one, at) =>
        at === 0 && label !== '' ? `      ${label}  ${one.trimStart()}` : one,
      );
    }),
  ];
}

/** The line of the file, and a mark under its place. */
function frameOf(
  { line, column, source }: NonNullable<Problem['place']>,
  { paint, width, glyphs }: Paper,
): readonly string[] {
  const head = `    ${line} ${glyphs.mark} `;
  const shift = Math.max(0, column - 1 - Math.floor((width - head.length) / 2));
  const excerpt = cut(clean(source.slice(shift)).replaceAll('\t', ' '), width - head.length);
  const mark = ' '.repeat(head.length - 2) + ' '.repeat(column + 1 - shift);
  return [paint(head + excerpt, 'gray'), paint(`${mark}^`, 'red')];
}

/** A line of a difference, whole: where it differs may be at its end. */
function diffLines(line: string, paper: Paper): readonly string[] {
  const [, mark = '', indent = '', rest = ''] = /^(.?)( *)(.*)$/.exec(line)!;
  const rows = wrap(rest, paper.width - 12 - indent.length);
  return rows.map((one, at) =>
    painted(`      ${mark}${indent}${at === 0 ? '' : '    '}${one}`, paper),
  );
}

function painted(line: string, { paint }: Paper): string {
  if (line.startsWith('      -')) return paint(line, 'red');
  return line.startsWith('      +') ? paint(line, 'green') : line;
}
