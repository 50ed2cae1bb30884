import { clip, prose, sentenceEnd, withinScanLimit } from '../text/sentences.ts';
import { changing, chatter, finite, isIntent, isPassing, takesBack } from './announcements.ts';
import { codeLine, inBold, unmarked } from './line-marks.ts';
import { listParts, restMark, type Item } from './list-parts.ts';
import { withSides, type LineOrSides } from './sides.ts';
import { unwrapped } from './unwrapped.ts';

// The parts of a text that a statement is made of: sentences, and items of lists, each under
// the heading or the lead that it belongs to.

/** Longest sentence or list item, and longest statement, in UTF-16 units. */
export const longestPassage = 420;

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
  const lines = unwrapped(prose(withinScanLimit(text), codeLine));
  const reader = new PassageReader();
  for (const line of withSides(lines.filter((one) => !forHost.test(one)).map(unmarked)))
    reader.read(line);
  return reader.end();
}

/** Reads a text line by line, and knows under what the next one stands. */
class PassageReader {
  readonly #passages: Passage[] = [];
  /** The heading that what comes next stands under. */
  #heading = '';
  /** Whether that ends with a colon: then it is the head of a list, and not of what is said behind it. */
  #isListHead = false;
  /** The last heading that is more than a label that any part of a text may have, and how deep it stands. */
  #title = { text: '', depth: 0 };
  /** The sentence or the label that leads to what comes next. */
  #lead = '';
  /** The passage before, under the same heading. */
  #before = '';
  /** What a lead goes on from that cannot stand alone: that passage, or of a list what leads to it. */
  #antecedent = '';
  /** A line that is the head of a list if one follows, else a passage. */
  #mayHead = '';
  /** The items of a list that is not at its end. */
  #items: Item[] = [];

  read(line: LineOrSides): void {
    const { mark, rest } = line;
    const isList = mark === 'item' || mark === 'row';
    if (rest !== '' || mark === 'code') this.#settleHead(isList);
    if (mark === 'rule') this.#readRule();
    else if (mark === 'code') this.#readCode(rest);
    else if (rest === '') return;
    else if (mark === 'sides') this.#readSides(line);
    else if (isList && this.#isItem(rest)) this.#readItem(line);
    else if (mark === 'heading') this.#readHeading(line);
    else this.#readProse(line);
  }

  end(): readonly Passage[] {
    this.#closeList();
    this.#settleHead(false);
    return this.#passages;
  }

  #add(whole: string, isItem: boolean, lead = ''): void {
    const text = clip(whole, longestPassage);
    this.#passages.push({ text, isItem, heading: this.#above(), before: this.#before, lead });
    this.#before = text;
    const above = isItem ? this.#above() : '';
    this.#antecedent = above === '' ? text : `${above} …`;
  }

