import type { Model, ModelRequest, StreamEvent } from '@openai/agents';
import type { Assembly, Message, Session } from '../../index.ts';
import { askRecorded, record, type OnFault } from '../recorded-call.ts';
import { fromAnswer, fromItems } from './from-items.ts';
import { toItems } from './to-items.ts';
import { usageIn } from './usage.ts';

/** What calls of a model are recorded in. */
interface Recording {
  readonly session: Session;
  readonly onFault: OnFault;
}

/** A model that is recorded: each answer is in the log before its tools run. */
export function recordedModel(recording: Recording, model: Model): Model {
  return {
    ...(model.supportsPromptModelSelection === true && { supportsPromptModelSelection: true }),
    getRetryAdvice: (args) => model.getRetryAdvice?.(args),
    async getResponse(request) {
      const { answer: response, assembly } = await send(recording, request, (sent) =>
        model.getResponse(sent),
      );
      await append(recording, { assembly, response });
      return response;
    },
    async *getStreamedResponse(request) {
      const { answer: events, assembly } = await send(recording, request, (sent) =>
        begun(model.getStreamedResponse(sent)),
      );
      let heard = '';
      let isWhole = false;
      try {
        for await (const event of events) {
          // Some clients end a stream that is stopped as if that were all of it.
          if (event.type === 'response_done' && request.signal?.aborted === true) return;
          if (event.type === 'output_text_delta') heard += event.delta;
          if (event.type === 'response_done') {
            isWhole = true;
            await append(recording, { assembly, response: event.response });
          }
          yield event;
        }
      } finally {
        if (!isWhole) await appendHeard(recording, heard);
      }
    },
  };
}

/** Sends what an assembly is in place of a request. */
function send<Answer>(
  { session, onFault }: Recording,
  own: ModelRequest,
  ask: (request: ModelRequest) => PromiseLike<Answer>,
): Promise<{ readonly answer: Answer; readonly assembly: string | undefined }> {
  const { systemInstructions: instructions = '', input, signal, tools, handoffs } = own;
  const call = {
    prepare: async () => {
      if (instructions !== '') await session.configure({ system: instructions });
    },
    list: () => fromItems(input),
    tools: [...tools, ...handoffs],
    signal,
    own,
    toRequest: (assembly: Assembly): ModelRequest => {
      const { system, input: items } = toItems(assembly);
      const { previousResponseId: _, conversationId: __, ...rest } = own;
      return { ...rest, input: items, ...(system !== '' && { systemInstructions: system }) };
    },
    ask,
  };
  return askRecorded(session, call, onFault);
}

/** A stream of which something was heard: what is refused before that may be asked again, shorter. */
async function begun(stream: AsyncIterable<StreamEvent>): Promise<AsyncIterable<StreamEvent>> {
  const events = stream[Symbol.asyncIterator]();
  const first: StreamEvent[] = [];
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    first.push(next.value);
    if (!isOpening(next.value)) break;
  }
  return (async function* () {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => events };
  })();
}

/** Whether an event says no more than that the server has the request. */
function isOpening(event: StreamEvent): boolean {
  const { type } = Object(event.type === 'model' ? event.event : {}) as { type?: unknown };
  const isBegin = typeof type === 'string' && /^response\.(created|in_progress|queued)$/.test(type);
  return event.type === 'response_started' || isBegin;
}

function append(
  { session, onFault }: Recording,
  { assembly, response }: { readonly assembly: string | undefined; readonly response: Response },
): Promise<void> {
  const { output, usage, providerData = {} } = response;
  const { status, incomplete_details: details } = providerData;
  const finish = (details as { reason?: unknown } | null | undefined)?.reason ?? status;
  const messages = () => [{ ...fromAnswer(output), ...(typeof finish === 'string' && { finish }) }];
  return record(session, { messages, assembly, usage: usageIn(usage), onFault });
}

/** Appends what was heard of an answer that was broken off. */
function appendHeard({ session, onFault }: Recording, heard: string): Promise<void> {
  const message: Message = { role: 'assistant', content: heard, finish: 'aborted' };
  return record(session, { messages: () => (heard === '' ? [] : [message]), onFault });
}

/** A whole answer, streamed or not. */
interface Response {
  readonly output: readonly object[];
  readonly usage: object;
  readonly providerData?: Readonly<Record<string, unknown>> | undefined;
}
