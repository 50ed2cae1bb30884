import { checkFields, whole, type Check, type Fields } from '../core/argument.ts';

/** What a server counted, in its own tokens. */
export interface Usage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

const count: Check = (name, value) => whole(`usage.${name}`, value, 0);
const fields: Fields<keyof Usage> = { inputTokens: count, outputTokens: count };

/** Refuses what is no usage: a misspelled one would teach nothing, in silence. */
export function checkUsage(name: string, value: unknown): void {
  checkFields(name, value, fields);
}
