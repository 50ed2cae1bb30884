import { pathArgument } from '../commands/edit-calls.ts';
import { shellText } from '../commands/shell-commands.ts';
import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import type { Exchange } from '../outcomes/exchanges.ts';
import { hasFailed, wasDone } from '../outcomes/failures.ts';
import { withoutLineNumbers } from '../outcomes/line-numbers.ts';
import { readLately, readOnce } from '../values/read-once.ts';
import { filesOfDiff, printsDiff } from '../files/diff-files.ts';
import { editsOf, shownIn, type NamedText } from './file-facts.ts';
import { isDocument, isFilePath } from '../files/paths.ts';
import { shownPath } from '../files/shell-files.ts';

// Which files a call shows, and what its result shows of them.

/** A file, with what is shown of it. */
interface ShownFile {
  readonly path: string;
  readonly holds: readonly NamedText[];
}

/** The files that a call shows, each with what its result shows of it; none where it shows no file. */
export function filesShown({ call, result }: Exchange): readonly ShownFile[] {
  const shell = shellText(call);
  if (result !== undefined && printsDiff(shell)) return shownByDiff(result);
  const path = shell === '' ? readPath(call) : shownPath(shell);
  return path === undefined || result === undefined ? [] : [{ path, holds: shownBy(result)(path) }];
}

/** The names of what a call brought to files of code or took from them, and of what it shows of one; nothing where it failed. */
export function definedBy(exchange: Exchange): {
  readonly brought: readonly string[];
  readonly shown: readonly string[];
} {
  if (!wasDone(exchange)) return { brought: [], shown: [] };
  const inCode = editsOf(exchange).filter(({ path }) => !isDocument(path));
  const brought = inCode.flatMap(({ facts }) => facts.map(({ name }) => name));
  const read = filesShown(exchange).filter(({ path }) => !isDocument(path));
  const shown = read.flatMap(({ holds }) => holds.map(({ name }) => name));
  return { brought: brought.filter((name) => name !== ''), shown };
}

/** What a result shows of the files of a diff. */
const shownByDiff = readOnce(({ content }: ToolMessage) =>
  filesOfDiff(textOf(content)).map(({ path, text }) => ({ path, holds: shownIn(path, text) })),
);

/** What a result shows of a file: one answers one call, and so shows one. */
const shownBy = readOnce((result: ToolMessage) =>
  readLately((path) => shownIn(path, withoutLineNumbers(textOf(result.content))), 1),
);

/** Reads what a call shows of a file, which is remembered: {@link filesShown} has less to do then. */
export function readFileAhead(exchange: Exchange): void {
  const { result } = exchange;
  if (result !== undefined && !hasFailed(result)) filesShown(exchange);
}

const reader = /^(?:mcp__\w+__)?(?:read|view|open|cat|show|get_?file|str_replace)/i;

const quoted = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.replace(/^`|`$/g, '') : undefined;

/** The file that a tool was asked to show. */
function readPath(call: ToolCall): string | undefined {
  const { name, arguments: args } = call;
  if (!reader.test(name) || typeof args === 'string') return undefined;
  const path = pathArgument(call) ?? quoted(args['input']);
  return path !== undefined && isFilePath(path) ? path : undefined;
}
