import type { Assembly, Message, Session } from '../../index.ts';
import { countedBy, messagesOf, newHearing } from './answer.ts';
import type { AnswerPart, CallParams, Generated, Model, Streamed } from './model.ts';
import { newMessages, toPrompt } from './prompt.ts';

// What the SDK asks of a model goes through here, and nothing else does:
//
//   its prompt ─► what is new in it is appended ─► the assembly is asked instead ─► the answer is appended
//                                                   ▲ too long: reported ─┘          │
//                                                   └────────────────────            ▼ then only its calls
//                                                                                       are carried out
//
// So each step of a loop gets a prompt that fits, whatever the SDK does with the messages of its own,
// and a call is in the log before its tool runs.

/** What calls of a model are recorded in, and how they are sent. */
export interface Recording {
  readonly session: Session;
  /** Whether a prompt has breakpoints of Anthropic's cache. */
  readonly cacheControl: boolean;
}

/** Times that a prompt is sent again since it was too long. */
const mostRetries = 2;

/** Prompts that were made here: a model that is recorded twice is recorded once. */
const made = new WeakSet<object>();

/** Whether a call is one that is recorded already. */
const isOwn = ({ prompt }: CallParams): boolean => made.has(prompt);

/** Asks for a whole answer, which is in the log before it is given. */
export async function generate(
  recording: Recording,
  model: Model,
  params: CallParams,
): Promise<Generated> {
  if (isOwn(params)) return model.doGenerate(params);
  const { session } = recording;
  const { assembly, given } = await send(recording, { model, params }, (own) =>
    model.doGenerate(own),
  );
  await append(session, { assembly, answer: given });
  return given;
}

/** Asks for an answer in parts. Its calls come last, when they are in the log; what was heard of a broken one is kept. */
export async function stream(
  recording: Recording,
  model: Model,
  params: CallParams,
): Promise<Streamed> {
  if (isOwn(params)) return model.doStream(params);
  const { session } = recording;
  const { assembly, given } = await send(recording, { model, params }, (own) =>
    model.doStream(own),
  );
  return { ...given, stream: recorded(given.stream, { session, assembly, params }) };
}

/** Sends the assembly in place of a prompt; one that is too long is reported, and a shorter one sent. */
async function send<Given>(
  { session, cacheControl }: Recording,
  { model, params }: { readonly model: Model; readonly params: CallParams },
  ask: (params: CallParams) => PromiseLike<Given>,
): Promise<{ readonly assembly: Assembly; readonly given: Given }> {
  const fresh = await newMessages(session, params.prompt);
  if (fresh.length > 0) await session.append(fresh);
  const { abortSignal: signal, tools = [] } = params;
  for (let retries = 0; ; retries += 1) {
    const assembly = await session.assemble({ tools, ...(signal !== undefined && { signal }) });
    const prompt = toPrompt(assembly, { model, params, cacheControl });
    made.add(prompt);
    const { reserve } = assembly.budget;
    const most = params.maxOutputTokens ?? (reserve > 0 ? reserve : undefined);
    try {
      const own = { ...params, prompt, ...(most !== undefined && { maxOutputTokens: most }) };
      return { assembly, given: await ask(own) };
    } catch (error) {
      if (signal?.aborted === true) throw error;
      const { truncation } = await session.report({ assembly: assembly.id, error });
      if (truncation !== 'certain' || retries === mostRetries) throw error;
    }
  }
}

async function append(
  session: Session,
  { assembly, answer }: { readonly assembly: Assembly; readonly answer: Generated },
): Promise<void> {
  const usage = countedBy(answer.usage ?? {});
  await session.append(messagesOf(answer), { assembly: assembly.id, usage });
}

/** A stream whose answer is appended when it ends, however it ends. */
function recorded(
  source: ReadableStream<AnswerPart>,
  {
    session,
    assembly,
    params,
  }: {
    readonly session: Session;
    readonly assembly: Assembly;
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
    if (end()) void appendHeard(session, hearing.answer()).catch(() => {});
  };
  const finish = async (): Promise<void> => {
    if (!end()) return;
    const answer = hearing.answer();
    const isNothing = answer.content.length === 0 && answer.usage === undefined;
    if (!isNothing) await append(session, { assembly, answer });
  };
  signal?.addEventListener('abort', breakOff);
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          breakOff();
          throw error;
        });
        if (value?.type === 'error')
          await session.report({ assembly: assembly.id, error: value.error });
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
async function appendHeard(session: Session, { content }: Generated): Promise<void> {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('');
  if (text === '') return;
  const message: Message = { role: 'assistant', content: text, finish: 'aborted' };
  await session.append(message);
}
