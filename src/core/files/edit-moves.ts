import { leavesOf } from '../commands/shell-commands.ts';
import type { ToolCall } from '../messages/message.ts';
import type { FileMove } from './shell-files.ts';
import { isFilePath, plainPath } from './paths.ts';

// What tools that are no shell move: a patch that says where a file goes, and a tool
// that is called after it.
//
//    *** Update File: src/hash.ts
//    *** Move to: src/core/hash.ts

const mover = /(?:^|__|\.)(?:move|rename)_?(?:file|path)?$/i;

const keys = {
  from: ['source', 'from', 'old_path', 'oldPath', 'source_path', 'path'],
  to: ['destination', 'to', 'new_path', 'newPath', 'destination_path', 'target'],
} as const;

/** The files that an edit or a call of a tool moves, in order. */
export function movesOfCall({ name, arguments: args }: ToolCall): readonly FileMove[] {
  if (typeof args !== 'string' && mover.test(name)) {
    const [from, to] = [keys.from, keys.to].map((names) =>
      names.map((key) => args[key]).find((one) => typeof one === 'string'),
    );
    const isMove = from !== undefined && to !== undefined && isFilePath(from) && /[/.]/.test(to);
    return isMove ? [{ from: plainPath(from), to: plainPath(to) }] : [];
  }
  const patch = leavesOf(typeof args === 'string' ? [args] : args, 200_000);
  if (!patch.includes('*** Move to: ')) return [];
  return [...patch.matchAll(movedInPatch)].map(([, from = '', to = '']) => ({
    from: plainPath(from.trim()),
    to: plainPath(to.trim()),
  }));
}

const movedInPatch = /^\*\*\* Update File: ([^\n]{1,400})\r?\n\*\*\* Move to: ([^\n]{1,400})$/gm;
