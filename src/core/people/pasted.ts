import { prose, withinScanLimit, wordCount } from '../text/sentences.ts';

// What people paste into a message is not theirs: errors, traces, data, reviews, what a terminal showed.

/** A line of a screen, a log or a trace: whatever it says, nobody types it. */
const ofScreen =
  /^\s*(?:at \S.*:\d|\$ |➜|[⎿⏺✻│├╰╭❯])|^[ \t]{2,16}\d{1,5}[ \t]{0,9}(?:[-+|│→]|[ \t]{2})|^\s{0,8}\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|^[\w.-]{1,32}@[\w.-]{1,64}(?: \S{1,80} %|:\S{0,80}[$#]) |^(?:=== (?:RUN|NAME|PAUSE|CONT) |\s{0,16}--- (?:FAIL|PASS|SKIP): )/;

/** A line as git prints several of, or one beside an error. */
const ofGit = /^(?:remote|hint): /;
const besideGit =
  /^(?:remote: )?(?:error|fatal): |^To \S+$|^remote: (?:Permission|Repository|Invalid|Support|Enumerating|Counting|Resolving)\b/;

/** Finds which of some lines are those of a screen, a log or a trace. */
function screenFinder(lines: readonly string[]): (line: string) => boolean {
  const isGit =
    lines.filter((line) => ofGit.test(line)).length > 1 ||
    lines.some((line) => besideGit.test(line));
  return (line) => ofScreen.test(line) || (isGit && ofGit.test(line));
}

/** How a text begins that is an error, data or a command that was run. */
const beginsPasted =
  /^\s*(?:[[{<>]|(?:[\w.]*(?:Error|Exception)|error(?:\[\w+\])?|fatal|panic|Traceback[^:]*):(?:\s|$)|Ran `)/;

/** A line that no person types, though no screen shows it either: data, a quote, a change, an error. */
const pasted =
  /[{}]|":\s*["\d[]|^\s*> |^\s*[+-]\s?\d{1,5}\s|^\s*(?:(?:[\w.]*(?:Error|Exception)|error(?:\[\w+\])?|fatal|panic|Traceback[^:]*):(?:\s|$))|^Ran `/;

/** A short line that shows what stands below it, to be looked at: `What about this one?`, `They said:`. */
const showing =
  /^(?=.{1,90}$).*?(?:\b(?:(?:how|what) about|think (?:of|about)|thoughts on|consider|address|look at|another|(?:this|next|last) one)\b[^?:]*[?:]|\b(?:here['’]?s|here is|following|below|feedback|comments?|review|output|errors?|logs?|got|said|says)\b[^:]*:)\s*$/i;

/** What makes of such a line one that leads to a person's own list. */
const leading =
  /\b(?:want|need|rules?|requirements?|constraints?|should|must|decisions?|decided|plan|steps?)\b/i;

/** A line with the margin of what a terminal shows, and how many make it one. */
const setIn = /^ \S/;
const leastSet = 3;

/** A line that is set in: below one of a screen it belongs to that. */
const deep = /^\s{2,}\S/;

/** The lines of a message that were typed: not those that look pasted, nor those right below one, nor what is only shown. */
export function typedIn(text: string): string {
  let isPasted = false;
  let isScreen = false;
  const all = text.split(/\r?\n|\r/);
  const isOfScreen = screenFinder(all);
  const lead = all.findIndex(
    (line, at) => showing.test(line) && !leading.test(line) && all[at + 1]?.trim() === '',
  );
  const isSet = all.filter((line) => setIn.test(line)).length >= leastSet;
  const typed = (line: string, at: number): boolean => {
    isScreen = isOfScreen(line) || (isScreen && (deep.test(line) || line.trim() === ''));
    isPasted =
      (isScreen && line.trim() !== '') ||
      pasted.test(line) ||
      (isSet && setIn.test(line)) ||
      isBlock(line, all[at - 1] ?? '') ||
      (isPasted && line.trim() !== '');
    return !isPasted;
  };
  return all
    .slice(0, lead < 0 ? all.length : lead + 1)
    .filter(typed)
    .join('\n');
}

/** Whether nothing of a text was typed, but for a word: it is what a screen showed, an error, data or in fences. */
export function isAllPasted(text: string): boolean {
  const unfenced = prose(text);
  const all = unfenced.split(/\r?\n|\r/).filter((line) => line.trim() !== '');
  const [first, second] = all;
  if (first === undefined) return /\p{L}/u.test(text);
  if (second === undefined && asking.test(first)) return false;
  const isBegun = screenFinder(all)(first) || beginsPasted.test(first);
  return isBegun && isWordless(typedIn(unfenced));
}

/** What asks for something in the line of an error: `Error: nothing happens. Fix it`. */
const asking =
  /\b(?:please|bitte|(?:can|could) you|fix (?:it|this|that))\b|(?:[,.;!?]|\s[–—-])\s(?:now )?(?:fix|change|help|make)\b/i;

/** Whether a text has no more than a word; where words are not parted by spaces, than a short one. */
const isWordless = (text: string): boolean =>
  wordCount(text) < 2 &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{3}/u.test(text);

/** The line of a pasted text that says what failed; '' for none. */
export const errorIn = (text: string): string =>
  withinScanLimit(text)
    .split(/\r?\n|\r/)
    .find((line) => errorLine.test(line)) ?? '';

const errorLine =
  /^\s*(?:[\w.]*(?:Error|Exception)|error(?:\[\w+\])?|fatal|panic|remote: (?:error|fatal)|--- FAIL):\s/i;

/** Whether a line begins what is set in below a line that ends with a colon, and no list. */
const isBlock = (line: string, before: string): boolean =>
  /^(?:\t|\s{2,})[^\s*+•\d-]/.test(line) && /:\s*$/.test(before) && !leading.test(before);

/** A text without the lines of a screen, a log or a trace. */
export function withoutScreen(text: string): string {
  const lines = text.split('\n');
  const isOfScreen = screenFinder(lines);
  return lines.filter((line) => !isOfScreen(line)).join('\n');
}

/** Whether most of a text was pasted: it stands between fences, or in lines of a screen, a log or a trace. */
export function isMostlyPasted(text: string): boolean {
  const scanned = withinScanLimit(text);
  return lettersIn(withoutScreen(prose(scanned))) < lettersIn(scanned) / 2;
}

const lettersIn = (text: string): number => text.replaceAll(/\s+/g, '').length;
