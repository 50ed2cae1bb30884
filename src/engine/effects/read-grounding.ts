import { newGrounding, type Grounding } from '../../core/lines/grounding.ts';
import type { Breathe } from '../../llm/breathe.ts';

/** What a summary may rest on: its record, and what was given beside it. */
interface GivenTexts {
  readonly record: Iterable<string>;
  readonly beside: Iterable<string>;
}

/** The names and words of texts, which may be long: others get their turns of the event loop meanwhile. */
export async function readGrounding(sources: GivenTexts, breathe: Breathe): Promise<Grounding> {
  const grounding = newGrounding();
  const read = async (texts: Iterable<string>, add: (slice: string) => void): Promise<void> => {
    for (const text of texts)
      for (const slice of slicesOf(text)) {
        add(slice);
        await breathe();
      }
  };
  await read(sources.record, (slice) => grounding.addRecord(slice));
  await read(sources.beside, (slice) => grounding.add(slice));
  return grounding;
}

/** UTF-16 units of a text that are read in one go, at least. */
const leastSlice = 16_000;

/** A text in parts, cut at white space: no word is in two of them. */
function* slicesOf(text: string): Generator<string> {
  const space = /\s/g;
  for (let start = 0; start < text.length;) {
    space.lastIndex = start + leastSlice;
    const end = space.exec(text)?.index ?? text.length;
    yield text.slice(start, end);
    start = end;
  }
}