  #above(): string {
    return this.#lead === '' ? this.#heading : this.#lead;
  }

  /** A line that might be a head is one where a list follows. */
  #settleHead(isBeforeList: boolean): void {
    if (this.#mayHead === '') return;
    if (isBeforeList) this.#lead = `${this.#mayHead}:`;
    else this.#add(this.#mayHead, false);
    this.#mayHead = '';
  }

  #leaveHeading(): void {
    this.#heading = '';
    this.#lead = '';
    this.#isListHead = false;
  }

  /** A rule ends all that stands above it; below a line that may be a head it is the line under that. */
  #readRule(): void {
    this.#closeList();
    if (this.#mayHead !== '') return;
    this.#leaveHeading();
    this.#before = '';
    this.#title = { text: '', depth: 0 };
  }

  /** Short code stands with what leads to it; of longer code what leads to it is told where it says something itself. */
  #readCode(code: string): void {
    const lead = this.#items.length === 0 ? this.#lead : '';
    this.#closeList(true);
    this.#lead = '';
    const isTold = lead !== '' && lead !== planned && (code !== '' || finite.test(lead));
    if (isTold) this.#add(`${lead} ${code || '…'}`, false, lead);
    if (this.#isListHead) this.#leaveHeading();
  }

  #readSides({ rest, indent }: LineOrSides): void {
    this.#closeList();
    this.#items.push({ text: rest, indent });
    this.#closeList();
  }

  /** Whether an item of a list says something: what is going to be done does only where it is told what for. */
  #isItem(text: string): boolean {
    return (this.#lead !== '' && /^\p{L}{2,20}ing\b/u.test(text)) || !isIntent(text);
  }

  #readItem({ rest, indent, isNumbered = false }: LineOrSides): void {
    // Behind points without numbers one with a number is of the list that these stand in.
    const [first] = this.#items;
    if (isNumbered && first?.isNumbered === false && indent <= first.indent) {
      this.#closeList();
      this.#lead = '';
    }
    this.#items.push({ text: rest.replace(/[;,]$/, ''), indent, isNumbered });
  }

  /** Ends a list, which is told in part where code breaks it. */
  #closeList(isBroken = false): void {
    const last = this.#items.at(-1)?.text ?? '';
    const isHead = last.endsWith(':');
    const parts = listParts(isHead ? this.#items.slice(0, -1) : this.#items, this.#above());
    for (const [at, part] of parts.entries())
      this.#add(isBroken && at === parts.length - 1 ? `${part}${restMark}` : part, true);
    if (this.#items.length > 0) this.#lead = isHead ? last : '';
    this.#items = [];
  }

  #readHeading({ rest, indent }: LineOrSides): void {
    this.#closeList();
    const text = `${rest.replace(/[.:]$/, '')}:`;
    const { text: title, depth } = this.#title;
    // A verdict in bold (`**Status: fixed**`) right below a heading is of what that names.
    const isFirst = indent > depth && this.#before === '' && this.#heading === title;
    const isLabel = anyLabel.test(text) && (indent > depth || depth === inBold);
    const isBelow = title !== '' && (isLabel || isFirst);
    if (!isBelow) this.#title = { text, depth: indent };
    this.#heading = isBelow ? `${title} ${text}` : text;
    this.#isListHead = rest.endsWith(':');
    this.#lead = '';
    this.#before = '';
  }

  #readProse({ mark, rest, indent, own = '' }: LineOrSides): void {
    const item = this.#items.at(-1);
    if (mark === '' && item !== undefined && indent > item.indent && goesOn(rest)) {
      this.#items[this.#items.length - 1] = { ...item, text: `${item.text} ${rest}` };
      return;
    }
    const isBehindList = mark === '' && item !== undefined;
    this.#closeList();
    if (isBehindList && this.#isListHead) this.#leaveHeading();
    if (mayLead.test(rest) && !finite.test(rest)) {
      this.#mayHead = rest;
      return;
    }
    const above = own !== '' && this.#heading !== '' ? `${this.#heading} ${own}` : own;
    for (const [at, sentence] of rest.split(sentenceEnd).entries()) {
      if (at > 0 && this.#lead === '') this.#lead = above;
      this.#readSentence(sentence.trim());
    }
  }

  #readSentence(text: string): void {
    if (text === '') return;
    const isTold = takesBack.test(text);
    if (text.endsWith(':') && !isTold) {
      this.#lead = this.#leadOf(text);
      return;
    }
    this.#add(isTold ? text.replace(/:$/, '.') : text, false);
    this.#lead = '';
  }

  /** What a sentence that ends with a colon leads with: an announcement only to what it plans or chooses among. */
  #leadOf(text: string): string {
    if (isIntent(text)) {
      if (among.test(text)) return oneOf;
      return changing.test(text) || toDo.test(text) ? planned : '';
    }
    if (anyLabel.test(text) && this.#heading !== '' && this.#heading !== text)
      return `${this.#heading} ${text}`;
    const isPart = dependent.test(text) || connective.test(text);
    return isPart
      ? withAntecedent((this.#before && this.#antecedent) || this.#heading, text)
      : text;
  }
}

/** A line so short that it may be the head of a list below it, though nothing says so; a sentence has a verb, too. */
const mayLead = /^[\p{Lu}\p{N}`(][^.!?:;,。、！？：★─—]{2,70}[^.!?:;,。、！？：★─…\s]$/u;

/** A label that any part of a text may have. */
const anyLabel =
  /^(?:why|progress|notes?|responsibilities|examples?|impact|key (?:reasoning|points?)|rationale|details?|pros?|cons?|benefits?|drawbacks?|fix|cause|status):$/i;

/** Whether a line below an item goes on with it, as an address or a few words do; sentences stand by themselves. */
const goesOn = (line: string): boolean => line.length <= 120 && !/[.!?:]$/.test(line);

/** What begins with a word for something that was said before. */
export const dependent: RegExp =
  /^(?:(?:so|but|and|however|then|also|again|still|here|now),? )?(?!it (?:turns? out|seems|appears|looks like)\b)(?:this|that|these|those|it|its|they|their|he|she|which|the (?:former|latter|same)|not(?= (?!every|all|only|even|until|to\b)))\b/i;

/** What follows from what was said before it, or stands against that: it says less without. */
export const consequent: RegExp =
  /^(?:so(?! (?:that|far|long|much|many)\b)|therefore|thus|hence|otherwise|instead(?! of\b)|but|however|consequently|as a (?:result|consequence)(?! of\b)|for (?:that|this) reason)\b/i;

/** A sentence with the one before it that it speaks of; '' where there is none that says something. */
export function withAntecedent(before: string, said: string): string {
  if (before === '' || isIntent(before) || isPassing(before)) return '';
  if (chatter.test(before) || dependent.test(before)) return '';
  return followed(before, said);
}

/** A passage and one behind it: the last item of a list ends where the next sentence begins. */
export const followed = (before: string, said: string): string =>
  `${before}${/[.!?:…。]["'”’)\]*_`]{0,3}$/.test(before) ? '' : '.'} ${said}`;

/** What leads to a list with no more than how it goes on from what was said before. */
const connective =
  /^(?:instead|specifically|however|then|so|thus|therefore|otherwise|additionally|also|but|and|result|for (?:example|instance)|in (?:particular|short)):$/i;
