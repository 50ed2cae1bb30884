import { clip, oneLine, prose, sentenceEnd, withinScanLimit } from '../text/sentences.ts';
import { changing, chatter, finite, isIntent, isPassing } from './announcements.ts';
import { withSides, type PlainLine } from './sides.ts';
import { unwrapped } from './unwrapped.ts';

// The parts of a text that a statement is made of: sentences, and items of lists, each under
// the heading or the lead that it belongs to.

/** Longest sentence or list item, and longest statement, in UTF-16 units. */
export const longestPassage = 420;

/** Longest run of list items that are told as one statement, in UTF-16 units. */
const longestRun = 260;

/** A sentence, or items of a list, where they stand. */
interface Passage {
  readonly text: string;
  readonly isItem: boolean;
  /** The heading above, or what leads to it. */
  readonly heading: string;
  /** The passage before it, under the same heading; '' for none. */
  readonly before: string;
  /** What leads to code that stands behind it; '' for what is no such thing. */
  readonly lead: string;
}

/** What stands around code: what leads to it does not lead to what comes behind. */
const codeMark = '\u0001';

/** Code that is told with what leads to it: a command, a path, a line or two; more lines or UTF-16 units are left out. */
const shortCode = { lines: 3, length: 160 } as const;

/** Code as it goes on a line behind what leads to it; nothing but its marks where it is longer. */
function asLine(code: readonly string[]): string {
  const lines = code.map((line) => line.trim()).filter((line) => line !== '');
  const said = lines.map((line) => (line.includes('`') ? line : `\`${line}\``)).join('; ');
  const isShort = lines.length <= shortCode.lines && said.length <= shortCode.length;
  return `${codeMark}${isShort ? said : ''}${codeMark}`;
}

/** What leads to the items of what is going to be changed. */
const planned = 'Planned:';

