import {
  fromCallback,
  type ActorLogic,
  type AnyActorRef,
  type ActorSystem,
  type Snapshot,
} from 'xstate';
import type { Message } from '../../core/messages/message.ts';
import { fail, isEngineError } from '../../core/values/error.ts';
import { invalid } from '../../core/values/validation.ts';
import type { AppendOptions } from '../commands/append-command.ts';
import type { SessionOptions } from '../commands/configure.ts';
import type { SessionFact } from '../live/listening/listeners.ts';
import type { Session } from './session.ts';
import type { SessionState } from '../step/session-state.ts';

/** What an actor of a session is given. */
export interface SessionInput {
  /** The session, which is created where there is none. */
  readonly id: string;
  readonly options?: SessionOptions;
}

/** The methods of `T` that give a promise, by their names behind `Before`. */
type Asked<T, Before extends string = ''> = {
  [
    Name in keyof T & string as T[Name] extends (...given: never[]) => Promise<unknown>
      ? `${Before}${Name}`
      : never
  ]: T[Name] extends (...given: never[]) => Promise<unknown> ? T[Name] : never;
};

type Methods = Omit<Asked<Session>, 'append' | 'close'> & {
  append: (
    messages: Message | readonly Message[],
    options?: AppendOptions,
  ) => Promise<{ id: string } | { ids: string[] }>;
} & Asked<Session['frames'], 'frames.'> &
  Asked<Session['goal'], 'goal.'> &
  Asked<Session['recovery'], 'recovery.'> &
  Asked<Session['snapshots'], 'snapshots.'>;

/** A method of a session that an actor can be asked for: `append`, `frames.plan` … */
export type SessionMethod = keyof Methods;

const methods: Record<SessionMethod, true> = {
  append: true,
  assemble: true,
  push: true,
  pop: true,
  'frames.plan': true,
  'frames.start': true,
  'frames.edit': true,
  'frames.invalidate': true,
  'frames.retry': true,
  'goal.set': true,
  'goal.update': true,
  'goal.pause': true,
  'goal.resume': true,
  'goal.complete': true,
  entry: true,
  redact: true,
  recall: true,
  trace: true,
  expand: true,
  compress: true,
  raise: true,
  document: true,
  writeDocument: true,
  at: true,
  diff: true,
  'snapshots.create': true,
  'snapshots.show': true,
  'snapshots.restore': true,
  'snapshots.delete': true,
  undo: true,
  redo: true,
  steps: true,
  report: true,
  sync: true,
  recover: true,
  'recovery.confirm': true,
  configure: true,
  settled: true,
};

/** What an actor of a session takes: a method with its arguments, or that it closes. */
export type SessionActorEvent =
  | {
      readonly [Name in SessionMethod]: {
        readonly type: `session.${Name}`;
        readonly arguments?: Parameters<Methods[Name]>;
        /** Stands in the answer, too. */
        readonly request?: string;
      };
    }[SessionMethod]
  | { readonly type: 'session.close' };

/** The answer to an event, with the `request` of that. */
export type SessionAnswer = {
  readonly [Name in SessionMethod]:
    | {
        readonly type: `session.done.${Name}`;
        readonly output: Awaited<ReturnType<Methods[Name]>>;
        readonly request: string | undefined;
      }
    | {
        readonly type: `session.failed.${Name}`;
        readonly error: unknown;
        readonly request: string | undefined;
      };
}[SessionMethod];

/** What an actor of a session emits and sends its parent: facts once they are durable, and answers. */
export type SessionEmitted = SessionFact | SessionAnswer;

/** A snapshot of such an actor; `state` is null until the session is open. */
export type SessionSnapshot = Snapshot<SessionState> & {
  readonly input: SessionInput;
  readonly state: SessionState | null;
};

/** A session as an actor. */
export type SessionLogic = ActorLogic<
  SessionSnapshot,
  SessionActorEvent,
  SessionInput,
  ActorSystem<{ actors: Record<string, AnyActorRef> }>,
  SessionEmitted
>;

/** Where the sessions of actors are opened: a store. */
interface SessionStore {
  open(id: string, options?: SessionOptions): Promise<Session>;
}

/** What an actor tells itself. */
type Turn =
  | { readonly type: 'session.moved'; readonly state: SessionState }
  | { readonly type: 'session.ended'; readonly state: SessionState }
  | { readonly type: 'session.broke'; readonly error: unknown };

