import type { AnyStateMachine } from 'xstate';

/**
 * A machine as JSON that `createMachine` takes, and that viewers of statecharts draw: states, transitions, guards,
 * actions and ports by name. A function stands as `{ "type": its name }`.
 */
export function toJson(machine: AnyStateMachine): string {
  return JSON.stringify(machine.config, (_, value: unknown) =>
    typeof value === 'function' ? { type: value.name } : value,
  );
}
