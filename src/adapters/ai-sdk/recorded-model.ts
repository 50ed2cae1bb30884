import type { Assembly, Message, Session } from '../../index.ts';
import { askRecorded, record, type OnFault } from '../recorded-call.ts';
import { countedBy, messagesOf, newHearing } from './answer.ts';
import type { AnswerPart, CallParams, Generated, Model, Streamed } from './model.ts';
import { listOf, toPrompt } from './prompt.ts';

// What the SDK asks of a model goes through here, and nothing else does. So each step of a loop gets a prompt that
// fits, whatever the SDK does with the messages of its own, and a call is in the log before its tool runs.

/** What calls of a model are recorded in, and how they are sent. */
export interface Recording {
  readonly session: Session;
  /** Whether a prompt has breakpoints of Anthropic's cache. */
  readonly cacheControl: boolean;
  readonly onFault: OnFault;
}

/** Prompts that were made here: a model that is recorded twice is recorded once. */
const ownPrompts = new WeakSet<object>();

/** Whether a call is one that is recorded already. */
const isOwn = ({ prompt }: CallParams): boolean => ownPrompts.has(prompt);

/** Asks for a whole answer, which is in the log before it is given. */
export async function generate(
  recording: Recording,
  model: Model,
  params: CallParams,
): Promise<Generated> {
  if (isOwn(params)) return model.doGenerate(params);
  const { assembly, answer } = await send(recording, { model, params }, (own) =>
    model.doGenerate(own),
  );
  await append(recording, { assembly, answer });
  return answer;
}

/** Asks for an answer in parts. Its calls come last, when they are in the log; what was heard of a broken one is kept. */
export async function stream(
  recording: Recording,
  model: Model,
  params: CallParams,
): Promise<Streamed> {
  if (isOwn(params)) return model.doStream(params);
  const { assembly, answer } = await send(recording, { model, params }, (own) =>
    model.doStream(own),
  );
  return { ...answer, stream: recorded(answer.stream, { recording, assembly, params }) };
}

/** Sends the assembly in place of a prompt. */
function send<Answer>(
  { session, cacheControl, onFault }: Recording,
  { model, params }: { readonly model: Model; readonly params: CallParams },
  ask: (params: CallParams) => PromiseLike<Answer>,
): Promise<{ readonly assembly: string | undefined; readonly answer: Answer }> {
  const call = {
    list: () => listOf(params.prompt),
    tools: params.tools ?? [],
    signal: params.abortSignal,
    own: params,
    toRequest: (assembly: Assembly): CallParams => {
      const prompt = toPrompt(assembly, { model, params, cacheControl });
      ownPrompts.add(prompt);
      const { reserve } = assembly.budget;
      const most = params.maxOutputTokens ?? (reserve > 0 ? reserve : undefined);
      return { ...params, prompt, ...(most !== undefined && { maxOutputTokens: most }) };
    },
    ask,
  };
  return askRecorded(session, call, onFault);
}

function append(
  { session, onFault }: Recording,
  { assembly, answer }: { readonly assembly: string | undefined; readonly answer: Generated },
): Promise<void> {
  const usage = countedBy(answer.usage ?? {});
  return record(session, { messages: () => messagesOf(answer), assembly, usage, onFault });
}

/** A stream whose answer is appended when it ends, however it ends. */
function recorded(
  source: ReadableStream<AnswerPart>,
  {
    recording,
    assembly,
    params,
  }: {
    readonly recording: Recording;
    readonly assembly: string | undefined;
    readonly params: CallParams;
  },
): ReadableStream<AnswerPart> {
  const reader = source.getReader();
  const hearing = newHearing();
  const held: AnswerPart[] = [];
  const { abortSignal: signal } = params;
  let isOver = false;
  const end = (): boolean => {
    signal?.removeEventListener('abort', breakOff);
    const isFirst = !isOver;
    isOver = true;
    return isFirst;
  };
  const breakOff = (): void => {
    if (end()) void appendHeard(recording, hearing.answer());
  };
  const finish = async (): Promise<void> => {
    if (!end()) return;
    const answer = hearing.answer();
    const isNothing = answer.content.length === 0 && answer.usage === undefined;
    if (!isNothing) await append(recording, { assembly, answer });
  };
  signal?.addEventListener('abort', breakOff);
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          breakOff();
          throw error;
        });
        if (value?.type === 'error' && assembly !== undefined)
          await recording.session.report({ assembly, error: value.error }).catch(recording.onFault);
        if (value !== undefined) hearing.take(value);
        if (!done && isHeld(value)) {
          held.push(value);
          continue;
        }
        if (done || value.type === 'finish') {
          await finish();
          for (const call of held.splice(0)) controller.enqueue(call);
        }
        if (done) controller.close();
        else controller.enqueue(value);
        return;
      }
    },
    async cancel(reason) {
      breakOff();
      await reader.cancel(reason);
    },
  });
}

/** Whether a part waits until the answer is in the log: a call that is to be carried out here. */
const isHeld = ({ type, providerExecuted }: AnswerPart): boolean =>
  type === 'tool-call' && providerExecuted !== true;

/** Appends what was heard of an answer that was broken off: its words. Its calls were never made. */
function appendHeard({ session, onFault }: Recording, { content }: Generated): Promise<void> {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('');
  const message: Message = { role: 'assistant', content: text, finish: 'aborted' };
  return record(session, { messages: () => (text === '' ? [] : [message]), onFault });
}
