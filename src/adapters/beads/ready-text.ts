import type { Issue, IssueRef } from './issue.ts';
import { clip, listed, quote } from './quote.ts';

/** How many issues of a ready list are told with their parent and what they unblock. */
export const enrichedReady = 5;
/** Most issues that are told. */
const mostTold = 50;

/**
 * The ready list as lines. Those of the first five that are in `shown`, as `show` tells them, have their parent and
 * what they unblock.
 */
export function readyText(ready: readonly Issue[], detailed: readonly Issue[] = []): string {
  if (ready.length === 0) return 'No issue is ready.';
  const whole = new Map(detailed.map((issue) => [issue.id, issue]));
  const lines = ready.slice(0, mostTold).flatMap((issue, index) => {
    const known = index < enrichedReady ? whole.get(issue.id) : undefined;
    return [titleLine(issue), ...(known === undefined ? [] : linkLines(known))];
  });
  const rest = ready.length - mostTold;
  return [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

function titleLine(issue: Issue): string {
  const type = issue.type === '' ? '' : ` (${clip(quote(issue.type), 30)})`;
  return `[P${issue.priority ?? '?'}] ${clip(quote(issue.id), 60)}${type} ${clip(quote(issue.title), 200)}`;
}

function linkLines({ parent, unblocks }: Issue): readonly string[] {
  const names = unblocks.map(named);
  return [
    ...(parent === null ? [] : [`  ↳ parent: ${named(parent)}`]),
    `  ↳ unblocks: ${names.length === 0 ? '(none)' : listed(names, 300)}`,
  ];
}

function named({ id, title }: IssueRef): string {
  return clip(quote(`${id} ${title}`), 120);
}
