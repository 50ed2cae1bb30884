import { entryText } from '../../../src/core/messages/message-text.ts';
import type { Message } from '../../../src/index.ts';
import { randomOf } from '../../random.ts';

// What somebody asks a log: a name, a few words, a sentence, or, as an agent that
// looks for what it forgot, the start of a message. Each is cut out of the log, so
// that it has the words of the log, and as many common ones.

/** Kinds of queries: a name, three words, twelve words, the start of a message. */
export const queryKinds = 4;

/** Characters of a message that is looked for as it is: some 34 terms, in the middle. */
const message = 600;

/** Queries for a log, one kind after the other; the same every time. */
export function queriesOf(told: readonly Message[], count: number): readonly string[] {
  const next = randomOf(97);
  const texts = told.map((one) => entryText(one).text).filter((text) => text.length > 80);
  return Array.from({ length: count }, (_, index) => {
    const text = texts[Math.floor(next() * texts.length)]!;
    const words = text
      .slice(0, 20_000)
      .split(/\s+/)
      .filter((word) => /[a-z]{3}/i.test(word));
    const from = Math.floor(next() * Math.max(1, words.length - 12));
    const kinds = [
      () => words.slice(from, from + 12).toSorted((a, b) => b.length - a.length)[0] ?? 'nothing',
      () => words.slice(from, from + 3).join(' '),
      () => words.slice(from, from + 12).join(' '),
      () => text.slice(0, message),
    ];
    return kinds[index % queryKinds]!();
  });
}
