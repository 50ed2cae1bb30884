import { asJson, failureOf, notKept } from './kept-json.ts';
import type { MachineInput, OwedPort, RestingMachine } from './machine-record.ts';

/** What a port is given beside its input. */
export interface PortCall {
  /** The same for each time that this call is made, and for no other call: the machine, what was drawn when it began, the step, and the id of the invocation. */
  readonly key: string;
  /** Aborts when the machine leaves the state that asked, and when it is closed. */
  readonly signal: AbortSignal;
}

/** Does what a machine asks of a port. */
export type PortBody = (input: unknown, call: PortCall) => unknown;

/** A machine whose ports run. */
interface PortOwner {
  readonly id: string;
  /** Whether it takes nothing more. */
  readonly isBroken: boolean;
  readonly state: Pick<RestingMachine, 'run' | 'ports'>;
}

/** How a call of a port ended. */
export type PortEnd = Extract<MachineInput, { readonly type: 'done' | 'error' }>;

/** The calls of ports that a machine waits for. */
interface PortRuns {
  /** Makes the calls that are newly owed, and aborts those that are no longer. */
  pump(live: PortOwner): void;
  /** Aborts all. */
  stop(): void;
}

interface Run {
  readonly asked: number;
  readonly abort: AbortController;
  isOver: boolean;
}

/** Calls of `ports`, none of them made yet; `onEnd` hears of each that was not aborted. */
export function newPortRuns(
  ports: Readonly<Record<string, PortBody>>,
  onEnd: (end: PortEnd) => void,
): PortRuns {
  const runs = new Map<string, Run>();

  async function run(owner: PortOwner, [port, owed]: readonly [string, OwedPort]): Promise<void> {
    const { asked, src, input } = owed;
    const one: Run = { asked, abort: new AbortController(), isOver: false };
    runs.set(port, one);
    const key = [owner.id, owner.state.run, asked, port].join('/');
    const call = { key, signal: one.abort.signal };
    const end = await endOf(src, () => ports[src]!(asJson(input), call));
    one.isOver = true;
    if (!one.abort.signal.aborted) onEnd({ ...end, port, asked });
  }

  function drop(port: string, { abort, isOver }: Run): void {
    runs.delete(port);
    if (!isOver) abort.abort();
  }

  return {
    pump(live) {
      const owed: PortOwner['state']['ports'] = live.isBroken ? new Map() : live.state.ports;
      for (const [port, one] of runs) if (owed.get(port)?.asked !== one.asked) drop(port, one);
      for (const port of owed) if (!runs.has(port[0])) void run(live, port);
    },
    stop() {
      for (const [port, one] of runs) drop(port, one);
    },
  };
}

type Ended =
  | { readonly type: 'done'; readonly output?: unknown }
  | { readonly type: 'error'; readonly error: ReturnType<typeof failureOf> };

/** How a call ends; an output that JSON does not give back is a failure. */
async function endOf(src: string, call: () => unknown): Promise<Ended> {
  try {
    const output = await call();
    const fault = notKept(output, 'output');
    if (fault !== null)
      throw new TypeError(`Port "${src}" gave an output of which ${fault.path} is ${fault.is}`);
    return { type: 'done', ...(output !== undefined && { output }) };
  } catch (error) {
    return { type: 'error', error: failureOf(error) };
  }
}
