import { plainSentence } from './decisions.ts';

// A checkpoint's text is a list of sections. Ours look like this:
//
//   Findings and decisions:
//   - The guard was inverted; fixed in auth/token.ts.
//   Files: *auth/token.ts auth/login.ts           (* changed)
//
// A model's are read in the forms that models use (`## Next steps`, `**Files:**`).
// What is read from items is kept beside the text, which stays as it was written.

/** The sections of an embedded summary. */
export type SectionName =
  | 'Requests'
  | 'Findings and decisions'
  | 'Open'
  | 'Errors'
  | 'Commands'
  | 'Files'
  | 'Names';

/** A head and the items under it. */
export interface TextSection {
  /** As printed; '' before the first head. */
  readonly head: string;
  /** Lines, oldest first; or names, best first. */
  readonly items: readonly string[];
  /** Between items: a line break, or a mark if all stand on the line of the head. */
  readonly separator: '\n' | ' ' | '; ';
  /** How slowly it shrinks beside the others; 1 unless told. */
  readonly weight: number;
}

/** A section of an embedded summary. */
export function section(name: SectionName, items: readonly string[]): TextSection {
  return { head: `${name}:`, items, separator: separators[name], weight: weights[name] ?? 1 };
}

/** The sections that have items, as text; lines under a head, lists behind it. */
export function printSections(sections: readonly TextSection[]): string {
  return sections
    .filter(({ items }) => items.length > 0)
    .map(({ head, items, separator }) => {
      const body = items.join(separator);
      if (head === '') return body;
      return separator === '\n' ? `${head}\n${body}` : `${head} ${body}`;
    })
    .join('\n');
}

/**
 * The sections of a text, ours or a model's, without blank lines. Sections of
 * the same head are joined: of lines in order, where of equal ones the last
 * stays; of names one of each in turn, beginning with the later section.
 */
export function parseSections(text: string): readonly TextSection[] {
  const sections = new Map<string, TextSection>();
  const open = (head: string, shape: Pick<TextSection, 'separator' | 'weight'>): string[] => {
    const known = sections.get(head);
    const items: string[] = known === undefined ? [] : [...known.items];
    sections.set(head, { head, items, ...shape });
    return items;
  };
  let lines: string[] | null = null;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const list = /^(Commands|Files|Names): /.exec(line);
    if (list !== null) {
      const name = list[1] as SectionName;
      const { head, separator, weight } = section(name, []);
      const names = line.slice(list[0].length).split(separatorIn(line, separator));
      const items = open(head, { separator, weight });
      items.splice(0, items.length, ...interleave(names, items));
      lines = null;
    } else if (isHead(line))
      lines = open(line, { separator: '\n', weight: weights[headName(line)] ?? 1 });
    else (lines ??= open('', { separator: '\n', weight: 1 })).push(line);
  }
  return [...sections.values()].map((one) =>
    one.separator === '\n' ? { ...one, items: lastOfEach(one.items) } : one,
  );
}

/** The name in a head, without `#`, `*`, number, sign and colon. */
export const headName = (head: string): string => head.replace(/^[^\p{L}]+|[*_:\s]+$/gu, '');

/** The name and the text of a section on one line, "**Next steps:** ship it"; null for any other line. */
export function inlineSection(line: string): readonly [name: string, rest: string] | null {
  const [, name = '', rest = ''] =
    /^(?:\*\*|__)?([A-Za-z][A-Za-z/ ]{2,40})(?:\*\*:|__:|:\*\*|:__|:)\s+(\S.*)$/.exec(line) ?? [];
  return modelNames.test(name) && name !== 'Files' ? [name, rest] : null;
}

/** Whether a line begins with a goal marker, which no text of ours may contain. */
export const isGoalMarker = (line: string): boolean =>
  /^\W{0,12}\[(?:GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\]/.test(line);

/** An item without bullet, number, empty box and bold marks; '' where it says that there is nothing to list. */
export function itemText(line: string): string {
  const item = plainSentence(line)
    .replace(/^\[ \]\s+/, '')
    .replace(/(?<![\w/*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*(?![\w/*])/g, '$1')
    .trim();
  return emptyItem.test(item) ? '' : item;
}

/** The files that an item names before its description. */
export function filesIn(item: string): readonly string[] {
  const lead = (/^.*?(?=:\s|\s[-–—(]|$)/.exec(item.replace(verb, ''))?.[0] ?? item).trim();
  const marked = [...lead.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? []);
  const names = marked.length > 0 ? marked : lead.split(/,\s+|\s+and\s+/);
  return names.map((name) => name.trim()).filter((name) => /^[^\s`*]*[./][^\s`*]*$/.test(name));
}

const separators: Readonly<Record<SectionName, TextSection['separator']>> = {
  Requests: '\n',
  'Findings and decisions': '\n',
  Open: '\n',
  Errors: '\n',
  Commands: '; ',
  Files: ' ',
  Names: ' ',
};

/** Errors are never used again over a distance, commands seldom. */
const weights: Readonly<Record<string, number>> = {
  Requests: 1.2,
  'Findings and decisions': 1.2,
  Errors: 0.3,
  Commands: 0.6,
};

/** The members of two lists in turn, each once. */
function interleave(first: readonly string[], second: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (let at = 0; at < Math.max(first.length, second.length); at += 1) {
    for (const name of [first[at], second[at]])
      if (name !== undefined && name !== '') names.add(name);
  }
  return [...names];
}

/** Lines without repetitions; of equal lines the last stays. */
const lastOfEach = (lines: readonly string[]): readonly string[] =>
  [...new Set([...lines].reverse())].reverse();

/** The separator of a list: commands in code marks may hold semicolons, a model may put commas between names. */
function separatorIn(line: string, separator: string): string | RegExp {
  if (separator === ' ') return /,? +/;
  return line.startsWith('Commands: `') ? /; (?=`)/ : separator;
}

/** Whether a line is a heading, in bold, or words that end with a colon; of list items only those that {@link modelNames} has. */
function isHead(line: string): boolean {
  if (line.length > 80) return false;
  if (/^#{1,6}\s\S/.test(line)) return true;
  const listed = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/.exec(line)?.[0] ?? '';
  const rest = line.slice(listed.length);
  const isSet = /^(?:\*\*)?[A-Z][^:.!?*`]*:(?:\*\*)?$/.test(rest) || /^\*\*[^*]+\*\*:?$/.test(rest);
  if (listed === '' && isSet) return true;
  return (isSet || /^[a-z ]+:$/.test(rest)) && modelNames.test(headName(rest));
}

/** Names that models give to the sections of a summary. */
const modelNames =
  /^(?:(?:key|main|important|locked|major) )?(?:decisions?(?: made)?|findings(?: and decisions)?|decisions and findings|progress|completed|done|in progress|pending|remaining|problems|blockers|errors|(?:open|unresolved) (?:questions|issues|items)|questions|next(?: steps)?|todo|(?:files|artifacts)(?: (?:changed|modified|created|edited|touched|created or changed|created\/modified|and changes))?)$/i;

/** "None.", "(none so far)", "No open questions at this time." */
const emptyItem =
  /^\(?(?:none|n\/a|nothing|not applicable|no (?:\w+ ){0,2}(?:questions|steps|decisions|findings|files|changes|problems|issues|errors|items))(?: (?:yet|so far|here|at this time|mentioned|identified|reported|remaining|made|changed|noted|found))*[.)]*$|^[^\p{L}\p{N}]*$/iu;

const verb = /^(?:newly )?(?:created|modified|changed|added|updated|edited|new|wrote)\b:?\s+/i;
