// Token counters of others, by name; each is loaded when asked for.

/** @type {Record<string, () => Promise<(text: string) => number>>} */
export const counters = {
  'gpt-tokenizer': async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    const options = { disallowedSpecial: new Set() };
    return (text) => countTokens(text, options);
  },
  'ai-tokenizer': async () => {
    const { Tokenizer } = await import('ai-tokenizer');
    const tokenizer = new Tokenizer(await import('ai-tokenizer/encoding/o200k_base'));
    return (text) => tokenizer.encodeOrdinary(text).length;
  },
};
