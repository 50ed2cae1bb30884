import type { Bodies } from './body.ts';
import { directivesOf } from './directive.ts';
import type { ListItem } from './document-item.ts';
import type { Frame } from './frame.ts';
import { textOf } from './message.ts';
import { linesOf } from './sentence.ts';
import type { State } from './state.ts';

// A document is for the day when nothing is in view. So what a person laid down
// stands in it even while the message is in the window.

/** Most that a document lists; the newest stay. */
const most = 24;

/** Longest message that stands whole, and longest line, in UTF-16 units. */
const longest = 240;

/** What people laid down, in view or not, in their words: a short message whole, of a longer one its directives. */
export function directivesIn(
  state: State,
  bodies: Bodies,
  open: readonly Frame[],
): readonly ListItem[] {
  const views = open.flatMap(({ id }) => state.views.get(id) ?? []);
  const shown = views.flatMap(({ human, items }) => [
    ...human,
    ...items.filter((one) => one.human),
  ]);
  const said = new Map(
    [...shown, ...(state.newest === null ? [] : [state.newest])].map(({ n }) => [
      n,
      directivesAt(n, bodies),
    ]),
  );
  for (const { n, text } of views.flatMap(({ quotes }) => quotes))
    said.set(n, [...(said.get(n) ?? []), text]);
  const texts = [...said].sort(([one], [other]) => one - other).flatMap(([, own]) => own);
  return linesOf(texts, longest)
    .slice(-most)
    .map((text) => ({ text, done: true, kind: 'directive' }));
}

function directivesAt(n: number, bodies: Bodies): readonly string[] {
  const text = textOf(bodies.message(n).content);
  const directives = directivesOf(text);
  return directives.length > 0 && text.length <= longest ? [text] : directives;
}
