import type { CommandCall } from '../call/call.ts';
import { cleanLine } from '../paper/clean.ts';
import { ascii as plain } from '../paper/glyph.ts';
import type { Format } from '../paper/format.ts';
import type { Paper } from '../paper/paper.ts';
import { padEnd, wrap } from '../paper/width.ts';

/** The result of a check. */
export interface Finding {
  /** The subject, in a word. */
  readonly check: string;
  readonly state: 'good' | 'odd' | 'bad';
  /** What was found. */
  readonly text: string;
  /** Advice; '' for none. */
  readonly fix: string;
  /** The same as data, for scripts. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A finding in which nothing is wrong. */
export function goodFinding(check: string, text: string, detail: Finding['detail'] = {}): Finding {
  return { check, state: 'good', text, fix: '', detail };
}

/** A finding that is worth knowing: things work, but not as well as they could. */
export function oddFinding(check: string, text: string, more: Partial<Finding> = {}): Finding {
  return { check, state: 'odd', text, fix: '', detail: {}, ...more };
}

/** A finding that has to be mended before a chat can be held. */
export function badFinding(check: string, text: string, more: Partial<Finding> = {}): Finding {
  return { check, state: 'bad', text, fix: '', detail: {}, ...more };
}

/** Width of the names of checks, in cells. */
const label = 11;

const signs: Readonly<Record<Finding['state'], readonly [full: string, ascii: string, Format]>> = {
  good: ['✓', '*', 'green'],
  odd: ['!', '!', 'yellow'],
  bad: ['✗', 'x', 'red'],
};

/** A finding in lines: sign, check, what was found, and below it what to do. */
function findingLines(finding: Finding, paper: Paper): readonly string[] {
  const { check, state, text, fix } = finding;
  const [full, ascii, format] = signs[state];
  const sign = paper.glyphs === plain ? ascii : full;
  const room = paper.width - label - 2;
  const lines = wrap(cleanLine(text), room);
  const more = fix.split('\n').filter((line) => line !== '');
  return [
    ...lines.map((line, index) =>
      index === 0
        ? `${paper.paint(sign, format)} ${padEnd(check, label)}${line}`
        : ' '.repeat(label + 2) + line,
    ),
    ...more
      .flatMap((line) => wrap(cleanLine(line), room))
      .map((line) => paper.paint(' '.repeat(label + 2) + line, 'gray')),
  ];
}

/** Prints a finding, unless all of them come as one document. */
export function tellFinding(finding: Finding, call: CommandCall): void {
  if (!call.json && !(call.quiet && finding.state === 'good'))
    call.print(...findingLines(finding, call.paper()));
}
