import type { SubagentChain } from './node.ts';
import type { ClaudeOutline, SubagentCall } from './outline.ts';

// How far a subagent has come: the file of a session may be read while one is at work.

/** Whether the last line of a subagent is an answer that asks for nothing more. */
export function isFinished({ nodes }: SubagentChain): boolean {
  const last = nodes.at(-1);
  if (last?.kind !== 'assistant' || last.broken) return false;
  const answered = new Set(nodes.flatMap(({ results }) => results));
  const unit = nodes.filter(
    ({ id, message }) => id === last.id || (message !== undefined && message === last.message),
  );
  return (
    unit.some(({ talks }) => talks) &&
    unit.every(({ calls }) => calls.every((call) => answered.has(call)))
  );
}

/** Whether a subagent with a file of its own was called in the last message of the session, and has not answered yet. */
export function isAtWork(
  { isApart }: SubagentChain,
  errand: SubagentCall | undefined,
  { nodes, path }: ClaudeOutline,
): boolean {
  const caller = errand === undefined ? undefined : nodes.get(errand.node);
  if (!isApart || caller === undefined || caller.chain !== undefined) return false;
  const main = [...nodes.values()].filter(({ id, chain }) => chain === undefined && path.has(id));
  const last = main.findLast(({ kind, talks }) => kind === 'assistant' || talks);
  return (
    last !== undefined &&
    (last === caller || (last.message !== undefined && last.message === caller.message)) &&
    main.every(({ results }) => !results.includes(errand!.id))
  );
}
