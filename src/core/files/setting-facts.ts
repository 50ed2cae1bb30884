import type { FileFact } from './changed-lines.ts';
import { byName, type Definition } from '../definitions/definitions.ts';
import { isManifest, manifestsIn } from '../definitions/manifests.ts';
import { asGone, settingsIn, settingsInBlocks, type Setting } from '../definitions/settings.ts';
import { hasBlocks, isConfiguration } from './paths.ts';

// What an edit of settings says: which have another value, and which are new.

/** What an edit shows: the lines that are gone and those that are new, and the texts that they stand in. */
interface ShownEdit {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  readonly around: { readonly before: string; readonly after: string };
}

/** Settings of a file that have another value now; of a configuration the new ones, too. */
export function valueFacts(path: string, { old, fresh, around }: ShownEdit): readonly FileFact[] {
  const extent = extentOf(around);
  const were = settingsOn(old, around.before, { path, extent });
  const are = settingsOn(fresh, around.after, { path, extent });
  const described = isConfiguration(path) ? manifestFacts(around) : null;
  const isNewTold = isConfiguration(path) && described === null;
  const before = byName(were);
  const several = new Set([...severalIn(were), ...severalIn(are)]);
  const values = are.flatMap(({ name, text, value }): readonly FileFact[] => {
    // Which of the old ones has become which does not show: each step of a workflow has a `run`.
    if (several.has(name)) return isNewTold ? [{ name: '', was: '', now: text }] : [];
    const was = before.get(name);
    if (was === undefined) return isNewTold ? [{ name, was: '', now: text }] : [];
    const isTold = isNewTold || (literal.test(was.value) && literal.test(value));
    return was.value === value || !isTold ? [] : [{ name, was: was.value, now: text }];
  });
  return [...(described ?? []), ...values];
}

/** The settings of a configuration that an edit takes out, as {@link asGone} has them: of those that still have their name elsewhere in what it shows none. */
export function settingsGone(path: string, { old, around }: ShownEdit): readonly string[] {
  if (!isConfiguration(path) || isManifest(around.before)) return [];
  const of = { path, extent: extentOf(around) };
  const kept = settingsOn(around.after.split('\n'), around.after, of);
  const names = new Set(kept.map(({ name }) => name));
  return settingsOn(old, around.before, of)
    .filter(({ name }) => !names.has(name))
    .map(asGone);
}

const extentOf = ({ before }: ShownEdit['around']): 'whole' | 'part' =>
  before === '' ? 'whole' : 'part';

/** The settings on some lines of a text, in a file that has them with the blocks that they stand in. */
function settingsOn(
  lines: readonly string[],
  text: string,
  { path, extent }: { readonly path: string; readonly extent: 'whole' | 'part' },
): readonly Setting[] {
  if (!hasBlocks(path)) return settingsIn(lines.join('\n'));
  const own = new Set(lines);
  return settingsInBlocks(text, extent).filter(({ line }) => own.has(line));
}

/** What an edit describes otherwise for a cluster; null where its file describes nothing for one. */
function manifestFacts({ before, after }: ShownEdit['around']): readonly FileFact[] | null {
  if (!isManifest(after)) return null;
  const settingsBefore = new Set(manifestsIn(before).map(({ text }) => text));
  return manifestsIn(after).flatMap(({ name, text }) =>
    settingsBefore.has(text) ? [] : [{ name, was: '', now: text }],
  );
}

/** The settings of a file whose names stand in a text of it once: of others it does not show which has a value. The words of an interface are none. */
export function settingsShown(path: string, text: string): readonly Definition[] {
  if (!isConfiguration(path)) return [];
  if (isManifest(text)) return manifestsIn(text);
  const settings = hasBlocks(path) ? settingsInBlocks(text, 'whole') : settingsIn(text);
  if (settings.filter(({ value }) => isCaption.test(value)).length > settings.length / 2) return [];
  const several = new Set(severalIn(settings));
  return settings.filter(({ name }) => !several.has(name));
}

/** A value that people read: `"Add a note"`. */
const isCaption = /^["']\W?\p{Lu}\p{Ll}/u;

/** The names that more than one of some definitions has. */
function severalIn(all: readonly Setting[]): readonly string[] {
  const seen = new Set<string>();
  return all.flatMap(({ name }) => {
    if (seen.has(name)) return [name];
    seen.add(name);
    return [];
  });
}

/** A value that is no expression. */
const literal = /^(?:(["'`]).*\1|[-+]?\d[\w.]*|true|false|null|nil|None|:\w+)$/;
