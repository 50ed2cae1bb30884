import {
  EngineError,
  isEngineError,
  type ChatModel,
  type ModelFacts,
  type Session,
  type SessionOptions,
  type Store,
} from '../../index.ts';
import { quote, storeArgument, storeFolder, type Call } from '../call.ts';
import type { Chat } from '../chat/chat.ts';
import { chooseModel } from '../chat/choose-model.ts';
import { commandWords } from '../chat/command.ts';
import { consentOf } from '../chat/consent.ts';
import { download } from '../chat/download.ts';
import type { Teller } from '../chat/event.ts';
import { fittingWindow } from '../chat/fitting-window.ts';
import { jsonTeller } from '../chat/json-teller.ts';
import { loop } from '../chat/loop.ts';
import { newId, pastOf, whereText, type Past } from '../chat/past.ts';
import type { Person } from '../chat/person.ts';
import { plainTeller } from '../chat/plain-teller.ts';
import { script } from '../chat/script.ts';
import { serverOf, type Server, type ServerOptions } from '../chat/server.ts';
import { standingOf } from '../chat/standing.ts';
import { defaultSystem, systemText, tellOfFrames, withFrames } from '../chat/system.ts';
import { withoutTools } from '../chat/tools-of.ts';
import { terminal } from '../chat/terminal.ts';
import { terminalTeller } from '../chat/terminal-teller.ts';
import { toolsFor } from '../chat/tools.ts';
import { exits } from '../exit.ts';
import { openPatiently } from '../store.ts';

/** Options of `chat` alone. */
export interface ChatOptions extends ServerOptions {
  readonly model?: string | undefined;
  readonly window?: number | undefined;
  readonly system?: string | undefined;
  readonly summarizer?: 'model' | 'embedded' | undefined;
  readonly tools?: readonly ('files' | 'shell')[] | undefined;
  readonly yes?: boolean | undefined;
  readonly frames?: boolean | undefined;
  readonly think?: boolean | undefined;
  readonly new?: boolean | undefined;
  readonly once?: boolean | undefined;
}

/** One call of `chat`. */
interface Given {
  readonly said: string | undefined;
  readonly options: ChatOptions;
  readonly call: Call;
}

/** A model that answers, and what is known of it. */
interface Met {
  readonly model: ChatModel;
  readonly facts: ModelFacts;
}

/** Talks with a model in a session that goes on for ever; gives the exit code. */
export async function chat(
  said: string | undefined,
  options: ChatOptions,
  call: Call,
): Promise<number> {
  const given: Given = { said, options, call };
  const { signal } = call.io;
  const server = await serverOf(options, call.io.env);
  const store = await openPatiently(storeFolder(call), { signal });
  let person: Person | null = null;
  try {
    const past = options.new === true ? null : await pastOf(store, said);
    person = isAtTerminal(call)
      ? terminal(call, { history: past?.history ?? [], words: commandWords })
      : script(call, { once: options.once === true });
    const met = await meet({ server, person, call }, { options, past });
    const session = await open(store, { given, past, met, server });
    const isDone = await hold(given, { store, session, server, person, past, met });
    if (signal.aborted) return signal.reason as number;
    return isDone ? exits.done : exits.failed;
  } catch (error) {
    if (signal.aborted) return signal.reason as number;
    if (error instanceof Error && error.name === 'AbortError') return exits.interrupted;
    throw error;
  } finally {
    person?.close();
    await store.close();
  }
}

/** Whether somebody types and sees: keys go to the line editor then. */
function isAtTerminal({ io, json }: Call): boolean {
  return io.stdin.isTTY === true && io.stdout.isTTY === true && !json;
}

/** Finds the model, and offers to have it downloaded where it is missing. */
async function meet(
  place: Pick<Chat, 'server' | 'person' | 'call'>,
  { options, past }: { options: ChatOptions; past: Past | null },
): Promise<Met> {
  const { server, person, call } = place;
  const known = [options.model, call.io.env['FLAMESTACK_MODEL'], past?.model];
  return person.during(async (signal) => {
    const name = await chooseModel(server, known, signal);
    const model = server.model(name);
    const facts = await model.facts({ signal }).catch(async (error: unknown) => {
      const isMissing = isEngineError(error, 'MODEL_NOT_FOUND');
      if (!isMissing || !(await download(place, name))) throw error;
      return model.facts({ signal });
    });
    return { model, facts };
  });
}

