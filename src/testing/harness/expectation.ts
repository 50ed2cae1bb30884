import type { FrameStatus } from '../../core/frames/frame.ts';
import type { Section } from '../../core/sections/section-name.ts';
import type { Place } from '../../core/assembly/locate.ts';
import type { Fact } from '../../core/state/fact.ts';

/** A text that the window shows or hides: anywhere, or in one section; `match` is a regular expression. */
export type TextExpected =
  | string
  | number
  | { readonly text: string; readonly in?: Section }
  | { readonly match: string; readonly in?: Section };

/** What must hold at a moment; each field by itself, and none has to be there. */
export interface Expectation {
  /** Texts that the model is shown. */
  readonly shows?: TextExpected | readonly TextExpected[];
  /** Texts that it is not shown. */
  readonly hides?: TextExpected | readonly TextExpected[];
  /** The prompt fits its limit; a number is a smaller one, in tokens. */
  readonly fits?: true | number;
  /** Where entries or frames are, by id: `e1: verbatim`. */
  readonly where?: Readonly<Record<string, Place['place']>>;
  /** Fields of the state; what is not named may be anything. A number may be `'> 3'`, `'<= 10'`. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** The status of frames, by id or name. */
  readonly frames?: Readonly<Record<string, FrameStatus>>;
  /** Types of facts since the last `expect`: in this order, others between; or how many of each. */
  readonly facts?: readonly Fact['type'][] | Readonly<Partial<Record<Fact['type'], number>>>;
  /** Entries that `recall` finds for a query. */
  readonly recalls?: Readonly<Record<string, string | readonly string[]>>;
  /** Calls of the summarizer so far. */
  readonly summaries?: number;
  /** Every law of the engine holds. */
  readonly laws?: true;
  /** Recorded: the prompt, a line a message; or the file (`*.trace`) that has them. In code only a file is recorded. */
  readonly window?: string | null;
  /** Recorded: all facts so far, a line each; or the file, too. */
  readonly trace?: string | null;
}

/** Where something stands in a script: `['steps', 3, 'expect', 'shows']`. */
export type ScriptPath = readonly (string | number)[];

/** An expectation that is not met. */
export interface Unmet {
  readonly path: ScriptPath;
  /** What was expected, in a line. */
  readonly what: string;
  /** What is there instead. */
  readonly lines: readonly string[];
}

/** A step of a script that did not do what it says. */
export class StepFailure extends Error {
  readonly unmet: readonly Unmet[];

  constructor(unmet: readonly Unmet[], options?: ErrorOptions) {
    super(unmet.map(({ what, lines }) => [what, ...lines].join('\n')).join('\n\n'), options);
    this.name = 'StepFailure';
    this.unmet = unmet;
  }
}
