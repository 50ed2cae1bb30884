import type { Section } from '../../../src/index.ts';
import type { Moment } from '../contexts.ts';
import { termsOf } from '../directive.ts';

/** A line of a section, and what it says that it stands for. */
export interface SectionLine {
  readonly text: string;
  /** The title of the list that it is an item of; '' for none. */
  readonly under: string;
  /** The place of the message that its context was made for; it can only tell of earlier ones. */
  readonly place: number;
  /** Places of the entries that it stands for as far as that is written, first and last of each run. */
  readonly named: readonly Run[];
}

/** The places of entries in a row, first and last. */
type Run = readonly [first: number, last: number];

/** Least terms of a line that says something. */
const leastTerms = 2;

/** The lines of a section in a context; titles and tags are not among them, but tell of the lines below. */
export function sectionLines(
  { context, place, method }: Moment,
  section: Section,
): readonly SectionLine[] {
  const placeOf = (id: string): number | null => method.placeOf?.(id) ?? null;
  return (context ?? [])
    .filter((message) => message.section === section)
    .flatMap((message) => {
      const whole = message.place === null ? null : ([message.place, message.place] as const);
      return linesOf(message.text, placeOf).map((line) => ({
        ...line,
        named: whole === null ? line.named : [whole],
        place,
      }));
    });
}

const item = /^[-*] /;
const tag = /^<[^<>]*>$/;
const title = /^[^-*].*:$/;

function linesOf(
  text: string,
  placeOf: (id: string) => number | null,
): readonly Omit<SectionLine, 'place'>[] {
  const lines: Omit<SectionLine, 'place'>[] = [];
  let under = '';
  let below: readonly Run[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    const own = namedIn(line, placeOf);
    if (tag.test(line)) {
      below = own;
      under = '';
    } else if (title.test(line)) under = line;
    else if (termsOf(line).length >= leastTerms)
      lines.push({
        text: line,
        under: item.test(line) ? under : '',
        named: own.length > 0 ? own : below,
      });
  }
  return lines;
}

const reference = /\b(e\d+)(?:\s*[–-]\s*(e\d+))?\b/g;

/** The runs of entries that a line names: `e7`, `e7–e12`. */
function namedIn(line: string, placeOf: (id: string) => number | null): readonly Run[] {
  return [...line.matchAll(reference)].flatMap(([, from, to = from]) => {
    const [first, last] = [placeOf(from!), placeOf(to!)];
    return first === null || last === null ? [] : [[first, last] as const];
  });
}
