/** Window for summaries of a model whose window nobody tells, in tokens. */
export const modestWindow = 8_192;

/** Temperature of summaries: low, for what was said counts; a greedy choice (0) repeats itself in small models. */
export const calmTemperature = 0.2;

/** Tokens beside a summary for the thinking of a model that cannot leave it, in a window of `window` tokens. */
export const thinkingRoom = (window: number): number => Math.min(1_000, Math.floor(window / 4));
