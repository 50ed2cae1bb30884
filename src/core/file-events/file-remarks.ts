import { clip } from '../text/sentences.ts';
import { entryId } from '../values/id.ts';
import { readOnce } from '../values/read-once.ts';
import type { Line } from '../lines/line.ts';
import { statedIn } from '../lines/sources.ts';
import { dependent } from '../lines/passages.ts';
import { filesNamed } from '../files/paths.ts';

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
export const remarksIn: (line: Line) => readonly FileRemark[] = readOnce((line: Line) => {
  const { kind, n, text, worth } = line;
  const isStated = kind === 'said' || kind === 'read';
  if (!isStated && !text.startsWith('commit: ')) return [];
  const stated = statedIn(line);
  const parts = stated.split(/;\s+| · |(?<=[.!?:])\s+(?=[A-Z"'`([])/);
  return parts.flatMap((part, at) => {
    const remarks = remarkIn(part, worth);
    if (!isStated || isDone.test(stated)) return remarks;
    // A table tells of what is there, unless it says that it is a plan.
    if (part.includes(' | ') && !isPlan.test(stated)) return remarks;
    const isOrdered = toDo.test(parts[at - 1] ?? '');
    return remarks.flatMap((remark) => asPlanned(remark, n, isOrdered));
  });
});

/** How a summary of what was done begins: `Summary of changes:`. */
const isDone =
  /^(?:(?:final|short|brief|a|the|here is a) ){0,3}(?:summary\b|changes made\b|what (?:was|i|we) (?:changed?|did|done)\b)(?! of the plan)/i;

/** What says that something is still to be done. */
const isPlan =
  /\b(?:plan(?:ned)?|to ?do|to be|steps?|next|propos(?:al|ed)|should|tasks?|need(?:s|ed)?)\b/i;

/** What tells somebody to do something: `Add the routes of the admin`. */
const ordering =
  /^(?:add|allow|avoid|call|change|configure|create|delete|disable|drop|enable|ensure|expose|extend|extract|fix|handle|implement|include|make|move|propagate|refactor|register|remove|rename|replace|rewrite|set|split|support|update|use|wire|wrap|write)\s/i;

/** A remark that says when it was planned, where it says what is to be done: it is no statement of what is there. */
function asPlanned(remark: FileRemark, n: number, isOrdered: boolean): readonly FileRemark[] {
  const { text } = remark;
  if (!isOrdered && !ordering.test(text)) return [remark];
  return anything.test(text) ? [] : [{ ...remark, text: `planned in ${entryId(n)}: ${text}` }];
}

/** Whether a remark says what is to be done with a file. */
export const isPlanned = (text: string): boolean => text.startsWith('planned in ');

/** Whether a remark says what was to be done with a file before an entry changed it, or in its own words. */
export const wasPlanned = ({ text }: { readonly text: string }, change: number): boolean =>
  Number(/^planned in e(\d{1,9}): /.exec(text)?.[1] ?? Infinity) <= change;

/** What stands before a file with which something is to be done: `Modify:`. */
const toDo = /(?:^|[\s*])(?:add|change|create|delete|modify|remove|update)\W{0,3}:\W{0,3}$/i;

/** What could be planned for any file: `Update tests`. */
const anything =
  /^\w+ (?:(?:all|any|its|new|the|unit)\s)*(?:tests?|docs?|documentation|code|imports?|comments?|files?)\W*$/i;

/** Words that make a statement of what would else be a label: the row of a table, a title with a path. */
const states =
  /\b(?:is|are|was|were|be|has|have|had|does|do|did|can|cannot|could|must|should|will|would|may|not|no|never|only|always|because|since|so|instead|but|needs?|uses?|calls?|runs?|makes?|gives?|gets?|takes?|sets?|keeps?|holds?|reads?|writes?|returns?|adds?|removes?|fails?|works?|breaks?|sends?|stores?|checks?|\w+n['’]t|\w{2,}(?:ed|izes?|ates?|ifies))\b/i;

function remarkIn(part: string, worth: number): readonly FileRemark[] {
  const said = part.replace(/^\d+(?:[-–]\d+)? \| /, '');
  const [path, other] = filesNamed(said);
  if (path === undefined || other !== undefined || said.endsWith(':')) return [];
  if (dependent.test(said)) return [];
  const [head, rest] = said.split(path, 2) as [string, string];
  const isSubject = /^[\s"'`(*-]*(?:(?:the|file|new|in|created?|added)\s+)*["'`(]*$/i.test(head);
  const [, mark = '', what = ''] =
    /^["'`)]*(?:\s\([^)]{0,60}\))?\s*([-–—:|→]+|=)\s+(?:[\d–-]+ \| )?(.+)$/.exec(rest) ?? [];
  const isRow = mark === '|' || part !== said;
  if (isSubject && what.length >= least && (!isRow || states.test(what)))
    return [{ path, text: clip(what, longest), worth: worth * telling }];
  if (isAside(head, rest) || usesFile.test(head) || compares.test(head)) return [];
  const words = said.replace(path, '').match(/\p{L}{3,}/gu) ?? [];
  return words.length < 4 || said.length > 2 * longest || !states.test(said)
    ? []
    : [{ path, text: clip(said, longest), worth }];
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
