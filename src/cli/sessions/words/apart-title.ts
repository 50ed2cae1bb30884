import { cut, widthOf } from '../../paper/width.ts';

/** Longest title in a list of several, the least of what is its own that is shown, and its beginning before that, in cells. */
const longest = 48;
const leastOwn = 24;
const beginning = 16;

/** A title among others that it is to be told from: where they begin alike for long, its beginning and what differs. */
export function apartTitle(title: string, others: readonly string[]): string {
  if (widthOf(title) <= longest) return title;
  const alike = Math.max(
    0,
    ...others.filter((other) => other !== title).map((other) => sharedLength(title, other)),
  );
  const own = title.lastIndexOf(' ', alike - 1) + 1;
  if (own <= longest - leastOwn) return cut(title, longest);
  return `${cut(title, beginning)} ${cut(title.slice(own), longest - beginning - 1)}`;
}

/** How much of their beginning two texts share, in UTF-16 units. */
function sharedLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
