import { setTimeout } from 'node:timers/promises';
import { EngineError, isEngineError, type Store } from '../../index.ts';
import { documentsFolder, storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { toldWindow } from '../command-line/window.ts';
import { cleanLine } from '../paper/clean.ts';
import { many } from '../paper/size.ts';
import { withMadeStore } from '../sessions/store/made-store.ts';
import { commandAtQuestion } from './commands/at-question.ts';
import { commandWords, isCommand } from './commands/slash-commands.ts';
import type { ChatOptions } from './conversation/chat-options.ts';
import { toolsFor, usableTools, wantedTools, withoutTools } from './conversation/chat-tools.ts';
import type { Chat } from './conversation/chat.ts';
import { measurePrompt } from './conversation/opening/check-room.ts';
import { consentOf } from './conversation/consent.ts';
import { findModel, type FoundModel } from './conversation/opening/find-model.ts';
import { openSession } from './conversation/opening/open-session.ts';
import {
  sessionToResume,
  whereText,
  type ResumedSession,
  resumeLine,
} from './conversation/opening/resume-session.ts';
import { script } from './conversation/script.ts';
import { startServers } from './mcp/start-servers.ts';
import { tellOfTools } from './conversation/system-prompt.ts';
import { watch } from './conversation/watch.ts';
import { tellDocuments } from './tell-documents.ts';
import { loop } from './loop.ts';
import { serverOf, type Server } from './model/server.ts';
import type { Teller } from './output/chat-event.ts';
import { jsonTeller } from './output/json-teller.ts';
import { plainTeller } from './output/plain-teller.ts';
import { terminalTeller } from './output/terminal-teller.ts';
import type { Person } from './terminal/person.ts';
import { terminal } from './terminal/terminal.ts';
import type { McpServer } from './mcp/mcp-server.ts';
import { toolsWithRoom } from './mcp/mcp-tools.ts';
import { ownToolsIn } from './tools/own-tools.ts';

/** How long a summary may take, in milliseconds: a small machine reads slowly. */
const patience = 300_000;

/**
 * How long a chat that ends waits for what is still being written, in milliseconds: a document is
 * done by then, and a summary is asked for again when the session is next opened.
 */
const lastWait = 500;

/** Talks with a model in a session that goes on for ever; gives the exit code. Of a chat that was refused no store is left. */
export async function chat(
  said: string | undefined,
  flags: ChatOptions,
  call: CommandCall,
): Promise<number> {
  const options = { ...flags, freshWindow: toldWindow(call.io.env) };
  const server = serverOf(options, call.io.env);
  const kept = {
    location: storeFolder(call),
    documents: documentsFolder(call),
    effects: { timeout: patience },
  };
  return withMadeStore(kept, call, (store) => chatIn(store, { said, options, server }, call));
}

async function chatIn(
  store: Store,
  { said, options, server }: { said: string | undefined; options: ChatOptions; server: Server },
  call: CommandCall,
): Promise<number> {
  const { signal, env } = call.io;
  const teller = tellerOf(call, options);
  let person: Person | null = null;
  let begun: Chat | null = null;
  let servers: readonly McpServer[] = [];
  try {
    const past = options.new === true ? null : await sessionToResume(store, said);
    person = isAtTerminal(call)
      ? terminal(call, {
          history: past?.history ?? [],
          words: commandWords,
          isCommand,
          commands: (line) => commandAtQuestion(line, { call, teller, chat: begun }),
        })
      : script(call, { once: options.once === true });
    const modelCandidates = [options.model, env['FLAMESTACK_MODEL'], past?.model];
    const isAsked = modelCandidates.slice(0, 2).some(Boolean);
    const met = await findModel({ server, person, call }, modelCandidates).catch(
      (error: unknown) => {
        throw isAsked || past === null ? error : withoutLast(error, past);
      },
    );
    // A script that says nothing leaves nothing.
    if (past === null && !(await person.isReady())) return exits.done;
    if (options.mcp !== undefined)
      servers = await startServers(options.mcp, { io: call.io, person, teller });
    const session = await openSession(store, {
      said,
      options,
      past,
      met,
      servers,
      kind: server.kind,
    });
    const place = { call, session, server, person, teller };
    const held = { options, past, met, servers };
    begun = await chatOf(place, held);
    const isDone = await holdChat(begun, held);
    if (signal.aborted) return signal.reason as number;
    return isDone ? exits.done : exits.failed;
  } catch (error) {
    if (signal.aborted) return signal.reason as number;
    if (person?.hasQuit === true) return exits.done;
    if (error instanceof Error && error.name === 'AbortError') return exits.interrupted;
    throw error;
  } finally {
    person?.close();
    await Promise.all(servers.map((one) => one.close()));
  }
}

/** An error that says of a model that is missing why it was asked for: it answered last. */
function withoutLast(error: unknown, { session }: ResumedSession): unknown {
  if (!isEngineError(error, 'MODEL_NOT_FOUND')) return error;
  const why = `which answered last in session "${cleanLine(session.id)}"; none was named`;
  return new EngineError(error.code, `${error.message}, ${why}`, {
    detail: error.detail,
    cause: error,
  });
}

/** Whether somebody types and sees: keys go to the line editor then. */
function isAtTerminal({ io, json }: CommandCall): boolean {
  return io.stdin.isTTY === true && io.stdout.isTTY === true && !json;
}

/** Who talks, to whom, and where. */
type ChatSetup = Pick<Chat, 'call' | 'session' | 'server' | 'person' | 'teller'>;

interface ChatParts {
  readonly options: ChatOptions;
  readonly past: ResumedSession | null;
  readonly met: FoundModel;
  readonly servers: readonly McpServer[];
}

/** Talks until the person leaves; false where a turn or a command of a script went wrong. */
async function holdChat(one: Chat, held: ChatParts): Promise<boolean> {
  const { session, teller } = one;
  const off = watch(one);
  try {
    greet(one, held);
    const documents = documentsFolder(one.call);
    if (documents !== false) await tellDocuments(documents, one);
    if (held.past !== null) await tellOfTools(one);
    await measurePrompt(one);
    return await loop(one);
  } finally {
    await Promise.race([
      session.settled().catch(() => undefined),
      setTimeout(lastWait, undefined, { ref: false }),
    ]);
    off();
    const resume = resumeLine(session.id, held.options, one.call);
    teller.tell({ type: 'left', session: session.id, resume });
    await session.close();
  }
}

async function chatOf(place: ChatSetup, { options, met, servers }: ChatParts): Promise<Chat> {
  const { call, session, person, teller } = place;
  const { model, facts } = met;
  const wanted = wantedTools(options, servers);
  const documents = documentsFolder(call);
  const kept = [storeFolder(call), ...(documents === false ? [] : [documents])];
  const tools = await toolsFor(session, wanted, kept);
  const { own } = usableTools(wanted, facts);
  const always = new Set<string>();
  return {
    ...place,
    tools,
    own: wanted.own,
    consent: consentOf({ person, teller, call, always }, { yes: options.yes === true }),
    always,
    now: {
      model,
      hasTools: tools.size > 0 && facts.tools !== false,
      own: ownToolsIn(own, session.state.budget.window),
      isWindowChecked: false,
      isUsageTold: false,
    },
    summarizer: options.summarizer ?? 'embedded',
    think: options.think === true ? true : undefined,
  };
}

const withoutEnd = {
  unanswered: 'The last message has no answer',
  broken: 'The last answer broke off',
} as const;

/** Says what is gone on with, and with whom. */
function greet({ session, teller, call, tools, person }: Chat, { past, met }: ChatParts): void {
  const { model, facts } = met;
  teller.tell({
    type: 'session',
    session: session.id,
    isNew: past === null,
    model: model.name,
    server: model.server,
    window: session.state.budget.window,
    where: past === null ? '' : whereText(past, Date.now(), call.paper().glyphs),
    last: past?.last ?? [],
  });
  if (past !== null && past.end !== 'answered' && person.isThere)
    teller.tell({ type: 'note', text: `${withoutEnd[past.end]}; /retry asks again.` });
  if (tools.size > 0 && facts.tools === false)
    teller.tell({ type: 'note', text: withoutTools(model.name) });
  const all = [...tools.values()];
  const droppedCount = all.length - toolsWithRoom(all, session.state.budget.window).length;
  if (droppedCount > 0)
    teller.tell({
      type: 'warning',
      text: `The window has no room for ${many(droppedCount, 'tool')} of servers; /tools says which.`,
    });
}

function tellerOf(call: CommandCall, options: ChatOptions): Teller {
  if (call.json) return jsonTeller(call);
  return isAtTerminal(call)
    ? terminalTeller(call, { think: options.think === true })
    : plainTeller(call);
}
