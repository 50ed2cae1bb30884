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

/** What an answer says beyond its beginning; null where it does not go on from there, or says no more. */
function restOf(begun: Message, whole: Message): AssistantMessage | null {
  if (begun.role !== 'assistant' || whole.role !== 'assistant') return null;
  const content = textAfter(textOf(begun.content), textOf(whole.content));
  const thinking = textAfter(begun.thinking ?? '', whole.thinking ?? '');
  const calls = callsAfter(begun.toolCalls ?? [], whole.toolCalls ?? []);
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

/** The texts that stand on lines after those of `begun`; null where `whole` does not begin with it. */
function textAfter(begun: string, whole: string): string | null {
  if (begun === '' || begun === whole) return whole.slice(begun.length);
  return whole.startsWith(`${begun}\n`) ? whole.slice(begun.length + 1) : null;
}

function callsAfter(
  begun: readonly ToolCall[],
  whole: readonly ToolCall[],
): readonly ToolCall[] | null {
  const same = begun.every((call, at) => canonicalJson(call) === canonicalJson(whole[at]));
  return same ? whole.slice(begun.length) : null;
}
