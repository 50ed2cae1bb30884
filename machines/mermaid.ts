import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

// One line for each state that has states of its own, one for each arrow. Labels
// of arrows: `frame.start [guard]`, `done(port)`, `error(port)`, `after backoff`.

/**
 * A machine as a Mermaid `stateDiagram-v2`: every state and every transition that
 * changes or does anything, with guards and ports by the names that `setup()` gave
 * them. Ends with a line break.
 */
export function toMermaid(machine: AnyStateMachine): string {
  const { root } = machine;
  const lines = ['stateDiagram-v2', ...inside(root), ...arrows(root)];
  return `${lines.join('\n')}\n`;
}

/** The states of `node`, those with states of their own in braces, and where it begins and ends. */
function inside(node: AnyStateNode): readonly string[] {
  const pad = '  '.repeat(node.path.length + 1);
  const children = childrenOf(node);
  const blocks = children.map((child) => [
    ...(idOf(child) === child.key ? [] : [`${pad}state "${child.key}" as ${idOf(child)}`]),
    ...(childrenOf(child).length > 0
      ? [`${pad}state ${idOf(child)} {`, ...inside(child), `${pad}}`]
      : []),
  ]);
  if (node.type === 'parallel')
    return blocks.flatMap((block, n) => (n > 0 ? [`${pad}--`, ...block] : block));
  const first = node.initial.target?.map((child) => `${pad}[*] --> ${idOf(child)}`) ?? [];
  const last = children
    .filter(({ type }) => type === 'final')
    .map((child) => `${pad}${idOf(child)} --> [*]`);
  return [...blocks.flat(), ...first, ...last];
}

/** Every arrow that leaves `node` or a state within it; those of the root leave each of its states. */
function arrows(node: AnyStateNode): readonly string[] {
  const children = childrenOf(node);
  const sources =
    node.parent === undefined ? children.filter(({ type }) => type !== 'final') : [node];
  const own = [...node.transitions.values(), node.always ?? []]
    .flat()
    .filter((transition) => !isNoop(node, transition))
    .flatMap((transition) => sources.flatMap((source) => arrow(source, transition)));
  return [...own, ...children.flatMap(arrows)];
}

function arrow(source: AnyStateNode, transition: AnyTransitionDefinition): readonly string[] {
  const targets = transition.target ?? [source];
  const guard = guardOf(transition);
  const label = `${labelOf(transition.eventType, transition.source)}${guard === '' ? '' : ` [${guard}]`}`;
  return targets.map(
    (to) => `  ${idOf(source)} --> ${idOf(to)} : ${label.replaceAll(/\s*[:;]\s*/g, ' ')}`,
  );
}

/** Whether a transition does nothing: its state only takes the event. */
function isNoop(node: AnyStateNode, transition: AnyTransitionDefinition): boolean {
  const { target, actions, guard, reenter } = transition;
  const stays = target === undefined || (target.length === 1 && target[0] === node);
  return stays && actions.length === 0 && guard === undefined && !reenter;
}

function childrenOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states).toSorted((a, b) => a.order - b.order);
}

/** The path of a state, in letters that Mermaid takes; its own words get a trailing `_`. */
function idOf(node: AnyStateNode): string {
  const id = node.path.join('_').replace(/\W/g, '_');
  return /^(as|class|classDef|direction|end|note|state|style)$/i.test(id) ? `${id}_` : id;
}

function guardOf({ guard }: AnyTransitionDefinition): string {
  if (guard === undefined) return '';
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'function') return guard.name || 'guard';
  return (guard as { readonly type: string }).type;
}

/** The label of an event, without XState's own names: `xstate.done.actor.load` is `done(load)`. */
function labelOf(eventType: string, node: AnyStateNode): string {
  if (eventType === '') return 'always';
  if (eventType.startsWith('xstate.done.state.')) return 'done';
  const after = /^xstate\.after\.(.+)$/.exec(eventType)?.[1];
  if (after !== undefined) return `after ${after.slice(0, -node.id.length - 1)}`;
  const [, kind, id] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(eventType) ?? [];
  if (id === undefined) return eventType;
  const src = node.invoke.find((invoked) => invoked.id === id)?.src;
  return `${kind}(${typeof src === 'string' ? src : id})`;
}