/** An announcement that leaves to the items what is going to be done: "Now I need to:". */
const toDo = /\b(?:need to|have to|going to|will|['’]ll|should):$/i;

/** What leads to things of which one is going to be chosen, and how an announcement says so: "I need to either:". */
const oneOf = 'One of these:';
const among = /\b(?:either|one of)\b/i;

/** A line that tells the host what to show: `::git-commit{cwd="/shop"}`. */
const forHost = /^\s{0,8}:{1,3}[a-z][\w-]{0,60}\{[^\n]*\}\s*$/;

/** The sentences and the lists of a text, these with what leads to them. */
export function passagesOf(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let [heading, lead, before] = ['', '', ''];
  let run: Item[] = [];
  const add = (whole: string, isItem: boolean, toCode = ''): void => {
    const said = clip(whole, longestPassage);
    const above = lead === '' ? heading : lead;
    passages.push({ text: said, isItem, heading: above, before, lead: toCode });
    before = said;
  };
  const closeRun = (isBroken = false): void => {
    const last = run.at(-1)?.text ?? '';
    const items = last.endsWith(':') ? run.slice(0, -1) : run;
    const parts = partsOf(items, lead === '' ? heading : lead);
    for (const [at, part] of parts.entries())
      add(isBroken && at === parts.length - 1 ? `${part}${restMark}` : part, true);
    if (run.length > 0) lead = last.endsWith(':') ? last : '';
    run = [];
  };
  let isLabel = false;
  let label = '';
  /** Leaves the head that what follows does not stand under. */
  const leaveHead = (): void => {
    [heading, lead] = ['', ''];
    isLabel = false;
  };
  /** The last heading that is more than such a label, and how deep it stands. */
  let [title, depth] = ['', 0];
  const lines = unwrapped(prose(withinScanLimit(text), asLine)).filter((one) => !forHost.test(one));
  for (const line of withSides(lines.map(unmarked))) {
    const { mark, rest, indent, own = '', isNumbered = false } = line;
    const isList = mark === 'item' || mark === 'row';
    if (label !== '' && (rest !== '' || mark === 'code')) {
      if (isList) lead = `${label}:`;
      else add(label, false);
      label = '';
    }
    if (mark === 'rule') {
      closeRun();
      // Below a line that may be a heading it is the line under that.
      if (label === '') {
        leaveHead();
        [before, title, depth] = ['', '', 0];
      }
      continue;
    }
    if (mark === 'code') {
      const led = run.length === 0 ? lead : '';
      closeRun(true);
      lead = '';
      const isTold = led !== '' && led !== planned && (rest !== '' || finite.test(led));
      if (isTold) add(`${led} ${rest || '…'}`, false, led);
      if (isLabel) leaveHead();
      continue;
    }
    if (rest === '') continue;
    if (mark === 'sides') {
      closeRun();
      run.push({ text: rest, indent });
      closeRun();
      continue;
    }
    const isOfLead = lead !== '' && /^\p{L}{2,20}ing\b/u.test(rest);
    if (isList && (isOfLead || !isIntent(rest))) {
      // Behind points without numbers one with a number is of the list that these stand in.
      const [first] = run;
      if (isNumbered && first?.isNumbered === false && indent <= first.indent) {
        closeRun();
        lead = '';
      }
      run.push({ text: rest.replace(/[;,]$/, ''), indent, isNumbered });
      continue;
    }
    const item = run.at(-1);
    if (mark === '' && item !== undefined && indent > item.indent && goesOn(rest)) {
      run[run.length - 1] = { ...item, text: `${item.text} ${rest}` };
      continue;
    }
    // A label is the head of a list, not of what is said behind it.
    const isBehind = isLabel && item !== undefined && mark === '';
    closeRun();
    if (isBehind) leaveHead();
    if (mark === 'heading') {
      const said = `${rest.replace(/[.:]$/, '')}:`;
      const isBelow = anyLabel.test(said) && title !== '' && (indent > depth || depth === inBold);
      if (!isBelow) [title, depth] = [said, indent];
      [heading, lead, before] = [isBelow ? `${title} ${said}` : said, '', ''];
      isLabel = rest.endsWith(':');
    } else if (mayLead.test(rest) && !finite.test(rest)) label = rest;
    else {
      const above = own !== '' && heading !== '' ? `${heading} ${own}` : own;
      for (const [at, sentence] of rest.split(sentenceEnd).entries()) {
        if (at > 0 && lead === '') lead = above;
        const said = sentence.trim();
        if (said.endsWith(':')) {
          const isPart = dependent.test(said) || connective.test(said);
          const whole = isPart ? withAntecedent(before || heading, said) : said;
          const isAny = anyLabel.test(said) && heading !== '' && heading !== said;
          const led = isAny ? `${heading} ${said}` : whole;
          const isPlan = changing.test(said) || toDo.test(said);
          const announced = among.test(said) ? oneOf : isPlan ? planned : '';
          lead = isIntent(said) ? announced : led;
        } else if (said !== '') {
          add(said, false);
          lead = '';
        }
      }
    }
  }
  closeRun();
  if (label !== '') add(label, false);
  return passages;
}

/** A line so short that it may be the head of a list below it, though nothing says so; a sentence has a verb, too. */
const mayLead = /^[\p{Lu}\p{N}`(][^.!?:;,。、！？：★─—]{2,70}[^.!?:;,。、！？：★─…\s]$/u;

/** A label that any part of a text may have. */
const anyLabel =
  /^(?:why|progress|notes?|responsibilities|examples?|impact|key (?:reasoning|points?)|rationale|details?|pros?|cons?|benefits?|drawbacks?|fix|cause|status):$/i;

/** What stands before the next items of a list, and behind those that others follow. */
export const startMark = '…; ';
export const restMark = '; …';

/** An item of a list. */
type Item = Pick<PlainLine, 'indent' | 'isNumbered'> & { readonly text: string };

/** Whether a line below an item goes on with it, as an address or a few words do; sentences stand by themselves. */
const goesOn = (line: string): boolean => line.length <= 120 && !/[.!?:]$/.test(line);

/** The longest head that is told again where a list takes several statements, in UTF-16 units. */
const longestHead = 80;

/** The items of a list as statements of some length, each under the head of the list and the item that it belongs to. */
function partsOf(run: readonly Item[], head: string): readonly string[] {
  const parts: { text: string; readonly goesOn: boolean }[] = [];
  let [part, isNested, goesOn] = ['', false, false];
  let above: readonly Item[] = [];
  for (const [at, item] of run.entries()) {
    const isHead = item.text.endsWith(':');
    above = above.filter(
      ({ text, indent, isNumbered = false }, depth) =>
        indent < item.indent ||
        // Points with numbers are steps beside each other, whatever they end with.
        (text.endsWith(':') &&
          !isHead &&
          !(isNumbered && item.isNumbered === true) &&
          above.slice(depth + 1).every((one) => one.indent <= indent)),
    );
    const owner = above.at(-1);
    const parent = owner?.text.replace(/:$/, '') ?? '';
    const isFull = part.length + item.text.length > longestRun;
    const isApart = isHead || isNested || (part.includes(': ') && part.length > longestRun / 2);
    isNested = parent !== '';
    if (part !== '' && (isFull || (parent === '' && isApart))) {
      parts.push({ text: part, goesOn });
      part = parent === '' ? '' : clip(parent, longestHead);
      // The first items below the parent stand in the part before.
      goesOn = parent !== '' && run[at - 1] !== owner;
      if (goesOn) part += `: ${restMark.slice(2)}`;
    }
    const isUnder = parent !== '' && part.endsWith(parent);
    part += (part === '' ? '' : isUnder ? ': ' : '; ') + item.text.replace(/:$/, '');
    above = [...above, item];
  }
  if (part !== '') parts.push({ text: part, goesOn });
  return parts.map(({ text, ...one }, index) => {
    const begun = `${index === 0 || one.goesOn ? '' : startMark}${text}`;
    const end = index < parts.length - 1 ? restMark : '';
    const short = index === 0 || head.length <= longestHead ? head : `${clip(head, longestHead)}:`;
    return `${short === '' ? '' : `${short} `}${begun}${end}`;
  });
}

/** What begins with a word for something that was said before. */
export const dependent: RegExp =
  /^(?:(?:so|but|and|however|then|also|again|still|here|now),? )?(?!it (?:turns? out|seems|appears|looks like)\b)(?:this|that|these|those|it|its|they|their|he|she|which|the (?:former|latter|same)|not(?= (?!every|all|only|even|until|to\b)))\b/i;

/** A sentence with the one before it that it speaks of; '' where there is none that says something. */
export function withAntecedent(before: string, said: string): string {
  if (before === '' || isIntent(before) || isPassing(before)) return '';
  if (chatter.test(before) || dependent.test(before)) return '';
  return `${before} ${said}`;
}

/** What leads to a list with no more than how it goes on from what was said before. */
const connective =
  /^(?:instead|specifically|however|then|so|thus|therefore|otherwise|additionally|also|but|and|result|for (?:example|instance)|in (?:particular|short)):$/i;

/** How deep a heading stands that is no more than bold; one with signs, as many as it has. */
const inBold = 7;

/** Reads the marks of a line. */
function unmarked(line: string): PlainLine {
  if (line.startsWith(codeMark)) return { mark: 'code', rest: oneLine(line), indent: 0 };
  const indent = line.search(/\S|$/);
  const said = oneLine(line).replace(/^(?:&gt; ?)+/, '');
  if (/^(?:-{3,}|\*{3,}|_{3,}|(?:[-*_] ){2,}[-*_])$/.test(said))
    return { mark: 'rule', rest: '', indent };
  if (/^\|.*\|$/.test(said)) {
    const cells = said
      .slice(1, -1)
      .split('|')
      .map((cell) => plain(cell.trim()));
    const isRule = cells.every((cell) => /^:?-*:?$/.test(cell));
    return {
      mark: 'row',
      indent,
      rest: isRule ? '' : cells.filter((cell) => cell !== '').join(' | '),
    };
  }
  const [signs = ''] = /^#{1,6}(?=\s)/.exec(said) ?? [];
  if (signs !== '')
    return { mark: 'heading', indent: signs.length, rest: plain(said.slice(signs.length)) };
  if (/^\*\*[^*]+\*\*:?$/.test(said)) return { mark: 'heading', indent: inBold, rest: plain(said) };
  const item = /^(?:[-*+•]|\d{1,3}[.)]|\[[ x~]\])\s+/.exec(said)?.[0];
  if (item !== undefined) {
    const isNumbered = /^\d/.test(item);
    return { mark: 'item', indent, rest: plain(said.slice(item.length)), isNumbered };
  }
  const own = labelInBold.exec(said)?.[1];
  return { mark: '', indent, rest: plain(said), ...(own && { own: `${plain(own)}:` }) };
}

/** A label in bold at the start of a paragraph. */
const labelInBold = /^\*\*([^*\n]{2,80}?)(?::\*\*|\*\*:)\s+(?=\S)/;

/** A text without bold marks but in code, decoration before its first word, and rules. */
const plain = (text: string): string =>
  text
    .replace(/`[^`]*`|(?<!\/)\*\*(?!\/)|__(?=\S)|(?<=\S)__/g, (mark) =>
      mark.startsWith('`') ? mark : '',
    )
    .replace(/^[^\p{L}\p{N}`'"([<@#§$/~.-]+/u, '')
    .replace(/^[-=_*\s]+$/, '')
    .trim();
