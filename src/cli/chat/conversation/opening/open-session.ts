import { EngineError, type Session, type SessionOptions, type Store } from '../../../../index.ts';
import { workPlace } from '../../../sessions/work-place.ts';
import { fittingWindow } from '../../model/fitting-window.ts';
import type { Server } from '../../model/server.ts';
import type { McpServer } from '../../mcp/mcp-server.ts';
import { ownToolsIn, withInstructions } from '../../tools/own-tools.ts';
import type { ChatOptions } from '../chat-options.ts';
import { usableTools, wantedTools } from '../chat-tools.ts';
import { checkRoom, type OptionsFor } from './check-room.ts';
import type { FoundModel } from './find-model.ts';
import { newId, type ResumedSession } from './resume-session.ts';
import { defaultSystem, systemText } from '../system-prompt.ts';

/** Share of the window that is kept for the answer of a model that thinks first: what it thinks counts, too. */
const thinkingShare = 0.3;

/** The model, and the options given. */
interface OpenSessionInput {
  readonly options: ChatOptions;
  readonly met: FoundModel;
  readonly kind: Server['kind'];
}

/** Input of opening a session. */
export interface OpenGiven extends OpenSessionInput {
  /** The name that was said, if any. */
  readonly said: string | undefined;
  readonly past: ResumedSession | null;
  readonly servers: readonly McpServer[];
}

/** The session of before with what is told anew, or a new one. */
export async function openSession(store: Store, input: OpenGiven): Promise<Session> {
  const { said, options, past } = input;
  if (past !== null) {
    await past.session.configure({ ...(await pastOptions(past, input)), ...placeOf(past) });
    return past.session;
  }
  const id = said ?? (await newId(store, new Date()));
  if (options.new === true && said !== undefined) await refuseTaken(store, said);
  const window = newWindow(input);
  const fresh = await newOptions(input);
  const tools = usableTools(wantedTools(options, input.servers), input.met.facts);
  await checkRoom(window, { options: fresh, tools });
  return store.open(id, { ...fresh(window), ...workPlace(), agent });
}

/** The program that the sessions of chats name as theirs. */
const agent = 'flamestack';

/** Where a session of before is worked on now; nothing where it belongs to another program, or to another folder. */
function placeOf({ listed, model }: ResumedSession): SessionOptions {
  const here = workPlace();
  const isOurs = listed.agent === agent || (listed.agent === undefined && model !== null);
  const isHere = listed.folder === undefined || listed.folder === here.folder;
  return isOurs && isHere ? { ...here, agent } : {};
}

/** What a session of before gets: the usual prompt too if it has none and nobody spoke in it yet, as one that was rebuilt from documents. */
async function pastOptions(
  { session: { state } }: ResumedSession,
  input: OpenSessionInput,
): Promise<SessionOptions> {
  const window = input.options.window ?? state.budget.window;
  const isSilent = state.turn === 0 && state.budget.system === 0;
  const usual = isSilent ? { system: promptOf(defaultSystem, input)(window) } : {};
  return { ...usual, ...(await explicitOptions(input))(window) };
}

/** What a session gets that is told, or comes with the model. */
async function explicitOptions(input: OpenSessionInput): Promise<OptionsFor> {
  const { model, facts } = input.met;
  const { window, system, summarizer = 'embedded' } = input.options;
  const prompt = system === undefined ? null : promptOf(await systemText(system), input);
  return (size) => ({
    model: model.name,
    provider: input.kind,
    recovery: 'confirm',
    ...(facts.size === null ? {} : { modelSize: facts.size }),
    summarizer: summarizer === 'model' ? model.summarizer() : 'embedded',
    ...(window === undefined ? {} : { window }),
    ...(prompt === null ? {} : { system: prompt(size) }),
  });
}

/** The window of a new session, in tokens. */
export function newWindow({ options, met, kind }: OpenSessionInput): number {
  return options.window ?? options.freshWindow ?? fittingWindow(met.facts, kind);
}

/** Everything that a new session gets. */
export async function newOptions(input: OpenSessionInput): Promise<OptionsFor> {
  const { facts } = input.met;
  const explicit = await explicitOptions(input);
  const usual = promptOf(defaultSystem, input);
  return (window) => ({
    system: usual(window),
    ...explicit(window),
    window,
    ...(facts.thinking === true ? { reserve: Math.floor(window * thinkingShare) } : {}),
  });
}

/** A system prompt with what a model is told of tools in a window of so many tokens. */
function promptOf(system: string, { options, met }: OpenSessionInput): (window: number) => string {
  const { own } = usableTools(wantedTools(options), met.facts);
  return (window) => withInstructions(system, ownToolsIn(own, window));
}

async function refuseTaken(store: Store, id: string): Promise<void> {
  for await (const session of store.sessions({ prefix: id }))
    if (session.id === id)
      throw new EngineError('OPTION_INVALID', `There is a session "${id}" already`, {
        detail: { option: 'new', value: id },
      });
}
