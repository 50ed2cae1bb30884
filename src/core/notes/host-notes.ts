import { asksForPlan } from '../commands/plan-calls.ts';
import { callsOf } from '../commands/scripted-calls.ts';
import { hostSummaryIn } from '../messages/host-summary.ts';
import { textOf, type Message, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { fieldOf, isObject, jsonOf } from '../values/json.ts';
import { commitNotes } from './commit-notes.ts';
import { markedLines, noteLine, type HostNote } from './host-note.ts';
import { choiceNote } from './choice-notes.ts';
import { stepNotes } from './step-notes.ts';
import { todoNote } from './todo-notes.ts';

/** Most calls of a message that are read. */
const mostCalls = 100;

/**
 * What the host's own structure says in a message, in order. Calls are read with
 * their results, which `resultOf` finds; what a call only asked for (a commit, a
 * plan, a report) is told once its result says that it came about.
 */
export function hostNotesIn(
  message: Message,
  resultOf: (call: ToolCall) => ToolMessage | undefined,
): readonly HostNote[] {
  const noted = callsOf(message)
    .slice(0, mostCalls)
    .flatMap((call) => {
      const result = resultOf(call);
      const todo = todoNote(call, result);
      if (todo !== null) return [todo];
      return [
        ...choiceNote(call, result),
        ...planNote(call, result),
        ...reportNote(call, result).map((note) => ({ ...note, call })),
        ...commitNotes(call, result),
        ...stepNotes(call, result),
      ];
    });
  if (message.role !== 'user') return noted;
  return [...notesInText(withinScanLimit(textOf(message.content))), ...noted];
}

/** The notes in text of the user role: a summary, or the reports of sub-agents that ran in the background. */
function notesInText(text: string): readonly HostNote[] {
  const summary = hostSummaryIn(text);
  if (summary !== undefined) return noteOf('summary', markedLines(summary));
  if (!/^\s*<(?:task-notification|subagent_notification)>/.test(text)) return [];
  return text.split('<task-notification>').flatMap((one) => {
    const report = between(one, 'result');
    return report === undefined
      ? []
      : noteOf('report', [noteLine(between(one, 'summary') ?? ''), ...markedLines(report)]);
  });
}

const refusal =
  /\b(?:doesn't want|does not want|rejected|refused|declined|denied|cancell?ed|not approved)\b/i;

/** The plan of a call that asked for its approval; none where it was refused. */
function planNote(call: ToolCall, result: ToolMessage | undefined): readonly HostNote[] {
  if (!asksForPlan(call) || result === undefined || result.isError === true) return [];
  const output = withinScanLimit(textOf(result.content));
  const [answer, approved = ''] = output.split(/^#{1,3} Approved Plan[^\n]*$/m);
  if (refusal.test(answer!.slice(0, 400))) return [];
  const planArgument = typeof call.arguments === 'string' ? undefined : call.arguments['plan'];
  const plan = typeof planArgument === 'string' ? planArgument : approved;
  return noteOf('plan', markedLines(plan));
}

/** Tools that run a sub-agent to its end, and one of Codex that waits for those in the background. */
const agentTools =
  /(?:^|\.|__)(?:(?:sub|dispatch_|invoke_|run_?sub)?_?agent|task|new_task|delegate(?:_to_agent|_task)?)$/i;
const waitTools = /(?:^|\.|__)wait(?:_agent)?$/;

/** The final report of a sub-agent, under what it was called for. */
function reportNote(call: ToolCall, result: ToolMessage | undefined): readonly HostNote[] {
  if (result === undefined || result.isError === true) return [];
  const waits = waitTools.test(call.name);
  if (!waits && !agentTools.test(call.name)) return [];
  const output = withinScanLimit(textOf(result.content));
  if (waits) return noteOf('report', completedIn(output).flatMap(markedLines));
  if (isLaunch.test(output)) return [];
  const report = between(output, 'task_result') ?? output.split(footer, 1)[0]!;
  const lines = markedLines(report);
  return lines.length === 0 ? [] : noteOf('report', [errandOf(call), ...lines]);
}

/** What a host says where the sub-agent has only begun. */
const isLaunch =
  /^\s*(?:\{\s*"agent_id"|(?:async |background )?(?:sub-?)?(?:agent|task)s? (?:was |has been )?(?:launched|started|spawned))/i;
/** Where the host's own lines begin, after the report. */
const footer = /\n\s{0,40}(?:agentId: |<usage>|<task_metadata>|<total_tokens>)/;

const errands = ['description', 'title', 'task', 'input', 'prompt', 'message'] as const;

/** What a sub-agent was called for, in one line. */
function errandOf({ arguments: args }: ToolCall): string {
  if (typeof args === 'string') return noteLine(args);
  const errand = errands.map((name) => args[name]).find((text) => typeof text === 'string');
  return noteLine(typeof errand === 'string' ? (/\S.*/.exec(errand)?.[0] ?? '') : '');
}

/** The reports in a status of Codex: `{"status":{"<id>":{"completed":"…"}}}`. */
function completedIn(output: string): readonly string[] {
  const status = fieldOf(jsonOf(output), 'status');
  if (!isObject(status)) return [];
  const done = Object.values(status).map((one) => fieldOf(one, 'completed'));
  return done.filter((report) => typeof report === 'string');
}

function noteOf(kind: HostNote['kind'], lines: readonly string[]): readonly HostNote[] {
  const texts = lines.filter((line) => line !== '');
  return texts.length === 0 ? [] : [{ kind, lines: texts }];
}

/** The text between a tag and its end; undefined where there is none. */
function between(text: string, tag: string): string | undefined {
  const from = text.indexOf(`<${tag}>`);
  const to = text.indexOf(`</${tag}>`, from);
  return from === -1 || to === -1 ? undefined : text.slice(from + tag.length + 2, to);
}
