import type { Message, ToolCall } from '../messages/message.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { literalAt } from '../values/literal.ts';
import { readOnce } from '../values/read-once.ts';
import { personCommand } from './person-commands.ts';

// Some hosts give the model one tool that runs a script, in which it calls all others:
//
//   const r = await tools.exec_command({ cmd: "npm test", workdir: "/shop" }); text(r.output)
//
// What such a call did is what the calls in its script did.

/** The calls of a message, in order; those of a script in the place of the call that runs it; in the user role a command that a person ran. */
export function callsOf(message: Message): readonly ToolCall[] {
  if (message.role === 'assistant') return (message.toolCalls ?? []).flatMap(callsIn);
  const ran = message.role === 'user' ? personCommand(message) : null;
  return ran === null ? [] : [ran.call];
}

/** The calls that a call makes: itself, unless it runs a script that calls tools; the result of that is the last one's, which alone has its id. */
export const callsIn: (call: ToolCall) => readonly ToolCall[] = readOnce((call: ToolCall) => {
  const { name, arguments: args, id } = call;
  const script = typeof args === 'string' ? args : args['input'];
  if (!runner.test(name) || typeof script !== 'string' || !script.includes('tools.')) return [call];
  const scripted = together(callsInScript(withinScanLimit(script)));
  if (scripted.length === 0) return [call];
  const [last, ...before] = scripted.toReversed();
  return [...before.toReversed(), id === undefined ? last! : { id, ...last! }];
});

/** Names of tools that run a script. */
const runner = /^(?:exec|code|run_code)$/;

/** A call within a script. */
type ScriptedCall = Omit<ToolCall, 'id'>;

/** Most calls of a script that are read: each may be looked for to its end. */
const mostCalls = 64;

/** The calls that stand in a script, whether or not it comes to them. */
function callsInScript(script: string): readonly ScriptedCall[] {
  const matches = [...script.matchAll(/\btools\.(\w+)\(\s*/g)].slice(0, mostCalls);
  const calls = matches.flatMap(({ 0: whole, 1: name = '', index }): readonly ScriptedCall[] => {
    if (name === 'apply_patch') return [];
    const value = literalAt(script, index + whole.length)?.value;
    const isNamed = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isNamed) return [{ name, arguments: value as Record<string, unknown> }];
    return typeof value === 'string' ? [{ name, arguments: value }] : [];
  });
  return script.includes('tools.apply_patch(') ? [...patchesIn(script), ...calls] : calls;
}

/** The patches that a script holds; it may give them to the tool by any name. */
const patchesIn = (script: string): readonly ScriptedCall[] =>
  [...script.matchAll(/["'`](?=\*\*\* Begin Patch)/g)].flatMap(({ index }) => {
    const patch = literalAt(script, index)?.value;
    return typeof patch === 'string' ? [{ name: 'apply_patch', arguments: patch }] : [];
  });

/** Calls with the commands that follow one another in one: the result of their script is that of all. */
function together(scripted: readonly ScriptedCall[]): readonly ScriptedCall[] {
  const calls: ScriptedCall[] = [];
  for (const call of scripted) {
    const [before, command] = [commandOf(calls.at(-1)), commandOf(call)];
    if (before === undefined || command === undefined) calls.push(call);
    else calls[calls.length - 1] = { ...call, arguments: { cmd: `${before}\n${command}` } };
  }
  return calls;
}

/** The command that a call gives a shell; undefined for another call. */
const commandOf = (call: ScriptedCall | undefined): string | undefined =>
  call?.name === 'exec_command' && typeof call.arguments === 'object'
    ? textIn(call.arguments['cmd'])
    : undefined;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
