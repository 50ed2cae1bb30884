import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { isEdit } from '../commands/edit-calls.ts';
import { readOnce } from '../values/read-once.ts';
import { waiter, type Exchange } from './exchanges.ts';
import { callSubject } from './call-label.ts';
import { shownIssue } from './issues.ts';
import { withoutLineNumbers } from './line-numbers.ts';
import { isHostLine, printedIn } from './printed.ts';
import { statementsOf } from '../lines/statements.ts';
import { statementLines, type Statement, type UnplacedLine } from '../lines/worth.ts';

// Documents among what was read: plans, pages, issues that people write for people.
// What they state is told as what was read.

/** What a statement is worth of a document that was read before anything was changed in a turn, and of one that was read later: what a turn begins with is what it is about. How to use a skill is read again when it is used. */
const shares = { first: 0.5, later: 0.4, skill: 0.15 } as const;

/** A skill of the host, not one that the work is about. */
const isSkill = /\/\.[\w-]{1,40}\/[^\s'"]{0,200}\/SKILL\.md\b/;

/** What the documents state that were read, each line with the issue that it is about. */
export function documentLines(
  exchanges: readonly Exchange[],
  turnOf: (n: number) => number,
): readonly (UnplacedLine & { readonly n: number; readonly file: string })[] {
  const changed = new Set<number>();
  return exchanges.flatMap(({ n, call, result, to }) => {
    if (isEdit(call)) changed.add(turnOf(n));
    if (result === undefined || !showsDocument(call)) return [];
    const time = changed.has(turnOf(n)) ? shares.later : shares.first;
    const share = isSkill.test(callSubject(call)) ? shares.skill : time;
    const statements = statementLines(documentIn(result), 'read', share);
    const file = statements.length === 0 ? '' : shownIssue(call);
    const source = statements.length === 0 ? '' : sourceOf(call);
    return statements.map((line) => ({ ...line, text: source + line.text, n: to, file }));
  });
}

/** The one file that a document lies in, as it stands before what is told of it; '' for another, and for several. */
function sourceOf(call: ToolCall): string {
  const paths = callSubject(call).match(/[^\s'"]{1,200}\.(?:mdx?|txt|rst|adoc)\b/g) ?? [];
  const [path, ...others] = new Set(paths);
  if (path === undefined || others.length > 0) return '';
  return `${path.slice(path.lastIndexOf('/') + 1)}: `;
}

/** Whether a call shows a document that is not of the work: a page, or a skill of the host. The files that it names are none of the work. */
export const showsForeign = (call: ToolCall): boolean =>
  (pages.test(call.name) || isSkill.test(callSubject(call))) && showsDocument(call);

const pages = /web|fetch|browse/i;

/** Reads a document that a call shows, which is remembered: {@link documentLines} has less to do then. */
export function readDocumentAhead({ call, result }: Exchange): void {
  if (result !== undefined && showsDocument(call)) documentIn(result);
}

/** What a result states that shows a document; nothing where it shows something else. */
const documentIn = readOnce((result: ToolMessage): readonly Statement[] => {
  const output = withoutReminders(printedIn(textOf(result.content)).text);
  const document = withoutFrontMatter(withoutLineNumbers(output));
  return isProse(document) ? statementsOf(withoutFrame(document)) : [];
});

/** What stands above a document for programs, up to so many UTF-16 units; its title and what it says of itself are for people, too. */
const frontMatter = /^\s{0,20}---\n([^]{0,6000}?\n)---(?:\n|$)/;
const aboutItself = /^(?:title|description|summary): /;

/** A document without what stands above it for programs. */
const withoutFrontMatter = (document: string): string =>
  document.replace(frontMatter, (_, lines: string) =>
    lines
      .split('\n')
      .filter((line) => aboutItself.test(line))
      .map((line) => `${line}\n`)
      .join(''),
  );

/** A text with blank lines in place of those that are not the document. */
const withoutFrame = (text: string): string =>
  text
    .split('\n')
    .map((line) => (isHostLine(line) || frame.test(line) ? '' : line))
    .join('\n');

/** What a host says of an output or asks of the model behind it, what a listing, a search or git says of a file or a commit, a line of a log, and a comment of code that was shown beside. */
const frame =
  /^(?:[^\n]{0,200}\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[^\n]*|(?:[\w./@~+-]{1,200}\.\w{1,8}[:-])?\d{1,6}[:-][^\n]*|\[Some lines truncated to \d{1,9} chars\]|REMINDER: You MUST [^\n]*|<\/?(?:path|type|content)>[^\n]*|\(End of file - total \d{1,9} lines\)|[-dl][rwxsStT-]{9}[@+]? [^\n]*|## \S{1,200}\.{3}\S[^\n]*|[*|\\/ ]{0,8}[0-9a-f]{7,12} \S[^\n]*|[ *]{1,4}branch {2,}[^\n]*|From https:[^\n]*|[^\S\n]{0,40}\/\/[^\n]*)$/;

/** A result without what the host reminds of at its end; a document may speak of such tags itself. */
function withoutReminders(text: string): string {
  let body = text.trimEnd();
  while (body.endsWith('</system-reminder>')) {
    const from = body.lastIndexOf('<system-reminder>');
    if (from < 0) break;
    body = body.slice(0, from).trimEnd();
  }
  return body;
}

const readers =
  /^(?:read|view|open|cat|fetch|web_?fetch|web_?search|get|show|search)|(?:fetch|search|issue|get_.*(?:page|doc|issue|comment))/i;
const code =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|ex|exs|php|swift|sql|sh|css|scss|html|vue|svelte|nix|tf|hcl|lua|dart|scala|zig|json|ya?ml|toml|lock|xml|csv)(?::\d[\d,+-]{0,20})?$/i;
const documentCommand =
  /^(?:bd|br|gh|glab|jira|linear|tea)\s+\S*\s*(?:show|view|issue|pr|ready|list)\b|^(?:bd|br) (?:show|ready)|\b(?:cat|nl|bat|sed|head|tail|less)\b[^|]*\.(?:md|mdx|txt|rst|adoc)\b/;

/** Whether a call shows a text that people write for people: a document, a page, an issue. */
function showsDocument(call: ToolCall): boolean {
  const what = callSubject(call);
  if (/^(?:bash|shell|exec|run|terminal)/i.test(call.name)) return documentCommand.test(what);
  return readers.test(call.name) && !waiter.test(call.name) && !code.test(what);
}

/** A line of code, whatever words stand in it. */
const coded = /[{};,(]\s*$|^\s*[\w.[\]"'-]{1,60} = \S/;

/** Share of a text that must be sentences for it to be told. */
const leastProse = 0.45;

/** Whether a text is mostly sentences: a plan, a report, an issue; not code, a listing or a log. */
function isProse(text: string): boolean {
  const lines = text.slice(0, 20_000).split('\n');
  const length = (list: readonly string[]): number =>
    list.reduce((sum, line) => sum + line.length, 0);
  const sentences = lines.filter(
    (line) => /(?<!\p{L})\p{L}{2,} \p{L}{2,} \p{L}{2,}/u.test(line) && !coded.test(line),
  );
  return sentences.length >= 3 && length(sentences) > leastProse * length(lines);
}
