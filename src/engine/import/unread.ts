import {
  textOf,
  type AssistantMessage,
  type Message,
  type ToolCall,
} from '../../core/messages/message.ts';
import { canonicalJson } from '../../core/values/canonical-json.ts';
import type { Step } from '../../import/source/step.ts';

// An answer of several lines may be read when only the first of them are written. What
// they said is then in the log, under the key of the answer; the others are told after
// it, under a key of their own, and so on where these were not all, either:
//
//   read first   reasoning                     e4  reasoning           key 12-ab
//   read later   reasoning · words · call      e5  words · call        key 12-ab+1

type AppendStep = Extract<Step, { type: 'append' }>;

/** What a session has of a step already, as it was told first; undefined for nothing. */
type Taken = (step: AppendStep) => Promise<Message | undefined>;

/** The step with what of its answer was not there yet when it was read before; null where all of it was. */
export async function unreadStep(step: AppendStep, taken: Taken): Promise<AppendStep | null> {
  const own = await taken(step);
  if (own === undefined) return step;
  const rest = restOf(own, step.message);
  if (rest === null) return null;
  return unreadStep({ ...step, message: rest, key: `${step.key}+1` }, taken);
}

/** What an answer says beyond what was read of it, behind that or, where a line was broken, between; null where it says something else, or no more. */
function restOf(begun: Message, whole: Message): AssistantMessage | null {
  if (begun.role !== 'assistant' || whole.role !== 'assistant') return null;
  const content = textBeyond(textOf(begun.content), textOf(whole.content));
  const thinking = textBeyond(begun.thinking ?? '', whole.thinking ?? '');
  const calls = callsBeyond(begun.toolCalls ?? [], whole.toolCalls ?? []);
  if (content === null || thinking === null || calls === null) return null;
  if (content === '' && thinking === '' && calls.length === 0) return null;
  return {
    role: 'assistant',
    content,
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(thinking === '' ? {} : { thinking }),
    ...(whole.finish === undefined ? {} : { finish: whole.finish }),
    ...(whole.model === undefined ? {} : { model: whole.model }),
  };
}

/** The lines of a text that `begun` has not, in their order; null where `begun` has others. */
function textBeyond(begun: string, whole: string): string | null {
  if (begun === '') return whole;
  return beyond(begun.split('\n'), whole.split('\n'), (line) => line)?.join('\n') ?? null;
}

const callsBeyond = (
  begun: readonly ToolCall[],
  whole: readonly ToolCall[],
): readonly ToolCall[] | null => beyond(begun, whole, canonicalJson);

/** What stands in `whole` between and behind all of `begun`; null where that is not all there. */
function beyond<T>(
  begun: readonly T[],
  whole: readonly T[],
  textOfOne: (one: T) => unknown,
): readonly T[] | null {
  const known = begun.map(textOfOne);
  let at = 0;
  const rest = whole.filter((one) => {
    const isKnown = textOfOne(one) === known[at];
    if (isKnown) at += 1;
    return !isKnown;
  });
  return at === known.length ? rest : null;
}
