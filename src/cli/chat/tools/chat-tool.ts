import type { ToolSpec } from '../../../index.ts';

/** Arguments of a call. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A request for a person's consent before a tool acts. */
export interface ConsentRequest {
  /** What `always` allows from then on, in words. */
  readonly right: string;
  /** What is about to be done, without a question mark. */
  readonly question: string;
  /** Texts that show it, as they are. */
  readonly preview?: readonly Preview[];
}

/** A text that a person sees before they allow something. */
export interface Preview {
  readonly text: string;
  /** What stands before each line: taken out, put in; nothing for what runs. */
  readonly sign?: '-' | '+';
}

/** Consent: not needed, given, or refused. */
export type Consent = (ask: ConsentRequest) => Promise<'free' | 'asked' | 'refused'>;

/** A tool that a model may call here. */
export interface ChatTool extends ToolSpec {
  /** Whether it is one of the session's: frames, goal, recall. */
  readonly isOwn: boolean;
  /** What a call does, on a line for a person; throws where an argument is missing. */
  about(given: ToolArguments): string;
  /** Null where it only concerns the session itself; rejects where nobody need be asked because it cannot be. */
  ask(given: ToolArguments): Promise<ConsentRequest | null>;
  /** Rejects where it cannot be done. */
  run(given: ToolArguments, signal: AbortSignal): Promise<string>;
}
