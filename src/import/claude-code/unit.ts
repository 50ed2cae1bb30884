import type { Passage } from '../source/passage.ts';
import { toRecord, toTime, type Json } from '../source/record.ts';
import type { SourceLine } from '../source/step.ts';

/** A passage, and the line at whose place its steps come. */
export interface PassageAtLine {
  readonly line: number;
  readonly passage: Passage;
}

/** The records of lines, without those that hold none. */
export function recordsOf(lines: readonly SourceLine[]): readonly Json[] {
  return lines.flatMap(({ text }) => {
    const record = toRecord(text);
    return typeof record === 'string' ? [] : [record];
  });
}

/** A line with the time that its record has. */
export function timed(record: Json, line: number): { readonly line: number; readonly at?: number } {
  const at = toTime(record['timestamp']);
  return { line, ...(at === undefined ? {} : { at }) };
}
