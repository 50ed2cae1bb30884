import { fromPromise } from 'xstate';

/**
 * A promise actor without a body: work that a machine asks for by name and its
 * user supplies with `machine.provide({ actors })`. Started unsupplied, it
 * rejects and says which port is missing.
 */
export function port<Output, Input>(name: string) {
  return fromPromise<Output, Input>(() =>
    Promise.reject(new Error(`Port "${name}" has no body; supply it with machine.provide()`)),
  );
}

/** What a rejection says, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
