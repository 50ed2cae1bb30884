import { personText } from '../../core/messages/message.ts';
import { position, saidAs, type Witness } from './witness.ts';

const indexTitle =
  /\nFiles and commands, the most used first; e… show or name them(?:; …\/ is \S.*)?:\n/;

/**
 * Lines of the chronicle name entries that there are, and what they say was asked is what a person
 * said. A line of the index is a file, with what became of it in which entries, a command, with what
 * it gave in which, or files of a folder, each with an entry; names that a file defines were said by somebody.
 */
export function* chronicleFaults(content: string, witness: Witness): Iterable<string> {
  const [body = '', index = ''] = content.split(indexTitle);
  for (const line of index === '' ? [] : index.split('\n')) yield* indexFaults(line, witness);
  for (const line of body.split('\n').slice(1)) {
    const [, turn, asked] = /^After (e\d+)(?: “(.*)”)?:$/.exec(line) ?? [];
    const [, first, last = first] = /^- (e\d+)(?:–(e\d+))? \S/.exec(line) ?? [];
    if (turn !== undefined) {
      const said = saidAs(turn, witness);
      if (said === undefined || !said.human)
        yield `${turn} is nobody's word: ${line.slice(0, 120)}`;
      else if (asked !== undefined && !isStartOf(asked, personText(said.message)))
        yield `${turn} never said: ${line.slice(0, 120)}`;
    } else if (first === undefined || last === undefined) {
      if (line !== 'At first:') yield `no line of the chronicle: ${line.slice(0, 120)}`;
    } else if (position(first) > position(last) || position(last) > witness.said.length)
      yield `the chronicle names ${first}–${last} of ${witness.said.length}: ${line.slice(0, 200)}`;
  }
}

/** What a check says of the files that have changed since. */
const unseen = /; \d{1,9} files? changed since$/;

function* indexFaults(line: string, witness: Witness): Iterable<string> {
  const [, state, result, at = state ?? result] =
    /^- (?:\S.*? \(([^()]+)\)(?:: .+)?|`.+`: .*, (e\d+)|(\S.* e\d+))$/.exec(
      line.replace(unseen, ''),
    ) ?? [];
  if (at === undefined) yield `no line of the index: ${line.slice(0, 120)}`;
  const unknown =
    at?.match(/(?<=^| )e\d+(?=,|$)/g)?.filter((id) => saidAs(id, witness) === undefined) ?? [];
  if (unknown.length > 0) yield `the index names ${unknown.join(', ')} of ${witness.said.length}`;
  const names = /(?:: |; )also ([\w$.@!?, ]+)$/.exec(line)?.[1]?.split(', ') ?? [];
  const unsaid = names.filter((name) => !isSaid(name, witness));
  if (unsaid.length > 0) yield `nobody said ${unsaid.join(', ').slice(0, 120)}`;
}

const saidNames = new WeakMap<Witness, Set<string>>();

/** Whether any entry has a name in it, or its parts: a method stands with its type. */
function isSaid(name: string, witness: Witness): boolean {
  const known = saidNames.get(witness) ?? new Set<string>();
  saidNames.set(witness, known);
  if (known.has(name)) return true;
  const has = (part: string): boolean => witness.said.some(({ json }) => json.includes(part));
  const said = has(name) || name.split('.').every(has);
  if (said) known.add(name);
  return said;
}

/** Whether a text on one line is the start of another, perhaps with an ellipsis. */
const isStartOf = (line: string, text: string): boolean =>
  lettersOf(text).startsWith(lettersOf(line.replace(/…$/, '')));

/** A text without what one line of it may go without: space, control characters, and the brackets of tags. */
export const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');
