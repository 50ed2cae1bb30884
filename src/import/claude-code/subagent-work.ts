import type { SubagentChain } from './node.ts';
import type { ClaudeOutline, SubagentCall } from './outline.ts';

// How far a subagent has come: the file of a session may be read while one is at work.

/** How a subagent has ended; blocked where nothing tells an end. */
export type SubagentOutcome = 'completed' | 'failed' | 'blocked';

/** How a subagent ended by its own lines: completed with an answer that asks for nothing more, failed where it was broken off. */
export function outcomeOf({ nodes }: SubagentChain): SubagentOutcome {
  const last = nodes.at(-1);
  if (last?.broken === true) return 'failed';
  if (last?.kind !== 'assistant') return 'blocked';
  const answered = new Set(nodes.flatMap(({ results }) => results));
  const unit = nodes.filter(
    ({ id, message }) => id === last.id || (message !== undefined && message === last.message),
  );
  const isOver =
    unit.some(({ talks }) => talks) &&
    unit.every(({ calls }) => calls.every((call) => answered.has(call)));
  return isOver ? 'completed' : 'blocked';
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