/**
 * A session of `store` as an actor: invoke it, send it the session's methods as events, hear its facts
 * and answers. It is done, with the session's state as output, once the root is closed or it was told
 * to close; it fails where the session cannot be opened. Stopped, it closes its handle; what it was asked
 * for before is still done. It fails, too, when it is asked for something and its store is closed. An actor
 * that is restored opens the session again: what it was asked for and had not answered is not asked again,
 * so give it a `key`.
 */
export function sessionLogic({ store }: { readonly store: SessionStore }): SessionLogic {
  const running = fromCallback<SessionActorEvent, SessionInput, SessionEmitted>(
    ({ input, self, sendBack, receive, emit }) => {
      let isStopped = false;
      const turn = (event: Turn): void => {
        if (!isStopped) self.send(event as never);
      };
      const tell = (event: SessionEmitted): void => {
        if (isStopped) return;
        emit(event);
        sendBack(event);
      };
      const broke = (error: unknown): void => turn({ type: 'session.broke', error });
      const opening = store.open(
        (input as SessionInput | undefined)?.id as string,
        (input as SessionInput | undefined)?.options,
      );
      let answered: Promise<unknown> = Promise.resolve();
      let isClosing = false;
      const end = async (session: Session): Promise<void> => {
        if (isClosing) return;
        isClosing = true;
        await session.close();
        await answered;
        turn({ type: 'session.ended', state: session.state });
      };
      const look = (session: Session): void => {
        turn({ type: 'session.moved', state: session.state });
        if (session.state.phase === 'completed') end(session).catch(broke);
      };
      opening.then((session) => {
        session.on('*', (fact) => {
          look(session);
          tell(fact);
        });
        look(session);
      }, broke);
      const passOn = async (event: SessionAnswer): Promise<void> => {
        await opening.then(look, () => undefined);
        tell(event);
        const isLost = 'error' in event && isEngineError(event.error, 'STORE_CLOSED');
        if (isLost && !isClosing) broke(event.error);
      };
      receive((event) => {
        if (event.type === 'session.close') opening.then(end).catch(broke);
        else if (event.type.startsWith('session.'))
          answered = Promise.all([answered, answer(opening, event).then(passOn)]);
      });
      return () => {
        isStopped = true;
        opening.then((session) => session.close()).catch(() => undefined);
      };
    },
  ) as unknown as SessionLogic;
  return {
    ...running,
    getInitialSnapshot: (scope, input) => ({
      ...running.getInitialSnapshot(scope, input),
      state: null,
    }),
    transition(snapshot, event, scope) {
      const turn = event as Turn | SessionActorEvent;
      if (turn.type === 'session.moved') return { ...snapshot, state: turn.state };
      if (turn.type === 'session.ended') return ended(snapshot, turn.state);
      if (turn.type === 'session.broke')
        return { ...snapshot, status: 'error', output: undefined, error: turn.error };
      return running.transition(snapshot, event, scope);
    },
  };
}

const ended = (snapshot: SessionSnapshot, state: SessionState): SessionSnapshot => ({
  ...snapshot,
  state,
  status: 'done',
  output: state,
  error: undefined,
});

/** What the session answers; never rejects. */
async function answer(
  opening: Promise<Session>,
  { type, arguments: values = [], request }: Exclude<SessionActorEvent, { type: 'session.close' }>,
): Promise<SessionAnswer> {
  const name = type.slice('session.'.length) as SessionMethod;
  try {
    if (!Array.isArray(values)) throw invalid('arguments', values, `a list, as ${name} is called`);
    const output = await methodOf(await opening, name)(...(values as unknown[]));
    return { type: `session.done.${name}`, output, request } as SessionAnswer;
  } catch (error) {
    return { type: `session.failed.${name}`, error, request } as SessionAnswer;
  }
}

function methodOf(session: Session, name: SessionMethod): (...values: unknown[]) => unknown {
  if (!Object.hasOwn(methods, name))
    throw fail('OPTION_INVALID', `A session cannot be asked for "session.${name}"`, {
      option: 'method',
      value: name,
    });
  const [first, second] = name.split('.') as ['goal', 'set'?];
  const part: unknown = second === undefined ? session[first] : session[first][second];
  return part as (...values: unknown[]) => unknown;
}
