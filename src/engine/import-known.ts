import { ordinal } from '../core/id.ts';
import type { FrameNode } from '../core/tree.ts';
import type { ScriptLine } from './export.ts';
import type { Opened, Playable } from './import-step.ts';
import type { Session } from './session.ts';

// A session that is exported and taken in again must not double. Keys cannot
// tell, since what was said to the session itself has none; the steps can: as
// long as those of the file are those that the session would export, one by one,
// they are there already.

/** Says of each step, in the order of the file, whether the session has it; and enters the frames of those that it has. */
export function knownIn(session: Session): (step: Playable, opened: Opened) => Promise<boolean> {
  const own = session.export()[Symbol.asyncIterator]();
  const ids = idsOf(session.frames.tree());
  let isBegun = false;
  let isOver = false;
  return async (step, opened) => {
    if (isOver) return false;
    if (!isBegun) await own.next();
    isBegun = true;
    const { value, done = false } = await own.next();
    isOver = done || canonical(ofLine(value as ScriptLine)) !== canonical(ofStep(step));
    if (isOver) await own.return?.(undefined);
    else enter(step, opened, ids);
    return !isOver;
  };
}

/** The frames below the root in the order in which they came: that of the names of an export. */
function idsOf(root: FrameNode): readonly string[] {
  const ids: string[] = [];
  const left = [...root.children];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    ids.push(node.id);
    left.push(...node.children);
  }
  return ids.toSorted((a, b) => ordinal(a) - ordinal(b));
}

function enter(step: Playable, { names, open }: Opened, ids: readonly string[]): void {
  if (step.type === 'push' || step.type === 'plan' || step.type === 'retry') {
    const id = ids[Number(step.name?.slice(1)) - 1];
    if (id === undefined || step.name === undefined) return;
    names.set(step.name, id);
    if (step.type !== 'plan') open.push(id);
  } else if (step.type === 'start') open.push(names.get(step.name) ?? step.name);
  else if (step.type === 'pop' && step.name === undefined) open.pop();
  else if (step.type === 'invalidate') {
    const at = open.indexOf(names.get(step.name ?? '') ?? '');
    if (at >= 0) open.splice(at);
  }
}

/** What two steps are compared by: not what a model may have written anew since. */
function ofLine(line: ScriptLine): unknown {
  if (line.type === 'goal') {
    const { type, ...goal } = line;
    return { type, goal };
  }
  if (line.type !== 'pop') return line;
  const { results: _, brief: __, ...rest } = line;
  return rest;
}

function ofStep(given: Playable): unknown {
  const { key: _, line: __, ...step } = given;
  if (step.type === 'append') return step;
  const { at: ___, ...rest } = step;
  if (rest.type === 'goal') return { type: 'goal', goal: rest.goal };
  if (rest.type !== 'pop') return rest;
  const { results: ____, brief: _____, ...left } = rest;
  return left;
}

/** JSON with the fields of every object in one order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
