import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { fail } from '../../core/values/error.ts';
import { invalid } from '../../core/values/validation.ts';

// A machine is run by asking XState's `transition` where it goes. So all that it does must be told by that:
// what it asks of ports, what it waits for, what it emits. A function of its own that acts would be called
// never, or twice; a callback, an observable and a child machine cannot be kept.

/** Actions whose outcome is part of a step. */
const pureActions: ReadonlySet<string> = new Set([
  'xstate.assign',
  'xstate.raise',
  'xstate.cancel',
  'xstate.emit',
  'xstate.enqueueActions',
  'xstate.stopChild',
]);

/** Refuses a machine that cannot be durable, and ports that it does not ask; throws `MACHINE_UNSUPPORTED` and `OPTION_INVALID`. */
export function checkMachine(
  machine: AnyStateMachine,
  ports: Readonly<Record<string, unknown>>,
): void {
  for (const [name, body] of Object.entries(ports))
    if (body !== undefined && typeof body !== 'function')
      throw invalid(`ports.${name}`, body, 'a function');
  const asked = new Set(Object.keys(machine.implementations.actors));
  for (const node of nodesOf(machine.root)) {
    checkInvokes(node, ports);
    for (const { src } of node.invoke) asked.add(src as string);
    for (const delay of delaysOf(node)) checkDelay(node, delay);
    for (const action of actionsOf(node)) checkAction(node, action);
  }
  const strange = Object.keys(ports).find((name) => !asked.has(name));
  if (strange !== undefined)
    throw fail(
      'OPTION_INVALID',
      `Option "ports.${strange}" has no port in machine "${machine.id}", which asks ${[...asked].join(', ') || 'none'}`,
      { option: `ports.${strange}`, value: ports[strange] },
    );
}

/** The calls of ports that a machine has: what each may ask, by its id. */
export function portsOf(machine: AnyStateMachine): ReadonlyMap<string, readonly string[]> {
  const ports = new Map<string, readonly string[]>();
  for (const { invoke } of nodesOf(machine.root))
    for (const { id, src } of invoke) ports.set(id, [...(ports.get(id) ?? []), src as string]);
  return ports;
}

/** The refusal of a machine, or of a step of it, for what cannot be durable. */
export function unsupported(machine: string, what: string, detail: Record<string, unknown>): Error {
  const message = `Machine "${machine}" cannot be durable: ${what}`;
  return fail('MACHINE_UNSUPPORTED', message, {
    machine,
    state: undefined,
    name: undefined,
    path: undefined,
    ...detail,
  });
}

function nodesOf(node: AnyStateNode): readonly AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap((child) => nodesOf(child as AnyStateNode))];
}

function checkInvokes(node: AnyStateNode, ports: Readonly<Record<string, unknown>>): void {
  for (const { src, onSnapshot } of node.invoke) {
    const name = src as string;
    if (name.startsWith('xstate.invoke.'))
      throw refusal(node, 'invokes an actor without a name', 'invoke');
    if (typeof ports[name] !== 'function')
      throw refusal(node, `invokes "${name}", for which there is no body in ports`, name);
    if (onSnapshot !== undefined)
      throw refusal(node, `looks at snapshots of "${name}", and a port has none`, name);
  }
}

/** The names of the delays of a state. */
function delaysOf(node: AnyStateNode): readonly unknown[] {
  const raised = actionsOf(node).map((action) => (action as { readonly delay?: unknown }).delay);
  return [...node.after.map(({ delay }) => delay), ...raised];
}

function checkDelay(node: AnyStateNode, delay: unknown): void {
  const known = node.machine.implementations.delays as Readonly<Record<string, unknown>>;
  if (typeof delay === 'string' && known[delay] === undefined)
    throw refusal(node, `waits for "${delay}", which is no delay of it`, delay);
}

/** The actions of a state, as the machine has them. */
function actionsOf(node: AnyStateNode): readonly unknown[] {
  const transitions = [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
  const initial: readonly unknown[] = node.initial?.actions ?? [];
  return [
    ...node.entry,
    ...node.exit,
    ...initial,
    ...transitions.flatMap(({ actions }) => actions as readonly unknown[]),
  ];
}

function checkAction(node: AnyStateNode, action: unknown): void {
  const known = node.machine.implementations.actions as Readonly<Record<string, unknown>>;
  const name = nameOf(action);
  const body = typeof action === 'function' ? action : known[name];
  const { type, resolve } = Object(body) as { readonly type?: unknown; readonly resolve?: unknown };
  if (typeof resolve === 'function' && pureActions.has(String(type))) return;
  if (body === undefined) throw refusal(node, `has the action "${name}", which has no body`, name);
  throw refusal(node, doesBeside(typeof resolve === 'function' ? String(type) : name), name);
}

/** What a machine does with an action that acts, and why it may not. */
export function doesBeside(action: string): string {
  const what = action.startsWith('xstate.')
    ? `does ${action}`
    : `calls ${action === '(anonymous)' ? 'an inline function' : `"${action}"`}`;
  return `${what}, which is done beside its steps and would be lost or done twice in a crash; emit an event, or ask a port`;
}

function nameOf(action: unknown): string {
  if (typeof action === 'string') return action;
  if (typeof action === 'function') return 'an inline function';
  return String((action as { readonly type?: unknown }).type);
}

const refusal = (node: AnyStateNode, what: string, name: string): Error =>
  unsupported(node.machine.id, `state "${node.id}" ${what}`, { state: node.id, name });