/** The session of before with what is told anew, or a new one. */
async function open(
  store: Store,
  { given, past, met, server }: { given: Given; past: Past | null; met: Met; server: Server },
): Promise<Session> {
  const { options, said, call } = given;
  const { model, facts } = met;
  const { window, system, summarizer = 'model' } = options;
  const hasFrames = options.frames !== false && facts.tools !== false;
  const common: SessionOptions = {
    model: model.name,
    ...(facts.size === null ? {} : { modelSize: facts.size }),
    summarizer: summarizer === 'model' ? model.summarizer() : 'embedded',
    ...(window === undefined ? {} : { window }),
    ...(system === undefined ? {} : { system: withFrames(await systemText(system), hasFrames) }),
  };
  if (past !== null) {
    await past.session.configure(common);
    return past.session;
  }
  const id = said ?? (await newId(store, new Date()));
  if (options.new === true && said !== undefined) await refuseTaken(store, said, call);
  return store.open(id, {
    window: fittingWindow(facts, server.kind),
    system: withFrames(defaultSystem, hasFrames),
    ...common,
  });
}

async function refuseTaken(store: Store, id: string, call: Call): Promise<void> {
  for await (const session of store.sessions({ prefix: id }))
    if (session.id === id)
      throw new EngineError('OPTION_INVALID', `There is a session "${id}" already`, {
        detail: { option: 'new', value: id, store: storeFolder(call) },
      });
}

interface Held extends Pick<Chat, 'store' | 'session' | 'server' | 'person'> {
  readonly past: Past | null;
  readonly met: Met;
}

/** Talks until the person leaves; false where a script's turn went wrong. */
async function hold({ options, call }: Given, held: Held): Promise<boolean> {
  const { store, session, server, person, past, met } = held;
  const { model, facts } = met;
  const teller = tellerOf(call, person, options);
  const wants = (name: 'files' | 'shell'): boolean => options.tools?.includes(name) === true;
  const tools = await toolsFor(session, {
    frames: options.frames !== false,
    files: wants('files'),
    shell: wants('shell'),
  });
  const one: Chat = {
    call,
    store,
    session,
    server,
    person,
    teller,
    tools,
    consent: consentOf({ person, teller, call }, { yes: options.yes === true }),
    now: { model, hasTools: tools.size > 0 && facts.tools !== false, isWindowChecked: false },
    summarizer: options.summarizer ?? 'model',
    think: options.think === true ? true : undefined,
  };
  const { budget } = session.state;
  teller.tell({
    type: 'session',
    session: session.id,
    isNew: past === null,
    model: model.name,
    server: model.server,
    window: budget.window,
    where: past === null ? '' : whereText(past, Date.now(), call.paper().glyphs),
  });
  if (tools.size > 0 && facts.tools === false)
    teller.tell({ type: 'note', text: withoutTools(model.name) });
  const off = session.on('compression.finished', ({ before, after, facts, kept, by }) =>
    person.interject((isWriting) => {
      teller.tell({ type: 'compressed', before, after, facts, kept, by });
      if (isWriting) teller.tell({ type: 'prompt', standing: standingOf(session) });
    }),
  );
  try {
    if (past !== null) await tellOfFrames(one);
    return await loop(one);
  } finally {
    off();
    const resume = `flamestack chat ${quote(session.id)}${storeArgument(call)}`;
    teller.tell({ type: 'left', session: session.id, resume });
    await session.close();
  }
}

function tellerOf(call: Call, person: Person, options: ChatOptions): Teller {
  if (call.json) return jsonTeller(call);
  return person.isThere
    ? terminalTeller(call, { think: options.think === true })
    : plainTeller(call);
}
