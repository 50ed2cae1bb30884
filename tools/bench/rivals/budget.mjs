// What all that compress are given: the same window, trigger and room for recent messages, in tokens.

export const window = 32_768;
export const trigger = Math.floor(window * 0.8);
export const keep = 8_000;

/** What a model that answers at once would say: about 1,000 tokens. */
export const summary =
  'The work so far, what was found and decided, and what is left to do. '.repeat(70);
