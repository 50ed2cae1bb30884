import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

/** An arrow of a drawing. */
export interface Arrow {
  /** The state that it leaves, by its path: `summarizing`, `a.b`. */
  readonly from: string;
  readonly to: string;
  /** `frame.start`, `done(port)`, `error(port)`, `after delay`, `always`. */
  readonly event: string;
  /** The name of its guard; '' for none. */
  readonly guard: string;
}

/** Every arrow of a machine that changes or does anything; those of the root leave each of its states. */
export function toArrows(machine: AnyStateMachine): readonly Arrow[] {
  return arrowsOf(machine.root);
}

function arrowsOf(node: AnyStateNode): readonly Arrow[] {
  const children = Object.values(node.states).toSorted((a, b) => a.order - b.order);
  const sources =
    node.parent === undefined ? children.filter(({ type }) => type !== 'final') : [node];
  const own = [...node.transitions.values(), node.always ?? []]
    .flat()
    .filter((transition) => !isNoop(node, transition))
    .flatMap((transition) => sources.flatMap((source) => arrowOf(source, transition)));
  return [...own, ...children.flatMap(arrowsOf)];
}

function arrowOf(source: AnyStateNode, transition: AnyTransitionDefinition): readonly Arrow[] {
  const event = labelOf(transition.eventType, transition.source);
  return (transition.target ?? [source]).map((to) => ({
    from: source.path.join('.'),
    to: to.path.join('.'),
    event,
    guard: guardOf(transition),
  }));
}

/** Whether a transition does nothing: its state only takes the event. */
function isNoop(node: AnyStateNode, transition: AnyTransitionDefinition): boolean {
  const { target, actions, guard, reenter } = transition;
  const stays = target === undefined || (target.length === 1 && target[0] === node);
  return stays && actions.length === 0 && guard === undefined && !reenter;
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
