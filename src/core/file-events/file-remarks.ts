import { clip } from '../text/sentences.ts';
import { entryId } from '../values/id.ts';
import { readOnce } from '../values/read-once.ts';
import type { Line } from '../lines/line.ts';
import { sourceHead, statedIn } from '../lines/sources.ts';
import { finite } from '../lines/announcements.ts';
import { dependent } from '../lines/passages.ts';
import { isReplyLine } from '../lines/replies.ts';
import { filesNamed } from '../files/paths.ts';
import { refusedCall } from '../messages/refusal.ts';
import { moodOf } from './remark-mood.ts';

// What the lines of entries say of files: that part of a line in which one file is
// named. What says what a file is ("`hash.ts` - password hashing") is worth more
// than what only names it.

/** A part of a line that tells of a file. */
export interface FileRemark {
  /** As the line names it. */
  readonly path: string;
  readonly text: string;
  readonly worth: number;
}

/** Longest remark, in UTF-16 units. */
const longest = 150;

/** Shortest one that says something. */
const least = 12;

/** How much more is worth what says what a file is. */
const telling = 3;

/** What a line says of files, in order. */
export const remarksIn: (line: Line) => readonly FileRemark[] = readOnce((line: Line) =>
  readRemarks(line, isPlanFile(line)),
);

/** What a line of a plan says of files, in order: all but what it finds there is to be done. */
export const remarksOfPlan: (line: Line) => readonly FileRemark[] = readOnce((line: Line) =>
  readRemarks(line, true),
);

/** Whether a line tells what a file states that is a plan: `docs/plans/login.md: …`. */
const isPlanFile = ({ text }: Line): boolean =>
  /(?:^|[/_.-])(?:plans?|proposals?|roadmap|todo)(?=[/_.-])/i.test(sourceHead(text));

