import type { Model, ModelRequest, StreamEvent } from '@openai/agents';
import type { Assembly, Session } from '../../index.ts';
import { lateMessages } from '../late-messages.ts';
import { fromAnswer, fromItems } from './from-items.ts';
import { toItems } from './to-items.ts';
import { usageIn } from './usage.ts';

// A runner asks its model with all that was said, and the model is where the session takes over: what
// is new is appended, the assembly is asked instead, and the answer is in the log before its tools run.

/** Times that a request is made again since it was too long. */
const mostRetries = 2;

/** A model that is recorded in a session. */
export function recordedModel(session: Session, model: Model): Model {
  return {
    ...(model.supportsPromptModelSelection === true && { supportsPromptModelSelection: true }),
    getRetryAdvice: (args) => model.getRetryAdvice?.(args),
    async getResponse(given) {
      for (let retries = 0; ; retries += 1) {
        const { assembly, request } = await prepare(session, given);
        const response = await model.getResponse(request).catch(async (error: unknown) => {
          if (await isTooLong(session, { assembly, error, retries, given })) return null;
          throw error;
        });
        if (response === null) continue;
        await append(session, { assembly, response });
        return response;
      }
    },
    async *getStreamedResponse(given) {
      for (let retries = 0; ; retries += 1) {
        const { assembly, request } = await prepare(session, given);
        const heard: Heard = { text: '', isWhole: false };
        try {
          for await (const event of model.getStreamedResponse(request)) {
            // Some clients end a stream that is stopped as if that were all of it.
            if (event.type === 'response_done' && given.signal?.aborted === true) return;
            await hear(event, { heard, session, assembly });
            yield event;
          }
          return;
        } catch (error) {
          if (heard.isWhole || heard.text !== '') throw error;
          if (!(await isTooLong(session, { assembly, error, retries, given }))) throw error;
        } finally {
          if (!heard.isWhole && heard.text !== '')
            await session.append({ role: 'assistant', content: heard.text, finish: 'aborted' });
        }
      }
    },
  };
}

/** Appends what is new in a request, and makes it of an assembly. */
async function prepare(
  session: Session,
  given: ModelRequest,
): Promise<{ readonly assembly: Assembly; readonly request: ModelRequest }> {
  const { systemInstructions: told = '', input, signal, tools, handoffs } = given;
  if (told !== '') await session.configure({ system: told });
  const fresh = await lateMessages(session, fromItems(input));
  if (fresh.length > 0) await session.append(fresh);
  const schemas = [...tools, ...handoffs];
  const assembly = await session.assemble({ tools: schemas, ...(signal && { signal }) });
  const { system, input: items } = toItems(assembly);
  const { previousResponseId: _, conversationId: __, ...rest } = given;
  return {
    assembly,
    request: { ...rest, input: items, ...(system !== '' && { systemInstructions: system }) },
  };
}

/** Reports that a request failed; whether it may be made again, shorter. */
async function isTooLong(
  session: Session,
  failed: {
    readonly assembly: Assembly;
    readonly error: unknown;
    readonly retries: number;
    readonly given: ModelRequest;
  },
): Promise<boolean> {
  const { assembly, error, retries, given } = failed;
  if (given.signal?.aborted === true) return false;
  const { truncation } = await session.report({ assembly: assembly.id, error });
  return truncation === 'certain' && retries < mostRetries;
}

async function append(
  session: Session,
  { assembly, response }: { readonly assembly: Assembly; readonly response: Response },
): Promise<void> {
  const { output, usage, providerData = {} } = response;
  const { status, incomplete_details: details } = providerData;
  const finish = (details as { reason?: unknown } | null | undefined)?.reason ?? status;
  const message = { ...fromAnswer(output), ...(typeof finish === 'string' && { finish }) };
  await session.append(message, { assembly: assembly.id, usage: usageIn(usage) });
}

/** A whole answer, streamed or not. */
interface Response {
  readonly output: readonly object[];
  readonly usage: object;
  readonly providerData?: Readonly<Record<string, unknown>> | undefined;
}

/** What was heard of a stream so far. */
interface Heard {
  text: string;
  isWhole: boolean;
}

async function hear(
  event: StreamEvent,
  given: { readonly heard: Heard; readonly session: Session; readonly assembly: Assembly },
): Promise<void> {
  const { heard, session, assembly } = given;
  if (event.type === 'output_text_delta') heard.text += event.delta;
  if (event.type !== 'response_done') return;
  heard.isWhole = true;
  await append(session, { assembly, response: event.response });
}
