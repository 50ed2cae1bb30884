import type { EventObject, ExecutableActionObject } from 'xstate';
import type { Move } from './trace.ts';

// What XState's `transition` asks for, in the engine's words, and the events with which it is
// answered. No other file knows these `xstate.*` names.

/** Something that a machine asks for when it goes on. */
export type MachineAction =
  | { readonly type: 'emit'; readonly event: EventObject }
  /** Asks a port; `src` is its name in the machine, `port` that of this call of it. */
  | {
      readonly type: 'ask';
      readonly port: string;
      readonly src: unknown;
      readonly input: unknown;
    }
  /** A port that was asked need not answer any more. */
  | { readonly type: 'leave'; readonly port: string }
  /** An event is to come back after some milliseconds; without a name nothing can take that back. */
  | {
      readonly type: 'wait';
      readonly timer: string | undefined;
      readonly event: EventObject;
      readonly milliseconds: number;
    }
  | { readonly type: 'cancel'; readonly timer: string }
  /** Anything else, which is done where it stands. */
  | { readonly type: 'other'; readonly name: string };

/** The actions of a transition, in order; those that XState has done itself are left out. */
export function readActions(actions: readonly ExecutableActionObject[]): readonly MachineAction[] {
  return actions.flatMap((action) => readAction(action) ?? []);
}

/** The event that a port is done. */
export const done = (port: string, output: unknown): EventObject =>
  ({ type: `xstate.done.actor.${port}`, output, actorId: port }) as EventObject;

/** The event that a port failed. */
export const failed = (port: string, error: Error): EventObject =>
  ({ type: `xstate.error.actor.${port}`, error, actorId: port }) as EventObject;

/** An event by our names: `done(port)` and `error(port)` for the answers of ports. */
export function plainEvent(
  event: EventObject & { output?: unknown; error?: Error },
): Move['event'] {
  const [, kind, port] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event.type) ?? [];
  if (port === undefined) return event;
  const answer = kind === 'done' ? { output: event.output } : { reason: event.error!.message };
  return { type: `${kind}(${port})`, ...answer };
}

/** Whether an event is one that XState makes itself. */
export const isOwnEvent = (type: string): boolean => type.startsWith('xstate.');

function readAction({ type, params }: ExecutableActionObject): MachineAction | null {
  const fields = (params ?? {}) as Readonly<Record<string, unknown>>;
  switch (type) {
    case 'xstate.emit':
      return { type: 'emit', event: fields['event'] as EventObject };
    case 'xstate.spawnChild': {
      const ref = fields['actorRef'] as { readonly id: string } | undefined;
      const port = ref?.id ?? String(fields['id']);
      return { type: 'ask', port, src: fields['src'], input: fields['input'] };
    }
    case 'xstate.stopChild':
      return params === undefined ? null : { type: 'leave', port: String(fields['id']) };
    case 'xstate.raise':
      return typeof fields['delay'] === 'number' ? waitOf(fields, fields['delay']) : null;
    case 'xstate.cancel':
      return { type: 'cancel', timer: String(fields['sendId']) };
    default:
      return { type: 'other', name: type };
  }
}

function waitOf(
  { id, event }: Readonly<Record<string, unknown>>,
  milliseconds: number,
): MachineAction {
  const timer = typeof id === 'string' ? id : undefined;
  return { type: 'wait', timer, event: event as EventObject, milliseconds };
}
