import {
  createActor,
  fromPromise,
  type AnyStateMachine,
  type EventObject,
  type Snapshot,
} from 'xstate';

// A machine on a stage: a live actor whose ports wait until the test answers
// them. Paths found by
// `xstate/graph` speak XState's own event names; `play` does what each of them
// stands for: it answers, rejects, waits or sends, and never sends `xstate.*`.

/** A port that was called and has no answer yet. */
export interface Call {
  readonly port: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A live actor in the hands of a test. */
export interface Stage {
  /** The state it is in. */
  value(): string;
  context(): Record<string, unknown>;
  /** What stopped it; undefined while nothing did. */
  error(): unknown;
  /** Ports it called so far, in order. */
  readonly called: readonly Call[];
  /** Events it emitted so far. */
  readonly emitted: readonly EventObject[];
  /** What an actor can be made again from. */
  persisted(): unknown;
  /** Sends an event of the machine's own words. */
  send(event: EventObject): void;
  /** Does what `event` stands for, and waits until the actor rests. */
  play(event: EventObject): Promise<void>;
  stop(): void;
}

/** Starts `machine` with a waiting body for each of `ports`; all that it names unless told. */
export function stage(
  machine: AnyStateMachine,
  ports = portsOf(machine),
  snapshot?: Snapshot<unknown>,
): Stage {
  const called: Call[] = [];
  const emitted: EventObject[] = [];
  const actors = Object.fromEntries(ports.map((port) => [port, waiting(port, called)]));
  const actor = createActor(
    machine.provide({ actors }),
    snapshot === undefined ? {} : { snapshot },
  );
  actor.on('*', (event: EventObject) => emitted.push(event));
  actor.subscribe({ error: () => {} });
  actor.start();
  const send = (event: EventObject): void => actor.send(event);
  return {
    value: () => String(actor.getSnapshot().value),
    context: () => actor.getSnapshot().context as Record<string, unknown>,
    error: () => actor.getSnapshot().error,
    called,
    emitted,
    persisted: () => actor.getPersistedSnapshot(),
    send,
    async play(event) {
      act(event);
      await rest();
    },
    stop: () => actor.stop(),
  };

  function act(event: EventObject): void {
    const [, kind, name = ''] =
      /^xstate\.(done\.actor|error\.actor)\.([^.]+)/.exec(event.type) ?? [];
    const data = event as unknown as { output?: unknown; error?: unknown };
    if (kind === 'done.actor') latest(called, name).resolve(data.output);
    else if (kind === 'error.actor')
      latest(called, name).reject(data.error ?? new Error('refused'));
    else send(event);
  }
}

/** The names of the ports that a machine invokes, each once. */
export function portsOf(machine: AnyStateMachine): readonly string[] {
  const states = Object.values(machine.states);
  return [...new Set(states.flatMap((state) => state.invoke.map(({ src }) => src as string)))];
}

/** Resolves once every promise that can settle has settled. */
export function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function latest(called: readonly Call[], port: string): Call {
  const call = called.findLast((each) => each.port === port);
  if (call === undefined) throw new Error(`Port "${port}" was not called`);
  return call;
}

function waiting(port: string, called: Call[]) {
  return fromPromise<unknown, unknown>(
    ({ input, signal }) =>
      new Promise((resolve, reject) => called.push({ port, input, signal, resolve, reject })),
  );
}
