import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

// What SCXML has no word for (a port, an action by its name) stands in a namespace of our own.

const own = 'https://www.npmjs.com/package/flamestack';

/** A machine as SCXML (W3C State Chart XML 1.0), with guards, actions and ports by their names. Its states' ids are their paths. */
export function toScxml(machine: AnyStateMachine): string {
  const { root } = machine;
  const head = {
    xmlns: 'http://www.w3.org/2005/07/scxml',
    'xmlns:flamestack': own,
    version: '1.0',
    name: machine.id,
    ...initialOf(root),
  };
  const states = root.type === 'parallel' ? state(root) : inside(root);
  return `${['<?xml version="1.0" encoding="UTF-8"?>', ...element('scxml', head, states)].join('\n')}\n`;
}

function inside(node: AnyStateNode): readonly string[] {
  const steps = (['entry', 'exit'] as const).flatMap((when) => {
    const does = [...actionsOf(node[when]), ...node.after.flatMap((one) => timer(one, when))];
    return does.length === 0 ? [] : element(`on${when}`, {}, does);
  });
  const invokes = node.invoke.flatMap(({ id, src, input }) =>
    element('invoke', {
      id,
      type: 'flamestack:port',
      src: typeof src === 'string' ? src : id,
      'flamestack:input': nameOf(input),
    }),
  );
  const transitions = [...node.transitions.values(), node.always ?? []].flat().flatMap(arrow);
  const states = Object.values(node.states).toSorted((a, b) => a.order - b.order);
  return [...steps, ...invokes, ...transitions, ...states.flatMap(state), ...doneData(node)];
}

/** What a final state gives. */
function doneData({ type, output }: AnyStateNode): readonly string[] {
  if (type !== 'final' || output === undefined) return [];
  return element('donedata', {}, element('content', { expr: nameOf(output) }));
}

function state(node: AnyStateNode): readonly string[] {
  const tags = { parallel: 'parallel', final: 'final', history: 'history' } as Record<
    string,
    string
  >;
  const { history } = node;
  const kind = node.type === 'history' && history !== false ? { type: history } : {};
  const attributes = { id: idOf(node), ...kind, ...initialOf(node) };
  return element(tags[node.type] ?? 'state', attributes, [...inside(node), ...past(node)]);
}

/** Where a history state leads that was never left, which SCXML asks for: where it says, else where its parent begins. */
function past({ type, config, parent, machine }: AnyStateNode): readonly string[] {
  if (type !== 'history' || parent === undefined) return [];
  const { target } = config as { readonly target?: string | readonly string[] };
  const first = parent.type === 'parallel' ? regionsOf(parent) : parent.initial.target;
  const leads =
    target === undefined
      ? (first ?? []).map(idOf)
      : [target].flat().map((one) => targetOf(one, parent, machine));
  return element('transition', { target: leads.join(' ') });
}

const regionsOf = ({ states }: AnyStateNode): readonly AnyStateNode[] =>
  Object.values(states).filter(({ type }) => type !== 'history');

/** The id of a state that is named by its id, or by its path below another. */
function targetOf(target: string, from: AnyStateNode, machine: AnyStateMachine): string {
  if (target.startsWith('#')) return idOf(machine.getStateNodeById(target));
  // A dot of a state's own name is escaped, as XState has it.
  const keys = target.match(/(?:\\.|[^\\.])+/g) ?? [];
  const found = keys
    .map((key) => key.replace(/\\(.)/g, '$1'))
    .reduce<AnyStateNode | undefined>((node, key) => node?.states[key], from);
  return found === undefined ? target : idOf(found);
}

/** What begins and ends the wait for a delayed transition. */
function timer(transition: AnyTransitionDefinition, when: 'entry' | 'exit'): readonly string[] {
  const id = wordsOf(transition.eventType, transition.source);
  if (when === 'exit') return element('cancel', { sendid: id });
  const { delay } = transition as { readonly delay?: number | string };
  return element('send', {
    id,
    event: id,
    ...(typeof delay === 'number' ? { delay: `${delay}ms` } : { delayexpr: `${delay}()` }),
  });
}

function arrow(transition: AnyTransitionDefinition): readonly string[] {
  const { eventType, target, guard, actions, reenter } = transition;
  const stays =
    target === undefined || (!reenter && target.length === 1 && target[0] === transition.source);
  const attributes = {
    event: eventType === '' ? undefined : wordsOf(eventType, transition.source),
    cond: guard === undefined ? undefined : called(guard),
    target: stays ? undefined : target.map(idOf).join(' '),
  };
  return element('transition', attributes, actionsOf(actions));
}

/** Whether XState did not add an action for a delay. */
const isOwn = (action: unknown): boolean =>
  !/^xstate\.(raise|cancel)$/.test(String((action as Partial<Named>).type));

/** Actions by their names. */
const actionsOf = (actions: readonly unknown[]): readonly string[] =>
  actions.filter(isOwn).flatMap((action) => {
    const { type, params } = (typeof action === 'string' ? { type: action } : action) as Named;
    return element('flamestack:action', { name: type, params: paramsOf(params) });
  });

interface Named {
  readonly type: string;
  readonly params?: unknown;
}

function called(guard: Named | string | { readonly name: string }): string {
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'function') return `${guard.name || 'guard'}()`;
  const { type, params } = guard as Named;
  return `${type}(${paramsOf(params) ?? ''})`;
}

const paramsOf = (params: unknown): string | undefined =>
  typeof params === 'function' ? nameOf(params) : JSON.stringify(params);

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'function' ? `${value.name.replace(/\$\d+$/, '')}()` : JSON.stringify(value);

const idOf = (node: AnyStateNode): string => node.path.join('.') || node.machine.id;

const initialOf = (node: AnyStateNode): { initial?: string } => {
  const first = node.type === 'compound' ? node.initial.target?.[0] : undefined;
  return first === undefined ? {} : { initial: idOf(first) };
};

/** An event by the word that SCXML has for it. */
function wordsOf(eventType: string, { id, machine }: AnyStateNode): string {
  const own = `${machine.id}.`;
  return eventType
    .replace(/^xstate\.done\.actor\./, 'done.invoke.')
    .replace(/^xstate\.error\.actor\./, 'error.platform.')
    .replace(`xstate.done.state.${own}`, 'done.state.')
    .replace(/^xstate\.after\.(.*)$/, (_, rest: string) =>
      rest.endsWith(id)
        ? `after.${rest.slice(0, -id.length)}${id.replace(own, '')}`
        : `after.${rest}`,
    )
    .replace(/^xstate\./, '');
}

/** An element, without the attributes that are undefined. */
function element(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>>,
  content: readonly string[] = [],
): readonly string[] {
  const printed = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escaped(value)}"`],
  );
  const open = `<${tag}${printed.join('')}`;
  if (content.length === 0) return [`${open}/>`];
  return [`${open}>`, ...content.map((line) => `  ${line}`), `</${tag}>`];
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
