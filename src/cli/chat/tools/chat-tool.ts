import type { ToolSpec } from '../../../index.ts';

/** Arguments of a call. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A request for a person's consent before a tool acts. */
export interface ConsentRequest {
  /** What is about to be done, without a question mark. */
  readonly question: string;
  /** Arguments that are shown whole, where the question does not say it all. */
  readonly args?: ToolArguments;
}

/** Consent to a call of the tool with this name: not needed, given, or refused. */
export type Consent = (tool: string, ask: ConsentRequest) => Promise<'free' | 'asked' | 'refused'>;

/** A tool that a model may call here. */
export interface ChatTool extends ToolSpec {
  /** Who has it: the session (frames, goal, recall), this program (files), or a server that the person named. */
  readonly of: 'session' | 'files' | { readonly server: string };
  /** What a call does, on a line for a person; throws where an argument is missing. */
  about(args: ToolArguments): string;
  /** Null where it only concerns the session itself; rejects where nobody need be asked because it cannot be. */
  ask(args: ToolArguments): Promise<ConsentRequest | null>;
  /** Rejects where it cannot be done. */
  run(args: ToolArguments, signal: AbortSignal): Promise<string>;
}
