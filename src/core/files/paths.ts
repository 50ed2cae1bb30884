import { isBareFile } from '../entities/literals.ts';
import { pathFrom } from './root.ts';

// One file is told in many ways: whole, from the root, from the folder of a
// monorepo, by its name alone. All of them lead to one path, the longest that
// was given, told from the root.

/** Paths that are known, and what other ways of telling them lead to. */
export interface KnownPaths {
  /** The known path that a text means; undefined for none, or for several. */
  readonly find: (rawPath: string) => string | undefined;
  /** The path that a call gave, known from then on; `folds` are known ones that were ends of it. */
  readonly add: (rawPath: string) => { readonly path: string; readonly folds: readonly string[] };
  readonly drop: (path: string) => void;
}

/** The paths of an index, told from a root ('' for none). */
export function knownPaths(root: string, paths: Iterable<string>): KnownPaths {
  const byName = new Map<string, Set<string>>();
  const learn = (path: string): void => {
    const name = nameOf(path);
    byName.set(name, (byName.get(name) ?? new Set()).add(path));
  };
  for (const path of paths) learn(path);

  const find = (rawPath: string): string | undefined => {
    const plain = plainPath(rawPath);
    const path = pathFrom(plain, root);
    const like = [...(byName.get(nameOf(path)) ?? [])];
    if (like.includes(path)) return path;
    if (path !== plain) return undefined;
    // A report may tell a path as if a folder above the work were the root of all.
    const end = rooted.test(path) ? path : `/${path}`;
    const below = like.find((one) => `${root}/`.endsWith(end.slice(0, -one.length)));
    if (below !== undefined && path.endsWith(`/${below}`)) return below;
    const ends = like.filter((one) => one.endsWith(end));
    return ends.length === 1 ? ends[0] : undefined;
  };

  const drop = (path: string): void => {
    byName.get(nameOf(path))?.delete(path);
  };
  const add = (rawPath: string): { path: string; folds: readonly string[] } => {
    const path = find(rawPath) ?? pathFrom(plainPath(rawPath), root);
    const isLoose = (one: string): boolean => !isAbsolute(one) && one.includes('/');
    const folds = [...(byName.get(nameOf(path)) ?? [])].filter(
      (one) =>
        one !== path &&
        isLoose(one) &&
        (root === '' || !isAbsolute(path)) &&
        path.endsWith(`/${one}`),
    );
    for (const one of folds) drop(one);
    learn(path);
    return { path, folds };
  };
  return { find, add, drop };
}

/** Whether a path says where it begins. */
export const isAbsolute = (path: string): boolean => /^(?:[A-Za-z]:)?\//.test(path);

/** A path from the root of all through several folders. */
const rooted = /^\/(?:[^/]+\/){3}/;

/** Paths that a common folder is looked for in. */
const mostShared = 40;

/** The folder without which paths are shortest to tell; '' where few lie in one. */
export function commonFolder(paths: readonly string[]): string {
  const saved = new Map<string, number>();
  for (const path of paths.filter(isAbsolute).slice(0, mostShared))
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      saved.set(folder, (saved.get(folder) ?? -2 * at) + at);
    }
  const [best] = [...saved].sort(([, a], [, b]) => b - a);
  return best !== undefined && best[1] > 0 ? best[0] : '';
}

/** A path told from a common folder ('' for none), which `…` stands for. */
export const belowFolder = (path: string, folder: string): string =>
  folder !== '' && isBelow(path, folder) ? `…${path.slice(folder.length)}` : path;

/** Whether a path lies in a folder. */
export const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** The name of a file, without its folders. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A path without steps that lead nowhere: `./a/../b` is `b`. */
export function plainPath(rawPath: string): string {
  const parts: string[] = [];
  for (const part of rawPath.replace(/^@/, '').split('/')) {
    if (part === '.' || (part === '' && parts.length > 0)) continue;
    if (part === '..' && parts.length > 0 && !['', '..'].includes(parts.at(-1)!)) parts.pop();
    else if (part !== '..') parts.push(part);
  }
  return parts.join('/');
}

const file = /^[^\s*?"'`<>|$(){}]{1,200}\.[A-Za-z][A-Za-z0-9]{0,9}$/;

/** Whether a text is the path of one file. */
export const isFilePath = (text: string): boolean => file.test(text) || isBareFile(text);

/** Whether a path is that of a document, which people write for people. */
export const isDocument = (path: string): boolean =>
  /\.(?:md|mdx|markdown|rst|adoc|txt)$/i.test(path);

/** Whether a path is that of a picture that a page shows, or of what a host or git keeps of its own work. */
export const isAsidePath = (path: string): boolean => aside.test(path);

const aside =
  /\.(?:png|gif|jpe?g|svg|webp|ico|mp4|mov|webm|woff2?)$|[/\\](?:tool-results|tasks)[/\\][\w.-]+\.(?:txt|output)$|(?:^|[/\\])\.git[/\\]/i;

/** Whether a path is that of settings. */
export const isConfiguration = (path: string): boolean => configuration.test(path);

const configuration =
  /(?:\.(?:json[c5]?|ya?ml|toml|nix|tf|hcl|ini|env|cfg|conf|properties)|(?:^|\/)\.?(?:env|[\w-]*rc)(?:\.\w+)?)$|(?:^|\/)configs?\/|\.config\.\w+$/i;

/** Whether a setting of a file stands in blocks: in no code, and in no list of names with values. */
export const hasBlocks = (path: string): boolean => isConfiguration(path) && !flat.test(path);

const flat =
  /\.(?:[cm]?[jt]sx?|py|rb|exs?|php|go|rs|lua|env|properties)$|(?:^|\/)\.?env(?:\.\w+)?$/i;

/** What looks like a path in prose and is none: an address, a repository that is called like one, two files side by side (`a.md/b.md`), one with folders left out (`src/.../a.ts`), the end of one with a space (`Application Support/a/b.json`), what a package has (`log/slog.Default`), one below a folder that a variable names (`repoRoot/a.ts`). */
const noFile =
  /^[\w-]{1,60}(?:\.[\w-]{1,60}){0,3}\.(?:com|org|net|io|dev|ai|app|gov|edu)\/|\.(?:mdx?|[jt]sx?|py|go|rs|java|cs|json|ya?ml|toml)\/(?=[^/]{1,100}$)|(?:^|\/)(?:\.{3}|…)\/|^[\w-]{1,60}\/[\w-]{1,60}\.(?:com|org|net|io|dev|gov|edu)$|^Support\/|^[a-z]\w{1,30}(?:Root|Dir|Path|Folder)\/|\/[^/.]{1,60}\.[A-Z][a-z]{3,5}$/;

/** The files that a prose text names, each once: with folders, or by a name alone. */
export const filesNamed = (text: string): readonly string[] =>
  mayName.test(text)
    ? [...new Set(text.match(mentioned))].filter((path) => !noFile.test(path))
    : [];

/** What every name of a file has; looked for first, because most lines have none. */
const mayName = /\.[A-Za-z]/;

const mentioned =
  /(?<![\w/.@~:)\]}…>$-])(?<!\*(?=\/))[@~]?\/?(?:[\w@.+-]{1,60}\/){0,14}[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,5}\b(?![(\w/…])/g;
