import type { FrameNode, ReplayStep } from '../../../index.ts';
import { quote, storeArgument } from '../../call/call.ts';
import { exits } from '../../call/exit.ts';
import { paceText } from '../../call/pace-text.ts';
import { statusLine } from '../../call/status-line.ts';
import { isSimilar } from '../../call/near.ts';
import { cleanLine } from '../../paper/clean.ts';
import { number } from '../../paper/size.ts';
import { framesIn } from '../../sessions/words/frame-titles.ts';
import { mistake, parseExpression, valueOf, type Look, type Name } from './expression.ts';
import { schema, type Reel } from './reel.ts';

// Every step is looked at, from the first on. Halving would ask fewer of them, and find nothing that
// held for a while only: a frame was blocked, a window was full, an undo took it back.

/** Names the first step after which an expression holds; gives the exit code. */
export async function findStep(reel: Reel, source: string): Promise<number> {
  const { id, call, first, last } = reel;
  const expression = parseExpression(source);
  const status = statusLine(call);
  const begun = performance.now();
  const empty = new Set(expression.names);
  let match: ReplayStep | null = null;
  for await (const step of reel.steps(first)) {
    const look = lookIn(step);
    if (step.seq === first) checkNames(expression.names, step);
    status.say(() => {
      const count = step.seq - first + 1;
      const share = count / (last - first + 1);
      return `${paceText({ count, what: 'steps', share }, begun)}  ${cleanLine(id)}`;
    });
    for (const name of empty) if (valueOf(name, look) !== null) empty.delete(name);
    if (!expression.holds(look)) continue;
    match = step;
    break;
  }
  status.clear();
  if (call.json) {
    const document = match === null ? null : foundDocument(match);
    call.emit(schema, {
      type: 'find',
      session: id,
      expression: source,
      first,
      last,
      found: document,
    });
  } else if (match !== null) {
    call.print(foundLine(match));
    const at = `flamestack show ${quote(cleanLine(id))} --at seq:${match.seq}`;
    call.note(`What the model saw: ${at}${storeArgument(call)}`);
  } else {
    call.print(`No step from ${number(first)} to ${number(last)}`);
    for (const { path } of empty) call.note(`${path.join('.')} was null in all of them.`);
  }
  return match === null ? exits.nothing : exits.done;
}

/** The names of a step: the fields of its state, and its frames by their ids. */
function lookIn(step: ReplayStep): Look {
  let frames: Readonly<Record<string, FrameNode>> | undefined;
  return (field) => {
    if (field === 'frames') return (frames ??= framesById(step.tree()));
    return Object.hasOwn(step.state, field) ? step.state[field as 'id'] : null;
  };
}

const framesById = (tree: FrameNode): Readonly<Record<string, FrameNode>> =>
  Object.fromEntries([...framesIn(tree)].map((frame) => [frame.id, frame]));

/** Refuses a name that no step can have. */
function checkNames(names: readonly Name[], { state }: ReplayStep): void {
  const knownNames = [...Object.keys(state), 'frames'];
  for (const { path, at } of names) {
    const [first] = path as readonly [string];
    if (knownNames.includes(first)) continue;
    const near = knownNames.filter((name) => isSimilar(name, first));
    const there = `there are ${(near.length > 0 ? near : knownNames).join(', ')}`;
    throw mistake({ text: path.join('.'), at }, `no state has it; ${there}`);
  }
}

function foundLine({ seq, state, input }: ReplayStep): string {
  const entry = state.entries === 0 ? 'no entry yet' : `e${state.entries}`;
  return `step ${seq}: ${input.type}, in turn ${state.turn}, ${entry}`;
}

function foundDocument({ seq, at, input, state }: ReplayStep): object {
  const { turn, entries } = state;
  return { seq, at, input: input.type, turn, entries };
}
