import { createMachine, type AnyStateMachine, type AnyStateNode } from 'xstate';

/** A state of a chart, as far as what it invokes goes. */
interface StateConfig {
  readonly on?: Readonly<Record<string, unknown>>;
  readonly invoke?: Invoked | readonly Invoked[];
  readonly states?: Readonly<Record<string, StateConfig>>;
}

interface Invoked {
  readonly onDone?: unknown;
  readonly onError?: unknown;
}

/**
 * The same machine with what its ports bring as events of its own, and nothing that runs: `createTestModel`
 * of `xstate/graph` refuses a machine that invokes. Its events are those of `machineEvents`.
 */
export function modelMachine<Machine extends AnyStateMachine>(machine: Machine): Machine {
  const config = withoutPorts(machine.config as StateConfig, machine.root);
  return createMachine(
    config as never,
    machine.implementations as never,
  ) as AnyStateMachine as Machine;
}

function withoutPorts(
  { invoke = [], on = {}, states, ...rest }: StateConfig,
  node: AnyStateNode,
): StateConfig {
  const ports = [invoke].flat().flatMap(({ onDone, onError }, index) => {
    const { id } = node.invoke[index]!;
    return [
      [`xstate.done.actor.${id}`, onDone] as const,
      [`xstate.error.actor.${id}`, onError] as const,
    ];
  });
  const brought = Object.fromEntries(ports.filter(([, to]) => to !== undefined));
  const inner = Object.entries(states ?? {}).map(([name, one]) => [
    name,
    withoutPorts(one, node.states[name]!),
  ]);
  return {
    ...rest,
    on: { ...on, ...brought },
    ...(states === undefined ? {} : { states: Object.fromEntries(inner) }),
  };
}
