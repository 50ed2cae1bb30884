/** A value as JSON that every reader takes: in place of half a character, which not each of them does, stands the sign for that. */
export const toExchange = (value: unknown): string =>
  JSON.stringify(value).replace(
    /(\\\\)|\\ud[89a-f][\da-f]{2}/g,
    (_, slash?: string) => slash ?? '\ufffd',
  );
