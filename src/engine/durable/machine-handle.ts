import type { AnyStateMachine, EventObject, OutputFrom } from 'xstate';
import { fail, type EngineError } from '../../core/values/error.ts';
import { isObject, notJson } from '../../core/values/json.ts';
import {
  callable,
  checkArgument,
  integer,
  invalid,
  nonEmptyText,
  objectOf,
} from '../../core/values/validation.ts';
import { isOwnEvent } from '../step/machine-actions.ts';
import { asJson, type DecidedMachine } from './decide-machine.ts';
import type { DurableMachine, DurableState } from './durable-machine.ts';
import type { LiveMachine } from './live-machine.ts';
import type { HeldRecords } from './machine-host.ts';
import { nextDue, type RestingMachine } from './machine-record.ts';
import { readSteps } from './machine-rows.ts';
import { replayMachine } from './replay-machine.ts';

const sendOptions = objectOf<{ key: string }>({ key: nonEmptyText() });
const historyOptions = objectOf<{ after: number }>({ after: integer(0, 10 ** 12 - 1) });

/** A handle on a machine. */
export function toHandle<Machine extends AnyStateMachine>(
  live: LiveMachine,
  of: DecidedMachine,
  held: HeldRecords,
): DurableMachine<Machine> {
  const { id, rows } = live;
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    held.ended?.removeEventListener('abort', onEnded);
    await live.end(closed(id));
    await held.release();
  };
  const onEnded = (): void => void handle.close();
  held.ended?.addEventListener('abort', onEnded);
  const check = (): void => {
    if (closing !== null) throw closed(id);
  };
  let told = { of: live.state, state: toState<Machine>(live.state) };
  const handle: DurableMachine<Machine> = {
    id,
    get state() {
      if (told.of !== live.state) told = { of: live.state, state: toState<Machine>(live.state) };
      return told.state;
    },
    done: live.done as Promise<OutputFrom<Machine>>,
    async send(event, given = {}) {
      check();
      checkEvent(event);
      checkArgument('options', given, sendOptions);
      return { seq: await live.send(event, given.key) };
    },
    on(type, listener) {
      check();
      checkArgument('type', type, nonEmptyText("a type of what is emitted, or '*'"));
      checkArgument('listener', listener, callable);
      return live.listen((emitted) => {
        if (type === '*' || emitted.type === type) listener(emitted as never);
      });
    },
    async settled() {
      check();
      await live.settled();
    },
    async *history(given = {}) {
      check();
      checkArgument('options', given, historyOptions);
      yield* readSteps(held.records, rows, given.after ?? 0);
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
  return handle;
}

function toState<Machine extends AnyStateMachine>({
  seq,
  snapshot,
  ports,
  timers,
}: RestingMachine): DurableState<Machine> {
  // Whoever changes what is told changes nothing of the machine.
  const { value, context, status, output, error } = asJson(snapshot);
  return {
    seq,
    value,
    context: context as DurableState<Machine>['context'],
    status,
    ...(output !== undefined && { output: output as OutputFrom<Machine> }),
    ...(error !== undefined && { error }),
    asked: [...ports.keys()],
    due: nextDue(timers),
  };
}

/** Refuses what is no event of somebody's own; throws `OPTION_INVALID`. */
function checkEvent(event: unknown): asserts event is EventObject {
  const type = isObject(event) ? event['type'] : undefined;
  if (typeof type !== 'string' || isOwnEvent(type) || type === '*')
    throw invalid('event', event, 'an object with a type of the machine');
  const fault = notJson(event, 'event');
  if (fault !== null) throw invalid(fault.path, fault.is, 'what JSON can hold');
}

/** The refusal of a call on a closed handle. */
const closed = (id: string): EngineError =>
  fail('MACHINE_CLOSED', `This handle of machine "${id}" is closed`, { machine: id });
