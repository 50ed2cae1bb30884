import type { Assembly } from '../assembly/assembly.ts';

/**
 * How many messages at the start of an assembly most compressions leave as they are, so that a cache
 * pays: up to the last full block of the chronicle; where none is full, all before the entries.
 */
export function settledIn(messages: Assembly['messages']): number {
  const blocks = messages.flatMap(({ section }, index) => (section === 'chronicle' ? [index] : []));
  if (blocks.length > 1) return blocks.at(-1)!;
  return messages.filter(({ section }) => section !== 'working').length;
}
