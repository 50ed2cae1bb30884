import { EngineError, type Session, type SessionOptions, type Store } from '../../index.ts';
import { fittingWindow } from './fitting-window.ts';
import type { Met } from './meet.ts';
import type { ChatOptions } from './options.ts';
import { newId, type Past } from './past.ts';
import type { Server } from './server.ts';
import { defaultSystem, systemText, withFrames } from './system.ts';

/** Share of the window that is kept for the answer of a model that thinks first: what it thinks counts, too. */
const thinkingShare = 0.3;

/** What a session is opened with. */
export interface OpenGiven {
  /** The name that was said, if any. */
  readonly said: string | undefined;
  readonly options: ChatOptions;
  readonly past: Past | null;
  readonly met: Met;
  readonly kind: Server['kind'];
}

/** The session of before with what is told anew, or a new one. */
export async function openSession(
  store: Store,
  { said, options, past, met, kind }: OpenGiven,
): Promise<Session> {
  const { model, facts } = met;
  const { window, system, summarizer = 'model' } = options;
  const hasFrames = options.frames !== false && facts.tools !== false;
  const common: SessionOptions = {
    model: model.name,
    ...(facts.size === null ? {} : { modelSize: facts.size }),
    recovery: 'confirm',
    summarizer: summarizer === 'model' ? model.summarizer() : 'embedded',
    ...(window === undefined ? {} : { window }),
    ...(system === undefined ? {} : { system: withFrames(await systemText(system), hasFrames) }),
  };
  if (past !== null) {
    await past.session.configure(common);
    return past.session;
  }
  const id = said ?? (await newId(store, new Date()));
  if (options.new === true && said !== undefined) await refuseTaken(store, said);
  const size = window ?? fittingWindow(facts, kind);
  return store.open(id, {
    system: withFrames(defaultSystem, hasFrames),
    ...common,
    window: size,
    ...(facts.thinking === true ? { reserve: Math.floor(size * thinkingShare) } : {}),
  });
}

async function refuseTaken(store: Store, id: string): Promise<void> {
  for await (const session of store.sessions({ prefix: id }))
    if (session.id === id)
      throw new EngineError('OPTION_INVALID', `There is a session "${id}" already`, {
        detail: { option: 'new', value: id },
      });
}
