import { lookups } from '../commands/lookups.ts';
import { commandsIn } from '../commands/shell-commands.ts';
import { clip, oneLine } from '../text/sentences.ts';
import type { Exchange } from './exchanges.ts';

/** Most files that are told to have been changed before something worked; of more only those are whose place the reason names. */
const mostFiles = 2;

/** Longest command that is told, in UTF-16 units. */
const longestStep = 64;

/** Commands that look around, wait or check; what they do cures nothing. */
const looking: readonly RegExp[] = [
  new RegExp(
    `^(?:${lookups}|ps|lsof|sleep|for|while|if|do|done|then|else|fi|xargs|tee|tr|cut|jq|yq|whereis|type|command|true|export|source|set|timeout|curl|wget|gh|glab|date|env|du|df|less|man|node|tsx|deno|python3?|ruby|perl|php)\\b`,
  ),
  /^git (?!checkout|switch|reset|restore|stash|pull|merge|rebase|submodule|clean|fetch|config|worktree|apply|revert|cherry-pick)/,
  /(?:^|[\s:])(?:tests?|check|lint|types?|typecheck|tsc|vitest|jest|pytest|verify)(?=$|[\s:])(?!.*--(?:fix|write)\b)/,
  /\s(?:--(?:help|version|dry-run|eval|print)|-[ce])\b|["']$/,
];

/** The files that a call changes. */
export type FilesOf = (exchange: Exchange) => readonly string[];

/**
 * What was done between a result that failed and the call that worked, as the line of the failure
 * tells it: the files that were changed, where they are few, else the last command that did more than
 * look; '' for nothing of that kind.
 */
export function cureStep(
  exchanges: readonly Exchange[],
  options: {
    readonly from: number;
    readonly to: number;
    /** Why it failed: where this names all files, they are not told again. */
    readonly why: string;
    /** Files that were changed since then, before these exchanges. */
    readonly changed?: readonly string[];
    readonly filesOf: FilesOf;
  },
): string {
  const { from, to, why, changed = [], filesOf } = options;
  const between = exchanges.filter(
    ({ n, result }) => n > from && n < to && result?.isError !== true,
  );
  const files = [...new Set([...changed, ...between.flatMap(filesOf)].map(inlineText))];
  if (files.length > 0) {
    const cures = files.length > mostFiles ? files.filter((path) => isPlace(why, path)) : files;
    const isKnown =
      cures.length === files.length && files.every((path) => why.includes(nameOf(path)));
    if (cures.length === 0 || cures.length > mostFiles || isKnown) return '';
    return `changing ${cures.join(' and ')}`;
  }
  for (const { call } of between.toReversed()) {
    const command = commandsIn(call).findLast((one) => !looking.some((form) => form.test(one)));
    if (command !== undefined) return `\`${clip(inlineText(command), longestStep)}\``;
  }
  return '';
}

/** A text as it stands in the line of a failure, which a semicolon would part. */
const inlineText = (text: string): string =>
  oneLine(text).replaceAll('`', "'").replaceAll(';', ',');

/** The last part of a path. */
const nameOf = (path: string): string => path.replace(/^.*\//, '');

/** Whether a reason names a place in a file: `src/a.go:300:12`, `a.ts(3,9)`. */
function isPlace(why: string, path: string): boolean {
  const parts = why.split(nameOf(path));
  return parts
    .slice(1)
    .some((behind, index) => /^(?::|\(|", line )\d/.test(behind) && !/[\w.-]$/.test(parts[index]!));
}
