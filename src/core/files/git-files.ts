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
const most = { moves: 40, created: 12 } as const;

/** The files that git says it moved, took away (`to` is '') and made (`from` is ''), told from the root of the repository. */
export function printedMoves(shell: string, printed: string): readonly FileMove[] {
  if (!mayMake.test(shell)) return [];
  const lines = printed.match(/^ (?:create mode|delete mode|rename) [^\n]{1,400}$/gm) ?? [];
  const moves = lines.slice(0, most.moves).flatMap((line) => moveIn(line) ?? []);
  const created = moves.filter(({ from }) => from === '').length;
  return created > most.created ? moves.filter(({ from }) => from !== '') : moves;
}

function moveIn(line: string): FileMove | null {
  const rest = line.trim().replace(/^(?:create mode|delete mode|rename) /, '');
  const path = plainPath(rest.replace(/^\d{6} /, ''));
  if (line.startsWith(' create')) return { from: '', to: path };
  if (line.startsWith(' delete')) return { from: path, to: '' };
  const [before = '', after] = rest.replace(/ \(\d{1,3}%\)$/, '').split(' => ');
  if (after === undefined) return null;
  const [opens, closes] = [before.indexOf('{'), after.indexOf('}')];
  if (opens < 0 || closes < 0) return { from: plainPath(before), to: plainPath(after) };
  const [head, tail] = [before.slice(0, opens), after.slice(closes + 1)];
  return {
    from: joined(head, before.slice(opens + 1), tail),
    to: joined(head, after.slice(0, closes), tail),
  };
}

/** The parts of a path, of which the middle one may be nothing. */
const joined = (...parts: readonly string[]): string =>
  plainPath(parts.join('').replace('//', '/'));
