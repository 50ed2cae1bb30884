import type { FileFact } from './changed-lines.ts';
import { byName, settingsIn, type Definition } from '../definitions/definitions.ts';

// What an edit of settings says: which have another value, and which are new.

/** Settings that have another value now; of a configuration the new ones, too. */
export function valueFacts(
  old: readonly string[],
  fresh: readonly string[],
  isConfiguration: boolean,
): readonly FileFact[] {
  const [were, are] = [old, fresh].map((lines) => settingsIn(lines.join('\n'))) as [
    Definition[],
    Definition[],
  ];
  const before = byName(were);
  const several = new Set([...severalIn(were), ...severalIn(are)]);
  return are.flatMap(({ name, text, value }) => {
    // Which of the old ones has become which does not show: each step of a workflow has a `run`.
    if (several.has(name)) return isConfiguration ? [{ name: '', was: '', now: text }] : [];
    const was = before.get(name);
    if (was === undefined) return isConfiguration ? [{ name, was: '', now: text }] : [];
    const isTold = isConfiguration || (literal.test(was.value) && literal.test(value));
    return was.value === value || !isTold ? [] : [{ name, was: was.value, now: text }];
  });
}

/** The settings of a text whose names stand in it once: of others it does not show which has a value. The words of an interface are none. */
export function settingsShown(text: string): readonly Definition[] {
  const settings = settingsIn(text);
  if (settings.filter(({ value }) => isCaption.test(value)).length > settings.length / 2) return [];
  const several = new Set(severalIn(settings));
  return settings.filter(({ name }) => !several.has(name));
}

/** A value that people read: `"Add a note"`. */
const isCaption = /^["']\W?\p{Lu}\p{Ll}/u;

/** The names that more than one of some definitions has. */
function severalIn(all: readonly Definition[]): readonly string[] {
  const seen = new Set<string>();
  return all.flatMap(({ name }) => {
    if (seen.has(name)) return [name];
    seen.add(name);
    return [];
  });
}

/** A value that is no expression. */
const literal = /^(?:(["'`]).*\1|[-+]?\d[\w.]*|true|false|null|nil|None|:\w+)$/;
