import { textOf, type ToolCall } from '../messages/message.ts';
import { shellText } from '../commands/shell-commands.ts';
import { simpleCommands } from '../commands/shell-words.ts';
import type { LineFields } from '../lines/line.ts';
import { worthOf } from '../lines/worth.ts';
import { clip, oneLine, withinScanLimit } from '../text/sentences.ts';
import type { Exchange } from './exchanges.ts';
import { hasFailed } from './failures.ts';

// Issues of a tracker: which one a call shows, and what becomes of it. What an issue says is kept while
// it is open; of one that was closed its title is enough, with what was said when it was closed.
//
//   - e3 bd-12 · Hash passwords [OPEN] · Passwords must be hashed with argon2id.
//   - e41 bd-12 closed: Hash passwords (all tests pass)

type IssueState = 'open' | 'in progress' | 'closed';

/** What a call does with an issue. */
interface IssueUse {
  readonly issue: string;
  readonly state: IssueState | 'shown';
  /** What it says of that; '' for nothing. */
  readonly reason: string;
}

/** Longest title and longest reason that are told, in UTF-16 units. */
const longest = { title: 100, reason: 160 } as const;

/** What a state is worth, nearly as much as a commit: nobody should do again what is closed. */
const value = 2.4;

/** The newest state of each issue that calls changed, under the title with which they showed it. */
export function issueLines(
  exchanges: readonly Exchange[],
): readonly (Omit<LineFields, 'turn'> & { readonly file: string })[] {
  const titles = new Map<string, string>();
  const newest = new Map<string, IssueUse & { readonly n: number }>();
  for (const { call, result, to } of exchanges.toSorted((a, b) => a.to - b.to)) {
    if (result === undefined) continue;
    const output = withinScanLimit(textOf(result.content));
    for (const use of usesIn(call)) {
      const { issue, state } = use;
      if (hasFailed(result) && !output.includes(`Closed ${issue}`)) continue;
      if (state !== 'shown') newest.set(issue, { ...use, n: to });
      const title = state === 'shown' ? titleIn(output, issue) : titledIn(output, issue);
      if (title !== '') titles.set(issue, title);
    }
  }
  return [...newest.values()].map(({ issue, state, reason, n }) => {
    const title = titles.get(issue) ?? '';
    const text = `${issue} ${state}${title && `: ${title}`}${reason && ` (${reason})`}`;
    return { n, kind: 'done', text, worth: worthOf(value, text), file: issue };
  });
}

/** The one issue that a call shows; '' for none, or for several. */
export function shownIssue(call: ToolCall): string {
  const issues = new Set(
    usesIn(call).flatMap(({ issue, state }) => (state === 'shown' ? issue : [])),
  );
  return issues.size === 1 ? [...issues][0]! : '';
}

/** Whether a line says that an issue is closed. */
export const isClosing = (text: string): boolean => /^\S{1,80} closed\b/.test(text);

