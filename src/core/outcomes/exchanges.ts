import { callsOf } from '../commands/scripted-calls.ts';
import { readOnce } from '../values/read-once.ts';
import { personCommand, personOutput } from '../commands/person-commands.ts';
import { printedIn } from './printed.ts';
import { textOf, type LeavingEntry, type ToolCall, type ToolMessage } from '../messages/message.ts';

/** A call, with its result where that leaves the window with it. */
export interface Exchange {
  /** Position of the entry with the call. */
  readonly n: number;
  readonly call: ToolCall;
  readonly result: ToolMessage | undefined;
  /** Position of the entry with the result; `n` where there is none. */
  readonly to: number;
  /** The call that the result tells of: an earlier one, where this only waits for what that began. */
  readonly work?: ToolCall;
  /** Whether a later call waits for the same work, which had not ended, whatever the result says. */
  readonly goesOn?: true;
}

/** The calls of entries with their results, in the order of the calls; the result of a script is that of its last call, and a result without an id answers the first open call of its name. */
export function exchangesIn(entries: readonly LeavingEntry[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const open = new Map<string | undefined, number>();
  const begun = new Map<string, ToolCall>();
  /** Where a command that was begun was waited for last. */
  const waits = new Map<ToolCall, number>();
  let newest = 0;
  /** The last command of a person, until what it printed comes. */
  let commandIndex = -1;
  for (const { n, message } of entries) {
    if (message.role === 'assistant') {
      newest = exchanges.length;
      for (const call of callsOf(message)) {
        if (call.id !== undefined) open.set(call.id, exchanges.length);
        exchanges.push({ n, call, result: undefined, to: n });
      }
    }
    if (message.role === 'user') {
      const ran = personCommand(message);
      if (ran !== null) commandIndex = exchanges.push({ n, ...ran, to: n }) - 1;
      const output = commandIndex < 0 ? null : personOutput(message);
      if (output === null) continue;
      exchanges[commandIndex] = { ...exchanges[commandIndex]!, result: output, to: n };
      commandIndex = -1;
    }
    if (message.role !== 'tool') continue;
    const { toolCallId, name } = message;
    const isIts = ({ call, result }: Exchange): boolean =>
      result === undefined && (name === undefined || call.name === name);
    const at =
      toolCallId === undefined
        ? exchanges.findIndex((one, index) => index >= newest && isIts(one))
        : (open.get(toolCallId) ?? -1);
    if (at < 0) continue;
    const { call } = exchanges[at]!;
    const awaited = waiter.test(call.name) ? begun.get(awaitedBy(call)) : undefined;
    const work = awaited === undefined ? {} : { work: awaited };
    const result = awaited !== undefined && isSilent(message) ? undefined : message;
    exchanges[at] = { ...exchanges[at]!, result, to: n, ...work };
    if (awaited !== undefined) {
      const before = waits.get(awaited);
      if (before !== undefined) exchanges[before] = { ...exchanges[before]!, goesOn: true };
      waits.set(awaited, at);
    }
    const id = goingOn(message);
    if (id !== '') begun.set(id, awaited ?? call);
    // What waits for it now asks for what is over.
    else if (awaited !== undefined && hasEnded(message)) begun.delete(awaitedBy(call));
    open.delete(call.id);
  }
  return exchanges;
}

/** Tools that wait for a command that goes on, and how a result says that it does; scripts of a model print the id by itself. */
export const waiter: RegExp =
  /^(?:write_stdin|wait|bash_?output|task_?output|read_(?:bash|powershell))$/i;
const going =
  /\brunning (?:with (?:session|cell)|in (?:the )?background with) ID:? ([\w-]{1,40})|<command with shellId: ([\w-]{1,40}) is still running\b|^SESSION_ID ?= ?(\d{1,9})\s*$/im;

/** The id of the command that goes on behind a result; '' where it has ended. */
const goingOn: (result: ToolMessage) => string = readOnce(({ content }: ToolMessage) => {
  const text = textOf(content);
  const [, ...ids] = going.exec(text.slice(0, 400)) ?? going.exec(text.slice(-400)) ?? [];
  return ids.find((id) => id !== undefined) ?? '';
});

/** Whether what an exchange tells of goes on behind its result. */
export const isGoingOn = ({ result, goesOn }: Pick<Exchange, 'result' | 'goesOn'>): boolean =>
  goesOn === true || (result !== undefined && goingOn(result) !== '');

/** Whether a result tells nothing, nor how a command ended, or that it goes on: one that was waited for may go on. Nor does it tell anything that the host knows the command no more. */
function isSilent({ content }: ToolMessage): boolean {
  const { exit, status, text } = printedIn(textOf(content));
  return exit === null && (text === '' || status === 'running' || unknown.test(text));
}

const unknown =
  /^(?:<tool_use_error>|write_stdin failed: |Error: ){0,2}(?:Unknown process id|No (?:shell|task) found with ID)\b/;

/** Whether a result says that the command ended which was waited for. */
function hasEnded({ content }: ToolMessage): boolean {
  const { exit, status } = printedIn(textOf(content));
  return exit !== null || (status !== '' && status !== 'running');
}

/** The command that a call waits for, by its id. */
export function awaitedBy({ arguments: args }: ToolCall): string {
  if (typeof args === 'string') return '';
  const { session_id, cell_id, bash_id, task_id, shellId } = args;
  const id = session_id ?? cell_id ?? bash_id ?? task_id ?? shellId;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** The exchange of each call, with what came out in the end where the call went on behind its result. */
export function endedByCall(
  exchanges: readonly Exchange[],
): ReadonlyMap<ToolCall, Omit<Exchange, 'work'>> {
  const ended = new Map<ToolCall, Omit<Exchange, 'work'>>(exchanges.map((one) => [one.call, one]));
  for (const { work, result, to } of exchanges) {
    const begun = work && ended.get(work);
    if (begun !== undefined && result !== undefined)
      ended.set(begun.call, { ...begun, result, to });
  }
  return ended;
}

/** The results of calls in entries. */
export function resultsIn(
  entries: readonly LeavingEntry[],
): (call: ToolCall) => ToolMessage | undefined {
  const ended = endedByCall(exchangesIn(entries));
  return (call) => ended.get(call)?.result;
}
