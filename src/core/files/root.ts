import { callsOf } from '../commands/scripted-calls.ts';
import { slashed } from '../text/slashes.ts';
import type { Message } from '../messages/message.ts';

/** Fewest absolute paths that tell where the work is. */
const leastPaths = 4;

/** Share of them that must lie in a folder for it to be the root. */
const most = 0.8;

/** Folders inside a project, which are no root of their own. */
const inner = /\/(?:src|lib|app|apps|docs?|tests?|spec|packages|core|scripts|config|cmd|internal)$/;

/** What a host keeps of its own work, wherever that is; the worktrees that it makes are the work. */
const ofHost =
  /\/\.(?:claude|codex|cursor|gemini|opencode)\/(?!worktrees\/)|\/(?:temp|tmp)\/claude\b/i;

/** Arguments that name the folder that a call works in. */
const workedIn = /^(?:work_?dir|cwd|working_?directory)$/i;

/** The folder that most files of some calls lie in; '' where they name too few. */
export function rootIn(messages: readonly Message[]): string {
  const paths = messages
    .flatMap(callsOf)
    .flatMap(({ arguments: args }) => (typeof args === 'string' ? [] : Object.entries(args)))
    .flatMap(([key, argument]) => {
      const value = typeof argument === 'string' ? slashed(argument) : '';
      if (!isPath(value) || ofHost.test(value)) return [];
      return [workedIn.test(key) ? `${value}/.` : value];
    });
  if (paths.length < leastPaths) return '';
  const folders = new Map<string, number>();
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
  const shared = [...folders]
    .filter(([, count]) => count >= most * paths.length)
    .map(([folder]) => folder)
    .sort((a, b) => b.length - a.length);
  let root = shared[0] ?? '';
  while (inner.test(root)) root = above(root);
  // Where all files lie in one folder of a larger work, that is no root of what comes after them.
  const isLeaf = !paths.some(
    (path) => path === `${root}/.` || (path.startsWith(`${root}/`) && above(path) !== root),
  );
  if (isLeaf && isDeep(above(root))) root = above(root);
  return isDeep(root) ? root : '';
}

const above = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const isDeep = (folder: string): boolean =>
  folder.split('/').length > 2 && folder !== homeOf(folder);

/** The folder of a person, which holds all their work, that a path lies in; '' for none. */
const homeOf = (path: string): string =>
  /^(?:[A-Za-z]:)?\/(?:home|users)\/[^/]+/i.exec(path)?.[0] ?? '';

const isPath = (text: string): boolean =>
  text.length < 300 && /^(?:[A-Za-z]:)?\/[^\s*?"'`]+$/.test(text);

/** Folders above the root that files are told from, too: `../../docs/plan.md`. */
const mostAbove = 3;

/** A character that a path goes on with. */
const inFolder = /[\p{L}\p{N}_.@~+$*?%{[(<…-]/u;

/** A text with the paths below a folder, and below those right above it, told from there. */
export function fromRoot(text: string, root: string): string {
  if (root === '' || !/[/\\]/.test(text)) return text;
  let relative = text.replaceAll(`${root}/`, (below, at: number) =>
    inFolder.test(text.charAt(at + below.length)) ? '' : './',
  );
  if (!root.startsWith('/')) relative = relative.replaceAll(`${root}/`.replaceAll('/', '\\'), '');
  let folder = above(root);
  for (let up = '../'; up.length <= 3 * mostAbove && isProject(folder); up += '../') {
    relative = relative.replaceAll(`${folder}/`, up);
    folder = above(folder);
  }
  return relative;
}

/** Whether a folder lies deeper than the home of a person. */
const isProject = (folder: string): boolean => folder.split('/').length > 4;

/** A path told from a root ('' for none); `~` is the home that the root lies in. */
export function pathFrom(path: string, root: string): string {
  const home = homeOf(root);
  const whole = home === '' ? path : path.replace(/^~(?=\/)/, () => home);
  return fromRoot(below(whole, root), root);
}

/** A path that git tells from the folder of its repository, whole, where the root lies deeper: `cmd/app/a.go` below `/work/shop/cmd/app`. */
function below(path: string, root: string): string {
  const [first] = /^\w[^/]*\/[^/]+\//.exec(path) ?? [];
  const at = first === undefined ? -1 : `${root}/`.lastIndexOf(`/${first}`);
  return at < 0 ? path : `${root.slice(0, at)}/${path}`;
}
