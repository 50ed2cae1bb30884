/** Whether one word begins the other, or shares all but one of its letters. */
export function isSimilar(one: string, other: string): boolean {
  if (one.startsWith(other) || other.startsWith(one)) return true;
  const letters = other.split('');
  let shared = 0;
  for (const letter of one.split('')) {
    const index = letters.indexOf(letter);
    if (index < 0) continue;
    letters.splice(index, 1);
    shared += 1;
  }
  return shared >= Math.max(one.length, other.length) - 1;
}

/** The model among those that a server has whose name is near one that it has not; undefined for none. A tag that nobody typed is no difference. */
export const nearModelName = (modelNames: readonly string[], model: string): string | undefined =>
  modelNames.find((one) => isSimilar(one, model) || isSimilar(one.split(':')[0]!, model));
