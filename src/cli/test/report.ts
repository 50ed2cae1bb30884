import type { FilePlace } from './source.ts';

/** Something that is not as it should be. */
export interface Problem {
  /** Null where the file does not tell. */
  readonly place: FilePlace | null;
  readonly what: string;
  readonly lines: readonly string[];
}

/** What came of one script. */
export interface TestReport {
  readonly file: string;
  readonly name: string;
  readonly steps: number;
  readonly ms: number;
  readonly problems: readonly Problem[];
  /** Whether it says something that there is not, and could not be run. */
  readonly isMistake: boolean;
  /** Texts that were recorded. */
  readonly recorded: number;
}

/** Tells what came of scripts, one by one, and in the end of all. */
export interface Reporter {
  test(report: TestReport): void;
  end(reports: readonly TestReport[], ms: number): void;
}

/** Whether a script did all that it says. */
export const isMet = ({ problems }: TestReport): boolean => problems.length === 0;

/** Where a problem is, as terminals and editors lead to it. */
export const addressOf = (file: string, { place }: Problem): string =>
  place === null ? file : `${file}:${place.line}:${place.column}`;