/** The line of an issue with its title, where it has none. */
export const withTitle = (text: string, title: string): string =>
  title === '' ? text : text.replace(/^\S{1,80} closed(?= \(|$)/, `$&: ${title}`);

/** The title of an issue in what shows it: where it is called so, or behind the id that begins a line; '' for none. */
export function titleIn(text: string, issue: string): string {
  const lines = text.slice(0, mostRead).split('\n');
  const rest = lines.map((line) => line.replace(/^[^\p{L}\p{N}#]{1,6}/u, ''));
  const named = rest.flatMap(
    (line) => /^title"?:\s+"?(.+?)"?,?$/i.exec(line.trim().slice(0, 300))?.[1] ?? [],
  )[0];
  const behind = rest.find(
    (line) => line.startsWith(issue) && !/^[\w.-]*\w/.test(line.slice(issue.length)),
  );
  const behindId = behind
    ?.slice(issue.length)
    .replace(/^\s*(?:\[\w{1,20}\]|open:|in progress:)?[^\p{L}\p{N}`"']{0,8}/u, '');
  return clip(
    oneLine(named ?? behindId?.split(/\s\[[^\]]{0,60}\]\s*$/, 1)[0] ?? ''),
    longest.title,
  );
}

/** Where the title of an issue stands, at the latest, in UTF-16 units. */
const mostRead = 2_000;

/** The title behind the number in what a forge says of an issue: `Closed issue #12 (Hash passwords)`. */
function titledIn(output: string, issue: string): string {
  const at = output.indexOf(`${issue} (`);
  return at < 0 ? '' : (/^\S+ \(([^\n]{1,100})\)\s*(?:\n|$)/.exec(output.slice(at))?.[1] ?? '');
}

/** What a call does with issues. */
function usesIn(call: ToolCall): readonly IssueUse[] {
  if (/issue$/i.test(call.name)) return usesOfTool(call);
  const text = shellText(call);
  if (!/\b(?:bd|br|gh|glab|tea)\b/.test(text)) return [];
  return simpleCommands(text).flatMap(({ words: [name = '', ...words] }) => {
    if (name === 'bd' || name === 'br') return usesOfCommand(words, '');
    return /^(?:gh|glab|tea)$/.test(name) && /^issues?$/.test(words[0] ?? '')
      ? usesOfCommand(words.slice(1), '#')
      : [];
  });
}

/** What a command of a tracker does, by its verb and options; numbers stand behind `mark`. */
function usesOfCommand(
  [verb = '', ...words]: readonly string[],
  mark: string,
): readonly IssueUse[] {
  const end = words.findIndex((word) => word.startsWith('-'));
  const [named, options] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  const valueOf = (option: RegExp): string => {
    const at = options.findIndex((word) => option.test(word));
    const [, joined] = /^[^=]*=([^]*)$/.exec(options[at] ?? '') ?? [];
    return at < 0 ? '' : (joined ?? options[at + 1] ?? '');
  };
  const state = stateOf(verb, valueOf(/^(?:--status|--state|-s)(?:=|$)/));
  if (state === null) return [];
  const reason = clip(oneLine(valueOf(/^(?:--reason|--comment|-[rc])(?:=|$)/)), longest.reason);
  return named.flatMap((word): readonly IssueUse[] => {
    const id = word.replace(/^.*\/issues\//, '').replace(/^#/, '');
    if (!(mark === '' ? /^[\w.]+-[\w.-]+$|^\d+$/ : /^\d+$/).test(id)) return [];
    return [{ issue: `${mark}${id}`, state, reason }];
  });
}

/** What a tool of a tracker does, by its name and the state that it is given. */
function usesOfTool({ name, arguments: args }: ToolCall): readonly IssueUse[] {
  if (typeof args === 'string') return [];
  const [, verb = ''] = /(?<![a-z])([a-z]{3,12})_?issue$/i.exec(name) ?? [];
  const of = (keys: readonly string[]): unknown =>
    keys.map((key) => args[key]).find((one) => one !== undefined);
  const id = of([
    'issue_number',
    'issueNumber',
    'number',
    'issue_id',
    'issueId',
    'issueKey',
    'id',
    'key',
  ]);
  const set = of(['state', 'status']);
  const state = stateOf(verb.toLowerCase(), typeof set === 'string' ? set : '');
  if (state === null || (typeof id !== 'string' && typeof id !== 'number')) return [];
  const issue = `${typeof id === 'number' ? '#' : ''}${oneLine(`${id}`)}`;
  return /^\S{1,60}$/.test(issue) ? [{ issue, state, reason: '' }] : [];
}

/** What a verb makes of an issue, or the state that it sets; null for neither. */
function stateOf(verb: string, set: string): IssueUse['state'] | null {
  if (verb === 'close') return 'closed';
  if (verb === 'reopen') return 'open';
  if (/^(?:show|view|get|read|fetch)$/.test(verb)) return 'shown';
  if (!/^(?:update|edit|set|save|transition)$/.test(verb)) return null;
  if (/^(?:closed?|done|completed?|resolved|cancell?ed|fixed)$/i.test(set)) return 'closed';
  if (/^in[ _-]?progress$/i.test(set)) return 'in progress';
  return /^(?:re)?open(?:ed)?$/i.test(set) ? 'open' : null;
}
