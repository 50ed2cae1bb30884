import type { AnyStateMachine } from 'xstate';

/** A value of JSON. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A machine as JSON: its states, events, guards, actions and ports, by their names. */
export interface Definition {
  readonly id: string;
  readonly version?: string;
  readonly [key: string]: Json | undefined;
}

/**
 * A machine as JSON, as `createMachine` takes it. What computes the input of a port, or what an action
 * is given, is a function; it stands there by its name: `summaryRequestOf()`.
 */
export function toDefinition(machine: AnyStateMachine): Definition {
  const named = (_: string, value: unknown): unknown =>
    typeof value === 'function' ? `${value.name.replace(/\$\d+$/, '')}()` : value;
  return JSON.parse(JSON.stringify(machine.config, named)) as Definition;
}
