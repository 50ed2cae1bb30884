import { setTimeout as sleep } from 'node:timers/promises';
import { attempts, unknownWindow } from '../attempts.ts';
import { flameCommand, windowLine } from './flame-command.ts';
import type { PiCommand, PiContext, PiEvent, PiHost, PiMessage } from './host.ts';
import { piContext, piMemory, toldMoment, type PiMemory, type PiMoment } from './memory.ts';
import { followInPi } from './issues.ts';
import { guests, isWritten, writtenMessages } from './pi-list.ts';
import { storePlace } from './place.ts';
import { fitTools, piTools, type WithSession } from './session-tools.ts';

/** How Flamestack works in pi. */
export interface PiOptions {
  /** The folder of the store; the project's `.flamestack` where there is one, else `flamestack` in pi's own folder. */
  readonly store?: string;
  /** Whether the issues of beads are followed in projects that have them; true unless told. */
  readonly issues?: boolean;
}

/** How long pi may take to write what its agent has, in milliseconds, and between two looks. */
const patience = { whole: 300, look: 5 };

/**
 * The engine as an extension of pi: it keeps all of a session, sends what fits the model's window in place of pi's own
 * list, and compacts without a model. Where it cannot, it says so and pi goes on by itself.
 */
export function flamestackExtension(options: PiOptions = {}): (pi: PiHost) => void {
  return (pi) => {
    const kept = new PiSession(pi, options.store);
    const attempt = attempts();
    const trying = <T>(context: PiContext, work: () => Promise<T>): Promise<T | undefined> =>
      attempt(work, (reason) =>
        context.ui.notify(`Flamestack: ${reason} pi goes on by itself.`, 'warning'),
      );
    const on = (
      event: string,
      handler: (event: PiEvent, context: PiContext) => Promise<unknown>,
    ) => {
      const tried = (payload: PiEvent, context: PiContext) =>
        trying(context, () => handler(payload, context));
      pi.on(event, tried as never);
    };

    on('session_start', async (_, { model }) => {
      if (model !== undefined) fitTools(pi, model.contextWindow);
    });
    on('model_select', async ({ model }) => fitTools(pi, Number(Object(model).contextWindow)));
    on('context', (event, context) => kept.context(event, context));
    on('agent_end', (_, context) => kept.record(context));
    on('session_before_compact', (event, context) => kept.compact(event, context));
    on('session_shutdown', (_, context) => kept.close(context));

    for (const tool of piTools(kept.give)) pi.registerTool(tool as never);
    const flame: PiCommand = {
      description: 'Window, frames and goal of this session; recall, push, pop, goal, compress',
      handler: (typed, context) =>
        trying(context, async () => {
          const text = await kept.give(context, (session) => flameCommand(session, typed), false);
          context.ui.notify(text, 'info');
        }),
    };
    pi.registerCommand('flame', flame as never);
    if (options.issues !== false) followInPi(pi);
  };
}

/** The session of pi, with the memory of it once that is needed. */
class PiSession {
  readonly #pi: PiHost;
  readonly #store: string | undefined;
  #memory: PiMemory | null = null;

  constructor(pi: PiHost, store: string | undefined) {
    this.#pi = pi;
    this.#store = store;
  }

  /** What to send to the model in place of pi's own list. */
  async context(event: PiEvent, context: PiContext) {
    if (context.model === undefined) return undefined;
    const live = event['messages'] as readonly PiMessage[];
    await untilWritten(context, live);
    const written = writtenMessages(context.sessionManager.getBranch());
    const { before, after, changed } = guests(live, written);
    const ask = () => this.#moment(context, { changed });
    const messages = await piContext(this.#memoryOf(context), ask);
    return { messages: [...before, ...messages, ...after] };
  }

  async record(context: PiContext): Promise<void> {
    if (context.model === undefined) return;
    const state = await this.#memoryOf(context).record(() => this.#moment(context));
    context.ui.setStatus('flamestack', windowLine(state));
  }

  async compact(event: PiEvent, context: PiContext) {
    const { firstKeptEntryId, tokensBefore } = Object(event['preparation']);
    const said = event['customInstructions'];
    const focus = typeof said === 'string' && said !== '' ? said : undefined;
    const summary = await this.#memoryOf(context).compact(() => this.#moment(context), focus);
    const details = { by: 'flamestack' };
    return { compaction: { summary, firstKeptEntryId, tokensBefore, details } };
  }

  readonly give: WithSession = (context, work, waits) =>
    this.#memoryOf(context)[waits ? 'during' : 'with'](() => this.#moment(context), work);

  async close(context: PiContext): Promise<void> {
    if (this.#memory === null) return;
    if (context.model !== undefined) await this.#memory.record(() => this.#moment(context));
    await this.#memory.close();
    this.#memory = null;
  }

  #memoryOf(context: PiContext): PiMemory {
    return (this.#memory ??= piMemory(
      storePlace(context, this.#store),
      `pi-${context.sessionManager.getSessionId()}`,
    ));
  }

  #moment(context: PiContext, more: Pick<PiMoment, 'changed'> = {}) {
    const active = new Set(this.#pi.getActiveTools());
    return toldMoment({
      written: writtenMessages(context.sessionManager.getBranch()),
      window: context.model?.contextWindow ?? unknownWindow,
      system: context.getSystemPrompt(),
      folder: context.cwd,
      tools: this.#pi
        .getAllTools()
        .filter(({ name }) => active.has(name))
        .map(({ name, description, parameters }) => ({ name, description, parameters })),
      ...more,
    });
  }
}

/** Waits until pi has written what its agent has; what others put into the list never is. */
async function untilWritten(context: PiContext, live: readonly PiMessage[]): Promise<void> {
  for (let waited = 0; waited < patience.whole; waited += patience.look) {
    if (isWritten(live, writtenMessages(context.sessionManager.getBranch()))) return;
    await sleep(patience.look);
  }
}
