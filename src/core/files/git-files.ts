import { plainPath } from './paths.ts';
import type { FileMove } from './shell-files.ts';

// What git says of the files of a commit that it made, or of one that it took over:
//
//    create mode 100644 src/cart.ts
//    delete mode 100644 src/basket.ts
//    rename src/{old => lib}/sum.ts (96%)

/** Whether a shell text has git make a commit, or take others over. */
const mayMake = /\bgit\b[^\n|;&]{0,200}? (?:commit|merge|pull|cherry-pick|am|revert)\b/;

/** Most files of an output that are told, and most that are new: of a whole tree that is brought in none is told by name. */
const most = { told: 40, made: 12 } as const;

/** The files that git says it moved, took away (`to` is '') and made (`from` is ''), told from the root of the repository. */
export function movesTold(shell: string, printed: string): readonly FileMove[] {
  if (!mayMake.test(shell)) return [];
  const lines = printed.match(/^ (?:create mode|delete mode|rename) [^\n]{1,400}$/gm) ?? [];
  const moves = lines.slice(0, most.told).flatMap((line) => moveIn(line) ?? []);
  const made = moves.filter(({ from }) => from === '').length;
  return made > most.made ? moves.filter(({ from }) => from !== '') : moves;
}

function moveIn(line: string): FileMove | null {
  const [, verb, rest = ''] = /^ (create mode|delete mode|rename) (.*?)\s*$/.exec(line) ?? [];
  const path = plainPath(rest.replace(/^\d{6} /, ''));
  if (verb === 'create mode') return { from: '', to: path };
  if (verb === 'delete mode') return { from: path, to: '' };
  const named = rest.replace(/ \(\d{1,3}%\)$/, '');
  const [, head = '', before, after = '', tail = ''] =
    /^([^{]*)\{(.*?) => (.*?)\}(.*)$/.exec(named) ?? [];
  if (before !== undefined)
    return { from: joined(head, before, tail), to: joined(head, after, tail) };
  const [from = '', to = ''] = named.split(' => ');
  return from === '' || to === '' ? null : { from: plainPath(from), to: plainPath(to) };
}

/** The parts of a path, of which the middle one may be nothing. */
const joined = (...parts: readonly string[]): string =>
  plainPath(parts.join('').replace('//', '/'));
