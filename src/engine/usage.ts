import { objectOf, whole } from '../core/argument.ts';

/** What a server counted, in its own tokens. */
export interface Usage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** What it takes: a misspelled field would teach nothing, in silence. */
export const usage = objectOf<Usage>({ inputTokens: whole(0), outputTokens: whole(0) });
