import type { AnyStateMachine, EventObject, OutputFrom } from 'xstate';
import { deepFreeze } from '../../core/messages/message.ts';
import { isObject } from '../../core/values/json.ts';
import {
  callable,
  checkArgument,
  integer,
  invalid,
  nonEmptyText,
  objectOf,
  signal,
} from '../../core/values/validation.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import { isOwnEvent } from '../step/machine-actions.ts';
import type { DecidedMachine } from './decide-machine.ts';
import type { DurableMachine, DurableState } from './durable-machine.ts';
import { asJson, checkKept } from './kept-json.ts';
import type { HeldRecords } from './machine-host.ts';
import { nextDue, type RestingMachine } from './machine-record.ts';
import { readSteps } from './machine-rows.ts';
import { closed } from './refusals.ts';
import { replayMachine } from './replay-machine.ts';
import type { HeldMachine } from './shared-machines.ts';

const sendOptions = objectOf<{ key: string }>({ key: nonEmptyText() });
const settledOptions = objectOf<{ signal?: AbortSignal }>({ signal });
const historyOptions = objectOf<{ after: number }>({ after: integer(0, 10 ** 12 - 1) });

/** A handle on a machine. */
export function toHandle<Machine extends AnyStateMachine>(
  machine: HeldMachine,
  of: DecidedMachine,
  held: HeldRecords,
): DurableMachine<Machine> {
  const { live } = machine;
  const { id, rows } = live;
  const offs = new Set<() => void>();
  let isClosed = false;
  let closing: Promise<void> | null = null;
  let giveUp: (reason: unknown) => void = () => undefined;
  const done = new Promise<unknown>((resolve, reject) => {
    giveUp = reject;
    offs.add(live.whenOver({ resolve, reject }));
  });
  done.catch(() => undefined);
  const close = async (): Promise<void> => {
    isClosed = true;
    live.wake();
    await machine.release(closed(id));
    for (const off of offs) off();
    giveUp(closed(id));
    await held.release();
    held.users?.delete(handle);
  };
  const check = (): void => {
    if (isClosed) throw closed(id);
  };
  /** Ends with the handle what it listens to. */
  const kept = (forget: () => void): (() => void) => {
    const off = (): void => {
      forget();
      offs.delete(off);
    };
    offs.add(off);
    return off;
  };
  let cached = { of: live.state, state: toState<Machine>(live.state) };
  const handle: DurableMachine<Machine> = {
    id,
    get state() {
      if (cached.of !== live.state)
        cached = { of: live.state, state: toState<Machine>(live.state) };
      return cached.state;
    },
    done: done as Promise<OutputFrom<Machine>>,
    async send(event, options = {}) {
      check();
      checkEvent(event);
      checkArgument('options', options, sendOptions);
      return { seq: await live.send(event, options.key) };
    },
    on(type, listener) {
      check();
      checkArgument('type', type, nonEmptyText("a type of what is emitted, or '*'"));
      checkArgument('listener', listener, callable);
      return kept(
        live.listen((emitted) => {
          if (type === '*' || emitted.type === type) listener(emitted as never);
        }),
      );
    },
    subscribe(listener) {
      check();
      checkArgument('listener', listener, callable);
      return kept(live.subscribe(() => listener(handle.state)));
    },
    async settled(options = {}) {
      check();
      checkArgument('options', options, settledOptions);
      options.signal?.throwIfAborted();
      await untilAborted(live.settled(check), options.signal);
    },
    async *history(options = {}) {
      check();
      checkArgument('options', options, historyOptions);
      yield* readSteps(held.records, rows, options.after ?? 0);
    },
    async *replay() {
      check();
      for await (const { record, after, difference } of replayMachine(of, held.records, rows))
        yield { ...record, state: after && toState<Machine>(after), difference };
    },
    async delete() {
      check();
      await live.erase();
      await handle.close();
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => handle.close(),
  };
  held.users?.add(handle);
  return handle;
}

function toState<Machine extends AnyStateMachine>({
  seq,
  snapshot,
  ports,
  timers,
}: RestingMachine): DurableState<Machine> {
  // Nobody changes what the machine goes on from, or what others are told.
  const { value, context, status, output, error } = asJson(snapshot);
  return deepFreeze({
    seq,
    value,
    context: context as DurableState<Machine>['context'],
    status,
    ...(output !== undefined && { output: output as OutputFrom<Machine> }),
    ...(error !== undefined && { error }),
    asked: [...ports.keys()],
    due: nextDue(timers),
  });
}

/** Refuses what is no event of somebody's own; throws `OPTION_INVALID`. */
function checkEvent(event: unknown): asserts event is EventObject {
  const type = isObject(event) ? event['type'] : undefined;
  if (typeof type !== 'string' || isOwnEvent(type) || type === '*')
    throw invalid('event', event, 'an object with a type of the machine');
  checkKept('event', event);
}
