import { callsOf } from '../commands/scripted-calls.ts';
import type { LeavingEntry, ToolCall } from '../messages/message.ts';
import { entitiesByPlace, entitiesOf } from '../entities/entities.ts';
import type { Mention } from '../entities/salience.ts';
import { scanLimit } from '../text/sentences.ts';
import { leavesOf } from '../commands/shell-commands.ts';
import { readOnce } from '../values/read-once.ts';

// What nobody looks for gets no breadcrumb: words of code that were only passed
// through, the paths of a listing, sentences that announce or suppose something.

/** Most paths of an output that is about them; one with more is a listing. */
const mostListed = 3;

/**
 * Whether somebody may look for a name: an identifier that was said or defined; a path that was
 * passed to a tool, said with its extension, or one of few in an output; of all else what was said or passed.
 */
export function leadsSomewhere(mention: Mention, entries: readonly LeavingEntry[]): boolean {
  const { name, kind, said, asked, changed, last } = mention;
  if (changed !== false) return true;
  if (kind === 'identifier') return said > 0 || (asked > 0 && definedIn(entries).has(name));
  if (kind !== 'path') return said + asked > 0;
  if (asked > 0) return true;
  const isFile = /\.[a-z]\w{0,5}$/i.test(name);
  if (said > 0 || !isFile) return isFile;
  const kinds = [...entitiesOf(entries[last]!.message).values()];
  return kinds.filter((one) => one === 'path').length <= mostListed;
}

/** The names that the calls in entries define, as far as they are entities of theirs. */
const definedIn = readOnce((entries: readonly LeavingEntry[]): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const { message } of entries) {
    if (message.role !== 'assistant') continue;
    const { asked } = entitiesByPlace(message);
    for (const call of callsOf(message))
      for (const name of definedBy(call)) if (asked.has(name)) names.add(name);
  }
  return names;
});

const definition =
  /\b(?=(?:function\*?|class|interface|type|enum|def\w*|fn|func|fun|struct|trait|module|const|let|var|val)\s+(?:\([^()]{0,60}\) )?((?:\w+\.)*[\w$]+))/g;

/** The names that a call defines: a name with owners before it, and each of these up to the first sign. */
const definedBy = readOnce((call: ToolCall): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const [, chain = ''] of leavesOf(call.arguments, scanLimit).matchAll(definition))
    for (const name of chain.split('.')) names.add(name);
  return names;
});

/** What announces, asks or only supposes something, and a comment of code: it decides nothing that lasts. */
export const passing: RegExp =
  /^(?:(?:e\d+(?:–e\d+)? )?(?:(?:now|next|ok(?:ay)?|good|great|perfect|so|and|then|but|also|first|actually|wait|hmm+)\W+){0,3}(?:let me|let['’]s (?:check|see|look)|i['’]ll|i need to|i should|we need to|now |recording|updating|adding|if\b|that holds\b|\/\/|#|\/?\*))|\?$/i;
