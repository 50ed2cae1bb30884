import type { FileFact } from './changed-lines.ts';
import { byName, type Definition } from '../definitions/definitions.ts';
import { isManifest, manifestsIn } from '../definitions/manifests.ts';
import { settingsIn, settingsInBlocks, type Setting } from '../definitions/settings.ts';
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
  const isOfBlocks = hasBlocks(path);
  const extent = around.before === '' ? 'whole' : 'part';
  const settingsOf = (lines: readonly string[], text: string): readonly Setting[] => {
    if (!isOfBlocks) return settingsIn(lines.join('\n'));
    const own = new Set(lines);
    return settingsInBlocks(text, extent).filter(({ line }) => own.has(line));
  };
  const were = settingsOf(old, around.before);
  const are = settingsOf(fresh, around.after);
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
