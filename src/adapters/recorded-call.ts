import type { Assembly, Message, Session, Usage } from '../index.ts';
import { lateMessages } from './late-messages.ts';

// A host asks its model with all that was said. Here the session takes over:
//
//   its list ─► what is new is appended ─► the assembly is asked instead ─► the answer is appended
//                                           ▲ too long: reported ─┘
//
// What goes wrong on our side is no matter of the host's: it is told, and the model is asked as the host meant to.
// What was not recorded then is in the host's list of a later call.

/** Hears what went wrong with the recording of a host, which goes on by itself. */
export type OnFault = (error: unknown) => void;

/** A call of a model that a host makes. */
export interface HostCall<Request, Answer> {
  /** What the host says was said, oldest first. */
  readonly list: () => readonly Message[];
  /** What must be done before, where the session is not as the host wants it. */
  readonly prepare?: () => Promise<void>;
  /** What counts as tools of the prompt. */
  readonly tools: readonly object[];
  readonly signal?: AbortSignal | undefined;
  /** What the host meant to send. */
  readonly own: Request;
  /** What is sent of an assembly. */
  readonly toRequest: (assembly: Assembly) => Request;
  readonly ask: (request: Request) => PromiseLike<Answer>;
}

/** Times that a prompt is sent again since it was too long. */
const mostRetries = 2;

/**
 * Makes a call with an assembly of `session`, which has all that is new by then, and again with a shorter one where it
 * was too long. Rejects with what the call itself rejects with, and where it was aborted.
 */
export async function askRecorded<Request, Answer>(
  session: Session,
  call: HostCall<Request, Answer>,
  onFault: OnFault,
): Promise<{ readonly answer: Answer; readonly assembly: string | undefined }> {
  const { list, tools, own, toRequest, ask } = call;
  const signal = call.signal === undefined ? {} : { signal: call.signal };
  const tried = <T>(work: () => Promise<T>): Promise<T | null> =>
    work().catch((error: unknown) => {
      call.signal?.throwIfAborted();
      onFault(error);
      return null;
    });
  const prepare = async (): Promise<{ readonly id: string; readonly request: Request }> => {
    await call.prepare?.();
    const fresh = await lateMessages(session, list());
    if (fresh.length > 0) await session.append(fresh);
    const assembly = await session.assemble({ tools, ...signal });
    return { id: assembly.id, request: toRequest(assembly) };
  };
  for (let retries = 0; ; retries += 1) {
    const prepared = await tried(prepare);
    if (prepared === null) return { answer: await ask(own), assembly: undefined };
    const { id: assembly, request } = prepared;
    try {
      return { answer: await ask(request), assembly };
    } catch (error) {
      call.signal?.throwIfAborted();
      const judged = await tried(() => session.report({ assembly, error }));
      if (judged?.truncation !== 'certain' || retries === mostRetries) throw error;
    }
  }
}

/** Appends what was said; what goes wrong with that is told. */
export async function record(
  session: Session,
  {
    messages,
    assembly,
    usage = {},
    onFault,
  }: {
    readonly messages: () => readonly Message[] | PromiseLike<readonly Message[]>;
    /** The assembly that was answered, and what its prompt cost; undefined where it was none of ours. */
    readonly assembly?: string | undefined;
    readonly usage?: Usage;
    readonly onFault: OnFault;
  },
): Promise<void> {
  try {
    const fresh = await messages();
    if (fresh.length > 0)
      await session.append(fresh, assembly === undefined ? {} : { assembly, usage });
  } catch (error) {
    onFault(error);
  }
}

/** A listener that warns of the first fault. */
export function warnedOnce(): OnFault {
  let isTold = false;
  return (error) => {
    // eslint-disable-next-line no-console -- where nobody listens it is said here, wherever it runs
    if (!isTold) console.warn('Flamestack: the recording stopped, and the agent goes on.', error);
    isTold = true;
  };
}
