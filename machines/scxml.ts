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
  return `${['<?xml version="1.0" encoding="UTF-8"?>', ...element('scxml', head, inside(root))].join('\n')}\n`;
}

function inside(node: AnyStateNode): readonly string[] {
  const steps = (['entry', 'exit'] as const).flatMap((when) =>
    node[when].length === 0 ? [] : element(`on${when}`, {}, actionsOf(node[when])),
  );
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
  return [...steps, ...invokes, ...transitions, ...states.flatMap(state), ...given(node)];
}

/** What a final state gives. */
function given({ type, output }: AnyStateNode): readonly string[] {
  if (type !== 'final' || output === undefined) return [];
  return element('donedata', {}, element('content', { expr: nameOf(output) }));
}

function state(node: AnyStateNode): readonly string[] {
  const tags = { parallel: 'parallel', final: 'final', history: 'history' } as Record<
    string,
    string
  >;
  return element(tags[node.type] ?? 'state', { id: idOf(node), ...initialOf(node) }, inside(node));
}

function arrow(transition: AnyTransitionDefinition): readonly string[] {
  const { eventType, target, guard, actions, reenter } = transition;
  const stays =
    target === undefined || (!reenter && target.length === 1 && target[0] === transition.source);
  const attributes = {
    event: eventType === '' ? undefined : wordsOf(eventType),
    cond: guard === undefined ? undefined : called(guard as Named),
    target: stays ? undefined : target.map(idOf).join(' '),
  };
  return element('transition', attributes, actionsOf(actions));
}

/** Actions, each of which `setup()` gave its name. */
const actionsOf = (actions: readonly unknown[]): readonly string[] =>
  actions.flatMap((action) => {
    const { type, params } = (typeof action === 'string' ? { type: action } : action) as Named;
    return element('flamestack:action', { name: type, params: paramsOf(params) });
  });

interface Named {
  readonly type: string;
  readonly params?: unknown;
}

const called = (guard: Named | string): string =>
  typeof guard === 'string' ? guard : `${guard.type}(${paramsOf(guard.params) ?? ''})`;

const paramsOf = (params: unknown): string | undefined =>
  typeof params === 'function' ? nameOf(params) : JSON.stringify(params);

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'function' ? `${value.name.replace(/\$\d+$/, '')}()` : JSON.stringify(value);

const idOf = (node: AnyStateNode): string => node.path.join('.');

const initialOf = (node: AnyStateNode): { initial?: string } => {
  const first = node.type === 'compound' ? node.initial.target?.[0] : undefined;
  return first === undefined ? {} : { initial: idOf(first) };
};

/** An event by the word that SCXML has for it. */
const wordsOf = (eventType: string): string =>
  eventType
    .replace(/^xstate\.done\.actor\./, 'done.invoke.')
    .replace(/^xstate\.error\.actor\./, 'error.platform.')
    .replace(/^xstate\.done\.state\./, 'done.state.')
    .replace(/^xstate\./, '');

/** An element, without the attributes that are undefined. */
function element(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>>,
  content: readonly string[] = [],
): readonly string[] {
  const given = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escaped(value)}"`],
  );
  const open = `<${tag}${given.join('')}`;
  if (content.length === 0) return [`${open}/>`];
  return [`${open}>`, ...content.map((line) => `  ${line}`), `</${tag}>`];
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