function readRemarks(line: Line, isOfPlan: boolean): readonly FileRemark[] {
  const { kind, n, text, worth } = line;
  const isStated = kind === 'said' || kind === 'read';
  if (!isStated && !text.startsWith('commit: ')) return [];
  if (text.includes(refusedCall) || isReplyLine(text)) return [];
  const stated = statedIn(line);
  const parts = stated.split(/;\s+| · |(?<=[.!?:])\s+(?=[A-Z"'`([])/);
  return parts.flatMap((part, at) => {
    const told = remarkIn(part, worth);
    if (told === null) return [];
    const remark = { path: told.path, worth: told.worth, text: clip(told.text, longest) };
    if (!isStated || (isDone.test(stated) && !isOfPlan)) return [remark];
    const heads = parts.slice(0, at).filter((one) => /:(?: …)?$/.test(one));
    if (!isOfPlan && wasDone.test(heads.at(-1) ?? '')) return [remark];
    const isFound = heads.some((head) => finding.test(head)) || isThere.test(told.text);
    const isRow = part.includes(' | ') && !isPlan.test(stated) && !actionCell.test(part);
    // A table tells of what is there, unless it says that it is a plan.
    if (isRow && !isOfPlan) return [remark];
    const mood = moodOf(told.text, told.isNamed);
    if (mood === 'thought') return [];
    if (mood === 'plan' || actionCell.test(part)) return asPlanned(remark, n);
    if (isFound) return [remark];
    const isToDo = heads.some((head) => planning.test(head)) || toDo.test(parts[at - 1] ?? '');
    // What a document has somebody do is a rule of it.
    const isTask = kind === 'said' && !finite.test(told.text);
    if (isToDo && (told.isNamed || isTask)) return asPlanned(remark, n);
    if (!isOfPlan) return [remark];
    return told.isNamed ? asPlanned(remark, n) : [];
  });
}

/** How a summary of what was done begins: `Summary of changes:`. */
const isDone =
  /^(?:(?:final|short|brief|a|the|here is a) ){0,3}(?:summary\b|changes made\b|what (?:was|i|we) (?:changed?|did|done)\b)(?! of the plan)/i;

/** What stands above files with which something was done: `Files changed:`. */
const wasDone =
  /^(?:\W*(?:the|all|files?|changes|what|these|this|was|were|have|has|had|been|just|i|we|i['’]ve|we['’]ve)\s){0,4}(?:added|changed|created|did|fixed|implemented|made|modified|updated)\b(?![^:]{0,80}\b(?:be|later|must|next|not|should|will|would)\b)[^:]{0,80}:/i;

/** What says that something is still to be done. */
const isPlan =
  /\b(?:plan(?:ned)?|to ?do|to be|steps?|next|propos(?:al|ed)|should|tasks?|need(?:s|ed)?)\b/i;

/** What stands above files with which something is to be done: `Files to change:`. */
const planning =
  /(?<!\bhow )\bto (?:add|change|create|delete|do|edit|extend|fix|implement|modify|move|refactor|remove|rename|touch|update|write)\b|\b(?:planned|plan:|propos(?:al|ed)|next(?: steps?)?:|pending|changes? needed|files? needed|needed changes?|for implementation|would (?:be|change|touch|need))\b/i;

/** What stands above what a plan finds there: `Existing code:`. */
const finding =
  /\b(?:context|background|problems?|motivation|root cause|analysis|exist(?:s|ing)|current(?:ly)?|today|findings?|reference)\b/i;

/** What a plan makes use of as it is. */
const isThere = /^(?:existing|reference|current|unchanged)\b/i;

/** The cell of a table that says what is to be done with the file of its row. */
const actionCell = /(?:^|\| )(?:add|create|delete|edit|modify|move|remove|rename|update) \|/i;

/** A remark that says when it was planned: it is no statement of what is there. */
const asPlanned = (remark: FileRemark, n: number): readonly FileRemark[] =>
  anything.test(remark.text)
    ? []
    : [{ ...remark, text: `planned in ${entryId(n)}: ${remark.text}` }];

/** Where a remark was planned; undefined for one that was not. */
export function plannedIn(text: string): number | undefined {
  const position = /^planned in e(\d{1,9}): /.exec(text)?.[1];
  return position === undefined ? undefined : Number(position);
}

/** Whether a remark says what was to be done with a file, or was wrong with it, before an entry changed it. */
export const wasBefore = (
  { text, n = Infinity }: { readonly text: string; readonly n?: number },
  change: number,
): boolean => (plannedIn(text) ?? (faulty.test(text) ? n : Infinity)) <= change;

/** What is wrong with a file. */
const faulty =
  /\b(?:bug|issue|problem|error|fault|cause|culprit) (?:here )?(?:is|was|lies|comes)\b|\b(?:is|are) (?:broken|wrong|buggy|outdated|still missing)\b/i;

/** What stands before a file with which something is to be done: `Modify:`. */
const toDo = /(?:^|[\s*])(?:add|change|create|delete|modify|remove|update)\W{0,3}:\W{0,3}$/i;

/** What could be planned for any file: `Update tests`. */
const anything =
  /^\w+ (?:(?:all|any|its|new|the|unit)\s)*(?:tests?|docs?|documentation|code|imports?|comments?|files?)\W*$/i;

/** Words that make a statement of what would else be a label: the row of a table, a title with a path. */
const states =
  /\b(?:is|are|was|were|be|has|have|had|does|do|did|can|cannot|could|must|should|will|would|may|not|no|never|only|always|because|since|so|instead|but|needs?|uses?|calls?|runs?|makes?|gives?|gets?|takes?|sets?|keeps?|holds?|reads?|writes?|returns?|adds?|removes?|fails?|works?|breaks?|sends?|stores?|checks?|\w+n['’]t|\w{2,}(?:ed|izes?|ates?|ifies))\b/i;

/** What a part of a line tells of the one file that it names; `isNamed` where it begins with the file. */
function remarkIn(
  part: string,
  worth: number,
): (FileRemark & { readonly isNamed: boolean }) | null {
  const said = part.replace(/^\d+(?:[-–]\d+)? \| /, '');
  const [path, other] = filesNamed(said);
  if (path === undefined || other !== undefined || said.endsWith(':')) return null;
  if (dependent.test(said)) return null;
  const [head, rest] = said.split(path, 2) as [string, string];
  const isSubject = /^[\s"'`(*-]*(?:(?:the|file|new|in|created?|added)\s+)*["'`(]*$/i.test(head);
  const [, mark = '', what = ''] =
    /^(?::\d+(?:[-–,]\d+){0,3}(?=[^:=]{0,3}\s))?["'`)]*(?:\s\([^)]{0,60}\))?\s*([-–—:|→]+|=)\s+(?:[\d–-]+ \| )?(.+)$/.exec(
      rest,
    ) ?? [];
  const isRow = mark === '|' || part !== said;
  if (isSubject && what.length >= least && (!isRow || states.test(what)))
    return { path, text: what, worth: worth * telling, isNamed: true };
  if (isAside(head, rest) || usesFile.test(head) || compares.test(head)) return null;
  const words = said.replace(path, '').match(/\p{L}{3,}/gu) ?? [];
  return words.length < 4 || said.length > 2 * longest || !states.test(said)
    ? null
    : { path, text: said, worth, isNamed: false };
}

/** What stands before a file that something else, which is not named, makes use of: `Sources hash.sh, adds …`. */
const usesFile =
  /^\W{0,4}(?:calls|imports|includes|loads|reads|requires|runs|sources|uses)\s\W{0,4}$/i;

/** What stands before a file that something else is like: `Write it like hash.ts`. */
const compares =
  /\b(?:mirror(?:s|ing|ed)?|same as|like|unlike|similar to|match(?:es|ing)|modell?ed on|copied from)\b[^,;.]{0,120}$/i;

/** Whether a file is named beside other words within parentheses: `Remove it (use hash.ts)`. */
const isAside = (head: string, rest: string): boolean =>
  /\([^()]*\w[^()]*$/.test(head) && /^[^()]*\)/.test(rest);
