import type { AnyStateMachine } from 'xstate';
import { compressionMachine } from '../../../machines/compression.ts';
import { toDefinition } from '../../../machines/definition.ts';
import { frameMachine } from '../../../machines/frame.ts';
import { recoveryMachine } from '../../../machines/recovery.ts';
import { sessionMachine } from '../../../machines/session.ts';
import type { Inspection } from './inspection.ts';

// The messages that Stately's inspector takes, as `@statelyai/inspect` sends them for
// an actor of XState: one when it begins, then its events, each with the snapshot after it.

/** What every message has. */
interface StatelyMessage {
  /** The actor that it is about. */
  readonly sessionId: string;
  /** The session. */
  readonly rootId: string;
  /** The step and the place in it, `12.3`; of an actor `12.3a`, of a snapshot `12.3s`. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdAt: string;
  readonly _version: string;
}

/** The snapshot of an actor. */
export interface StatelySnapshot {
  readonly status: Inspection['status'];
  readonly value: string;
  readonly context: Inspection['context'];
  readonly children: Readonly<Record<string, never>>;
  readonly tags: readonly string[];
}

/** A message of the format of Stately's inspector. */
export type StatelyEvent = StatelyMessage &
  (
    | {
        readonly type: '@xstate.actor';
        readonly name: string;
        readonly parentId?: string;
        /** The machine, as JSON of what `createMachine` takes. */
        readonly definition: string;
        readonly snapshot: StatelySnapshot;
      }
    | {
        readonly type: '@xstate.event';
        readonly event: Inspection['event'];
        /** The actor that sent it; left out where it came from outside, or from a port. */
        readonly sourceId?: string;
      }
    | {
        readonly type: '@xstate.snapshot';
        readonly event: Inspection['event'];
        readonly snapshot: StatelySnapshot;
      }
  );

/** The version of the format. */
const version = '0.7.2';

/** An inspection as messages for Stately's inspector: an event and the snapshot after it; before them the actor, where it begins. */
export function toStately(inspection: Inspection): readonly StatelyEvent[] {
  const { seq, n, at, actor, parent, from, machine } = inspection;
  const id = `${seq}.${n}`;
  const [rootId = '', ...path] = actor.split('/');
  const about = { sessionId: actor, rootId, createdAt: String(at), _version: version };
  const event = eventOf(inspection);
  const snapshot = snapshotOf(inspection);
  const isSent = parent !== undefined && from !== null && event.type === inspection.event.type;
  const move = [
    { type: '@xstate.event', ...about, id, event, ...(isSent && { sourceId: parent }) },
    { type: '@xstate.snapshot', ...about, id: `${id}s`, event, snapshot },
  ] as const;
  if (from !== null) return move;
  const began = { name: path.join('/') || rootId, definition: definitionOf(machine), snapshot };
  const below = parent === undefined ? {} : { parentId: parent };
  return [{ type: '@xstate.actor', ...about, id: `${id}a`, ...began, ...below }, ...move];
}

const machines: Partial<Record<Inspection['machine'], AnyStateMachine>> = {
  session: sessionMachine,
  frame: frameMachine,
  compression: compressionMachine,
  recovery: recoveryMachine,
};

/** Made when first asked for. */
const definitions = new Map<Inspection['machine'], string>();

function definitionOf(name: Inspection['machine']): string {
  const known = definitions.get(name);
  if (known !== undefined) return known;
  const machine = machines[name];
  const definition = JSON.stringify(machine === undefined ? { id: name } : toDefinition(machine));
  definitions.set(name, definition);
  return definition;
}

function snapshotOf({ status, value, context }: Inspection): StatelySnapshot {
  return { status, value, context, children: {}, tags: [] };
}

/** The event by XState's own name. */
function eventOf({ event }: Inspection): Inspection['event'] {
  if (event.type === 'init') return { ...event, type: 'xstate.init' };
  const [, kind, port] = /^(done|error)\((.+)\)$/.exec(event.type) ?? [];
  return port === undefined
    ? event
    : { ...event, type: `xstate.${kind}.actor.${port}`, actorId: port };
}
