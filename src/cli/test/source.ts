import type { Script, ScriptPath } from '../../testing/index.ts';

/** Where something stands in a file. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
  /** The line as it is written. */
  readonly source: string;
}

/** A change of a file's text. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A script, and where its parts stand in its file. */
export interface ScriptSource {
  readonly name: string;
  /** What keeps it from being read; null for nothing. */
  readonly mistake: { readonly what: string; readonly place: FilePlace | null } | null;
  readonly script: Script;
  /** Where a part stands; null where the file does not tell. */
  place(path: ScriptPath, isName: boolean): FilePlace | null;
  /** The edit that records a text; left out where only a person can. */
  write?(path: ScriptPath, recorded: string): Edit;
}
