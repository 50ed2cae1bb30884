import { fromPromise, type AnyActor, type PromiseActorLogic } from 'xstate';

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

/** An `AbortSignal`, by XState's word for it: machines are checked without the types of a platform. */
type Signal = Parameters<Parameters<typeof fromPromise>[0]>[0]['signal'];

/**
 * A wait, as a port with a body, on the clock of its actor: `createActor(machine, { clock })`. An actor that is
 * restored while it waits begins the wait again, which XState's own `after` does not.
 */
export const pause = fromPromise<void, { readonly milliseconds: number }>(
  ({ input, signal, self }) =>
    new Promise((resolve) => {
      const { clock } = self as unknown as AnyActor;
      const timer = clock.setTimeout(resolve, input.milliseconds);
      signal.addEventListener('abort', () => clock.clearTimeout(timer));
    }),
);

/**
 * A body for a port, to put into `machine.provide({ actors })`; its types come from the
 * port. The signal aborts when the machine leaves the state that asked.
 */
export function body<Output, Input>(
  run: (input: Input, signal: Signal) => NoInfer<Output> | PromiseLike<NoInfer<Output>>,
): PromiseActorLogic<Output, Input> {
  return fromPromise<Output, Input>(async ({ input, signal }) => run(input, signal));
}

/** What a port answered. */
export const outputOf = <const Event extends { readonly output?: unknown }>({
  event,
}: {
  readonly event: Event;
}): Event['output'] => event.output;

/** The event itself. */
export const eventOf = <const Event>({ event }: { readonly event: Event }): Event => event;

/** The message of a rejection. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Actions that keep how work ended, and tell it: the end, or what makes it of a context and an event. */
export const ending = <const End>(params: End) =>
  [
    { type: 'keepEnd', params },
    { type: 'tell', params },
  ] as const;
