import { newGrounding, type Grounding } from '../../core/lines/grounding.ts';
import type { Breathe } from '../../llm/breathe.ts';

/** The names and words of texts, which may be long: others get their turns of the event loop meanwhile. */
export async function readGrounding(texts: Iterable<string>, breathe: Breathe): Promise<Grounding> {
  const grounding = newGrounding();
  for (const text of texts)
    for (const slice of slicesOf(text)) {
      grounding.add(slice);
      await breathe();
    }
  return grounding;
}

/** UTF-16 units of a text that are read in one go, at least. */
const leastSlice = 50_000;

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
