import type { Body } from '../provider.ts';

/** What the model calls for what a person said: several at once, and again once they are answered; then it says a word. */
export type Script = (said: string) => readonly (readonly Call[])[];

/** A call of a tool. */
export interface Call {
  readonly name: string;
  readonly input: Body;
  /** The group that the tool is in, where a host has groups. */
  readonly namespace?: string;
}
