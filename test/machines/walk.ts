import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import { getShortestPaths, getSimplePaths, type StatePath } from 'xstate/graph';
import { expect } from 'vitest';
import { stage } from './stage.ts';

// Paths through a machine, found by `xstate/graph` and walked by a live actor.

type Path = StatePath<AnyMachineSnapshot, EventObject>;

/** What the search may do: the events it tries, and what makes two moments the same state. */
export interface Search {
  /** Every event, ports' answers and delays among them; the machine's own words unless told. */
  readonly events?: readonly EventObject[];
  /** The state and what of the context matters; all of it unless told. */
  readonly tell?: (snapshot: AnyMachineSnapshot) => string;
}

/** Every shortest and every simple path through `machine`, each once, with its route in words. */
export function walks(machine: AnyStateMachine, search: Search = {}): readonly [string, Path][] {
  const found = [
    ...getShortestPaths(machine, toOptions(search)),
    ...getSimplePaths(machine, toOptions(search)),
  ] as Path[];
  const distinct = new Map(found.map((path) => [JSON.stringify(path.steps.map(toEvent)), path]));
  return [...distinct.values()].map((path) => [route(path), path]);
}

/** Every state that some path reaches. */
export function reachable(machine: AnyStateMachine, search: Search = {}): ReadonlySet<string> {
  const paths = getShortestPaths(machine, toOptions(search)) as Path[];
  return new Set(paths.map(({ state }) => String(state.value)));
}

/** Events that lead, by a shortest path, to the state that calls `port`. */
export function eventsTo(
  machine: AnyStateMachine,
  search: Search,
  port: string,
): readonly EventObject[] {
  const [path] = getShortestPaths(machine, {
    ...toOptions(search),
    toState: (snapshot: AnyMachineSnapshot) => port in snapshot.children,
  }) as Path[];
  if (path === undefined) throw new Error(`No path leads to port "${port}"`);
  return path.steps.slice(1).map(toEvent);
}

/** Walks a live actor along `path` and expects the state of each step on the way. */
export async function walk(machine: AnyStateMachine, path: Path): Promise<void> {
  const live = stage(machine);
  for (const { event, state } of path.steps) {
    if (event.type !== 'xstate.init') await live.play(event);
    expect(live.value()).toBe(state.value);
  }
  live.stop();
}

function toOptions({ events, tell }: Search) {
  return {
    ...(events === undefined ? {} : { events }),
    ...(tell === undefined ? {} : { serializeState: tell }),
    limit: 20_000,
  };
}

function toEvent({ event }: Path['steps'][number]): EventObject {
  return event;
}

/** What happens on a path and where it ends: `frame.start, frame.block → blocked`. */
function route(path: Path): string {
  const words = path.steps.slice(1).map(({ event }) => toWords(event.type));
  return `${words.join(', ')} → ${String(path.state.value)}`;
}

/** `xstate.done.actor.measure` is told as `measure`, an error as `measure fails`. */
function toWords(type: string): string {
  const [, kind, name] = /^xstate\.(done\.actor|error\.actor)\.([^.]+)/.exec(type) ?? [];
  if (name === undefined) return type;
  return kind === 'error.actor' ? `${name} fails` : name;
}
