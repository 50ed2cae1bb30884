import { setTimeout as sleep } from 'node:timers/promises';
import { attempts, unknownWindow } from '../attempts.ts';
import { flameCommand, windowLine } from './flame-command.ts';
import type { PiCommand, PiContext, PiEvent, PiHost, PiMessage } from './host.ts';
import { piContext, piMemory, toldMoment, type PiMemory, type PiMoment } from './memory.ts';
import { followInPi } from './issues.ts';
import { guests, isWritten, writtenMessages } from './pi-list.ts';
import { storePlace } from './place.ts';
import { fitTools, piTools } from './session-tools.ts';

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
    let memory: PiMemory | null = null;

    const memoryOf = (context: PiContext): PiMemory =>
      (memory ??= piMemory(
        storePlace(context, options.store),
        `pi-${context.sessionManager.getSessionId()}`,
      ));

    const moment = (context: PiContext, more: Pick<PiMoment, 'changed'> = {}) => {
      const active = new Set(pi.getActiveTools());
      return toldMoment({
        written: writtenMessages(context.sessionManager.getBranch()),
        window: context.model?.contextWindow ?? unknownWindow,
        system: context.getSystemPrompt(),
        folder: context.cwd,
        tools: pi
          .getAllTools()
          .filter(({ name }) => active.has(name))
          .map(({ name, description, parameters }) => ({ name, description, parameters })),
        ...more,
      });
    };

    const attempt = attempts();
    const trying = <T>(context: PiContext, work: () => Promise<T>): Promise<T | undefined> =>
      attempt(work, (reason) =>
        context.ui.notify(`Flamestack: ${reason} pi goes on by itself.`, 'warning'),
      );

    const on = <Result>(
      event: string,
      handler: (event: PiEvent, context: PiContext) => Promise<Result>,
    ): void => {
      const tried = (payload: PiEvent, context: PiContext) =>
        trying(context, () => handler(payload, context));
      pi.on(event, tried as never);
    };

    on('session_start', async (_, { model }) => {
      if (model !== undefined) fitTools(pi, model.contextWindow);
    });
    on('model_select', async ({ model }) => {
      fitTools(pi, Number(Object(model).contextWindow));
    });

    on('context', async (event, context) => {
      if (context.model === undefined) return undefined;
      const live = event['messages'] as readonly PiMessage[];
      await untilWritten(context, live);
      const written = writtenMessages(context.sessionManager.getBranch());
      const { before, after, changed } = guests(live, written);
      const messages = await piContext(memoryOf(context), () => moment(context, { changed }));
      return { messages: [...before, ...messages, ...after] };
    });

    on('agent_end', async (_, context) => {
      if (context.model === undefined) return;
      const state = await memoryOf(context).record(() => moment(context));
      context.ui.setStatus('flamestack', windowLine(state));
    });

    on('session_before_compact', async (event, context) => {
      const preparation = event['preparation'] as {
        firstKeptEntryId: string;
        tokensBefore: number;
      };
      const focus = event['customInstructions'];
      const summary = await memoryOf(context).compact(
        () => moment(context),
        typeof focus === 'string' && focus !== '' ? focus : undefined,
      );
      const { firstKeptEntryId, tokensBefore } = preparation;
      return {
        compaction: { summary, firstKeptEntryId, tokensBefore, details: { by: 'flamestack' } },
      };
    });

    on('session_shutdown', async (_, context) => {
      if (memory === null) return;
      if (context.model !== undefined) await memory.record(() => moment(context));
      await memory.close();
      memory = null;
    });

    const tools = piTools((context, work, waits) =>
      memoryOf(context)[waits ? 'during' : 'with'](() => moment(context), work),
    );
    for (const tool of tools) pi.registerTool(tool as never);

    const flame: PiCommand = {
      description: 'Window, frames and goal of this session; recall, push, pop, goal, compress',
      async handler(typed, context) {
        await trying(context, async () => {
          const text = await memoryOf(context).with(
            () => moment(context),
            (session) => flameCommand(session, typed),
          );
          context.ui.notify(text, 'info');
        });
      },
    };
    pi.registerCommand('flame', flame as never);
    if (options.issues !== false) followInPi(pi);
  };
}

/** Waits until pi has written what its agent has; what others put into the list never is. */
async function untilWritten(context: PiContext, live: readonly PiMessage[]): Promise<void> {
  for (let waited = 0; waited < patience.whole; waited += patience.look) {
    if (isWritten(live, writtenMessages(context.sessionManager.getBranch()))) return;
    await sleep(patience.look);
  }
}
