import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { toArrows, type Arrow } from './arrows.ts';

// One line for each state that has states of its own, one for each arrow. Labels
// of arrows: `frame.start [guard]`, `done(port)`, `error(port)`, `after backoff`.

/**
 * A machine as a Mermaid `stateDiagram-v2`: every state and every transition that
 * changes or does anything, with guards and ports by the names that `setup()` gave
 * them. Ends with a line break.
 */
export function toMermaid(machine: AnyStateMachine): string {
  const { root } = machine;
  const lines = ['stateDiagram-v2', ...inside(root), ...toArrows(machine).map(line)];
  return `${lines.join('\n')}\n`;
}

/** The states of `node`, those with states of their own in braces, and where it begins and ends. */
function inside(node: AnyStateNode): readonly string[] {
  const pad = '  '.repeat(node.path.length + 1);
  const children = childrenOf(node);
  const blocks = children.map((child) => [
    ...(idOf(pathOf(child)) === child.key
      ? []
      : [`${pad}state "${child.key}" as ${idOf(pathOf(child))}`]),
    ...(childrenOf(child).length > 0
      ? [`${pad}state ${idOf(pathOf(child))} {`, ...inside(child), `${pad}}`]
      : []),
  ]);
  if (node.type === 'parallel')
    return blocks.flatMap((block, n) => (n > 0 ? [`${pad}--`, ...block] : block));
  const first = node.initial.target?.map((child) => `${pad}[*] --> ${idOf(pathOf(child))}`) ?? [];
  const last = children
    .filter(({ type }) => type === 'final')
    .map((child) => `${pad}${idOf(pathOf(child))} --> [*]`);
  return [...blocks.flat(), ...first, ...last];
}

function line({ from, to, event, guard }: Arrow): string {
  const label = guard === '' ? event : `${event} [${guard}]`;
  return `  ${idOf(from)} --> ${idOf(to)} : ${label.replaceAll(/\s*[:;]\s*/g, ' ')}`;
}

const pathOf = (node: AnyStateNode): string => node.path.join('.');

function childrenOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states).toSorted((a, b) => a.order - b.order);
}

/** The path of a state, in letters that Mermaid takes; its own words get a trailing `_`. */
function idOf(path: string): string {
  const id = path.replace(/\W/g, '_');
  return /^(as|class|classDef|direction|end|note|state|style)$/i.test(id) ? `${id}_` : id;
}
