import { isDecision } from '../text/decisions.ts';
import { clip, oneLine, prose, withinScanLimit } from '../text/sentences.ts';

// What a text states, in its own words: sentences and list items, those under a
// heading or a lead ("The causes are:") together with it. Announcements of work
// ("Now let me look at …"), greetings and code say nothing that lasts.

/** A statement of a text. */
export interface Statement {
  readonly text: string;
  /** How telling it is; above 0. */
  readonly value: number;
}

/** Longest statement, in UTF-16 units. */
const longest = 420;

/** Longest run of list items that are told as one statement, in UTF-16 units. */
const longestRun = 260;

/** Most statements of one text; the first and the last ones. */
const mostStatements = 400;

/** The statements of a text, in order. */
export function statementsOf(text: string): readonly Statement[] {
  const found: Statement[] = [];
  /** The heading that was told last, and the passage that was. */
  let told = { heading: '', before: '' };
  for (const passage of passagesOf(text)) {
    const { heading, before, isItem } = passage;
    const { said, bonus } = withoutOpener(passage.text);
    const value = isIntent(said) ? 0 : valueOf(said, { isFirst: found.length === 0, isItem });
    if (value === 0) continue;
    const last = found.at(-1);
    const isDependent = dependent.test(said);
    const isNext = last !== undefined && told.before === before;
    const alone = isDependent ? withAntecedent(before, said) : said;
    const whole = isDependent && isNext ? `${last.text} ${said}` : alone;
    if (whole === '' || (isDependent && whole.length > longest)) continue;
    if (isDependent && isNext) found.pop();
    const head = isItem || isDependent || heading === told.heading ? '' : `${heading} `;
    found.push({ text: clip(head + whole, longest), value: value + bonus });
    told = { heading, before: passage.text };
  }
  if (found.length <= mostStatements) return found;
  return [...found.slice(0, mostStatements / 2), ...found.slice(-mostStatements / 2)];
}

/** A sentence, or items of a list, where they stand. */
interface Passage {
  readonly text: string;
  readonly isItem: boolean;
  /** The heading above, or what leads to it. */
  readonly heading: string;
  /** The passage before it, under the same heading; '' for none. */
  readonly before: string;
}

/** What stands for code that was left out: what leads to it does not lead to what comes behind. */
const codeMark = '\u0001';

/** The sentences and the lists of a text, these with what leads to them. */
function passagesOf(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let [heading, lead, before] = ['', '', ''];
  let run: Item[] = [];
  const add = (whole: string, isItem: boolean): void => {
    const said = clip(whole, longest);
    passages.push({ text: said, isItem, heading: lead === '' ? heading : lead, before });
    before = said;
  };
  const closeRun = (): void => {
    const last = run.at(-1)?.text ?? '';
    const items = last.endsWith(':') ? run.slice(0, -1) : run;
    for (const part of partsOf(items, lead === '' ? heading : lead)) add(part, true);
    if (run.length > 0) lead = last.endsWith(':') ? last : '';
    run = [];
  };
  let isLabel = false;
  for (const line of prose(withinScanLimit(text), codeMark).split(/[\r\n]+/)) {
    if (line === codeMark) {
      closeRun();
      lead = '';
      if (isLabel) heading = '';
      continue;
    }
    const { mark, rest, indent } = unmarked(line);
    if (rest === '') continue;
    if ((mark === 'item' || mark === 'row') && !isIntent(rest)) {
      run.push({ text: rest.replace(/[;,]$/, ''), indent });
      continue;
    }
    const item = run.at(-1);
    if (mark === '' && item !== undefined && indent > item.indent && goesOn(rest)) {
      run[run.length - 1] = { ...item, text: `${item.text} ${rest}` };
      continue;
    }
    closeRun();
    if (mark === 'heading') {
      [heading, lead, before] = [`${rest.replace(/:$/, '')}:`, '', ''];
      isLabel = rest.endsWith(':');
    } else
      for (const sentence of rest.split(sentenceEnd)) {
        const said = sentence.trim();
        if (said.endsWith(':')) {
          const whole = dependent.test(said) ? withAntecedent(before || heading, said) : said;
          lead = isIntent(said) ? (changing.test(said) ? 'Planned:' : '') : whole;
        } else if (said !== '') {
          add(said, false);
          lead = '';
        }
      }
  }
  closeRun();
  return passages;
}

/** What stands before the next items of a list, and behind those that others follow. */
export const startMark = '…; ';
export const restMark = '; …';

/** An item of a list. */
interface Item {
  readonly text: string;
  readonly indent: number;
}

/** Whether a line below an item goes on with it, as an address or a few words do; sentences stand by themselves. */
const goesOn = (line: string): boolean => line.length <= 120 && !/[.!?:]$/.test(line);

/** The longest head that is told again where a list takes several statements, in UTF-16 units. */
const longestHead = 80;

/** The items of a list as statements of some length, each under the head of the list and the item that it belongs to. */
function partsOf(run: readonly Item[], head: string): readonly string[] {
  const parts: string[] = [];
  let [part, isNested] = ['', false];
  let above: readonly Item[] = [];
  for (const item of run) {
    const isHead = item.text.endsWith(':');
    above = above.filter(
      ({ text, indent }, at) =>
        indent < item.indent ||
        (text.endsWith(':') && !isHead && above.slice(at + 1).every((one) => one.indent <= indent)),
    );
    const parent = above.at(-1)?.text.replace(/:$/, '') ?? '';
    const isFull = part.length + item.text.length > longestRun;
    const isApart = isHead || isNested || (part.includes(': ') && part.length > longestRun / 2);
    isNested = parent !== '';
    if (part !== '' && (isFull || (parent === '' && isApart))) {
      parts.push(part);
      part = parent === '' ? '' : clip(parent, longestHead);
    }
    const separator = part === '' ? '' : parent !== '' && part.endsWith(parent) ? ': ' : '; ';
    part += separator + item.text.replace(/:$/, '');
    above = [...above, item];
  }
  if (part !== '') parts.push(part);
  return parts.map((text, index) => {
    if (head === '') return text;
    const end = index < parts.length - 1 ? restMark : '';
    if (index === 0) return `${head} ${text}${end}`;
    const short = head.length <= longestHead ? head : `${clip(head, longestHead)}:`;
    return `${short} ${startMark}${text}${end}`;
  });
}

/** What begins with a word for something that was said before. */
const dependent =
  /^(?:(?:so|but|and|however|then|also|again|still|here|now),? )?(?!it (?:turns? out|seems|appears|looks like)\b)(?:this|that|these|those|it|they|he|she|which|the (?:former|latter|same))\b/i;

/** A sentence with the one before it that it speaks of; '' where there is none that says something. */
function withAntecedent(before: string, said: string): string {
  if (before === '' || isIntent(before) || chatter.test(before) || dependent.test(before))
    return '';
  return `${before} ${said}`;
}

/** Words to a person before what is said: agreement, praise, surprise. */
const opener =
  /^(?:(?:you['’]re|you are|that['’]s) (?:absolutely |totally |completely |quite |exactly )?right|(?:(?:really|very) )?(?:good|great|excellent|nice|fair|sharp) (?:instinct|catch|point|question|call|idea|find|news|eye)s?|got it|good|great|perfect|excellent|nice|wonderful|awesome|confirmed|understood|ah|aha|hmm+|oh|wow|sorry|thanks|thank you|yes|yep|ok(?:ay)?|sure|absolutely|right|alright|done|i see(?: the (?:issue|problem|error|bug))?|now i (?:see|understand)|i apologi[sz]e)\b(?: now)?\s*(?:[,.!:;–—]+|-+(?= ))\s*|^i can see (?:that )?/i;

/** A text without the words to a person that it begins with, and without the announcement that it ends with; an apology makes what follows a correction. */
function withoutOpener(text: string): { readonly said: string; readonly bonus: number } {
  let said = text;
  for (let match = opener.exec(said); match !== null; match = opener.exec(said))
    said = said.slice(match[0].length);
  const begun = text.slice(0, text.length - said.length);
  const bonus = /right|sorry|apolog/i.test(begun) ? 0.5 : 0;
  const stated = announcing.test(said) ? said.replace(announced, '.') : said;
  const rest = stated.replace(/\s+\.$/, '.');
  return { said: rest !== said && subordinate.test(rest) ? '' : rest, bonus };
}

/** What says nothing without what was announced behind it. */
const subordinate = /^(?:while|before|after|given|since|as|if|when|once|now that)\b/i;

/** An announcement behind a statement: "…, so let me check the caller". */
const announced =
  /(?<=[^]{30})[,;:–—-]*\s+(?:(?:but|so|and|then) )?(?:now )?(?:let me|i['’]ll|i need to|i should)\b[^]*$/i;

/** What every announcement has: it is looked for first, because the whole is dear to look for. */
const announcing = /\b(?:let me|i['’]ll|i need to|i should)\b/i;

const sentenceEnd =
  /(?<=[.!?])(?<!\b(?:vs|e\.g|i\.e|cf|approx)\.)\s+(?=[A-Z"'`([*-])|(?<=[。！？])/;

/** A line without its marks, and what these made of it. */
function unmarked(line: string): {
  readonly mark: 'heading' | 'item' | 'row' | '';
  readonly rest: string;
  readonly indent: number;
} {
  const indent = line.search(/\S|$/);
  const said = oneLine(line);
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
  if (/^#{1,6}\s/.test(said))
    return { mark: 'heading', indent, rest: plain(said.replace(/^#+\s+/, '')) };
  if (/^\*\*[^*]+\*\*:?$/.test(said)) return { mark: 'heading', indent, rest: plain(said) };
  const item = /^(?:[-*+•]|\d{1,3}[.)]|\[[ x~]\])\s+/.exec(said)?.[0];
  if (item !== undefined) return { mark: 'item', indent, rest: plain(said.slice(item.length)) };
  return { mark: '', indent, rest: plain(said) };
}

/** A text without bold marks, decoration before its first word, and rules. */
const plain = (text: string): string =>
  text
    .replace(/\*\*|__(?=\S)|(?<=\S)__/g, '')
    .replace(/^[^\p{L}\p{N}`'"([<@#§$/~.-]+/u, '')
    .replace(/^[-=_*\s]+$/, '')
    .trim();

const intent =
  /^(?:(?:now|first|next|ok(?:ay)?|good|great|perfect|excellent|alright|right|so|and|then|but|also|finally|yes|hmm|wait|actually)[,.!:]? +)*(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to|i should|i want to|i can now|we need to|time to|now (?:i|let|the|we|update|add|fix|run|check|create)\b|(?:checking|looking|reading|running|updating|adding|creating|fixing|writing|searching|recording|closing|starting|beginning|proceeding|moving|continuing|investigating|examining|verifying|committing|pushing|applying|implementing|locking)\b|i (?:now )?have (?:everything|all|enough|a (?:clear|good|complete|full))\b)/i;

const reason =
  /\b(?:because|since|instead|rather than|so that|therefore|which means|otherwise|the (?:cause|reason|problem|issue) is)\b/i;

/** Work that only looks, whatever its reason. */
const looking =
  /\b(?:let me|let['’]s|i['’]ll|i need to|i should) (?:(?:also|now|first|just|quickly) )?(?:verify|check|look|see|confirm|read|find|trace|dig|investigate|examine|understand|view|search|try)\b/i;

/** Work that changes something. */
const changing =
  /\b(?:implement|create|add|do|make|update|fix|refactor|rewrite|write|build|move|apply|change|remove|replace|extract|simplify|clean)\b/i;

/** Whether a sentence only announces what is about to be done. */
function isIntent(sentence: string): boolean {
  return intent.test(sentence) && (!reason.test(sentence) || looking.test(sentence));
}

const concluding =
  /\b(?:because|since|so that|therefore|which means|found|confirmed|caused?|fixed|fails?|failed|failing|works?|passes|passing|broke|missing|wrong|incorrect|actual(?:ly)?|in fact|however|only|not|cannot|can['’]t|doesn['’]t|isn['’]t|won['’]t|already|still|unless|except|requires?|needs?|depends?|risk|trade-?off|recommend|propose|suggest|option|verdict|conclusion|summary|result)\b/i;

const correcting =
  /\b(?:you['’]re right|my mistake|i was wrong|turns? out|mistaken|misread|on second thought|correction|the (?:real|actual|root) (?:cause|problem|issue|reason)|instead of|no longer|rejected?|reverted?|gave up|abandon)/i;

/** What was only supposed; what came of it is said later. */
const hedged =
  /\b(?:might|may be|maybe|perhaps|possibly|probably|not sure|i (?:think|guess|suspect))\b/i;

const chatter =
  /^(?:done|perfect|great|good|excellent|ok(?:ay)?|yes|sure|got it|understood|makes sense|good point|of course|absolutely|thanks?|sorry|hello|hi|here (?:is|are)|no problem|all set)\b[^.:;]{0,30}[.!:]?$/i;

/** Offers and questions that the next message answers. */
const offer =
  /^(?:(?:do you |would you )?(?:want|like) me to|should i\b|shall i\b|would you (?:like|prefer)|want (?:to|me)\b|ready (?:to|for)|let me know|what(?:['’]s| is) your|does (?:this|that) (?:look|sound|make)|sounds? good|any (?:questions|thoughts|other))/i;

/** Shortest statement without a name or a number that says something, in UTF-16 units. */
const leastPlain = 36;

/** Whether a text is hardly more than paths, links and names. */
function isListing(text: string): boolean {
  const words = text.replace(/`[^`]*`|https?:\/\/\S+|\S*\/\S+/g, ' ').match(/\p{L}{3,}/gu) ?? [];
  return words.length < 3 + text.length / 60;
}

/** A member of an object in JSON, and an element of a page alone. */
const data = /^(?:"[\w$-]{1,60}": |<(\w{1,20})\b[^<>]{0,200}>[^<]*<\/\1>$)/;

/** How telling a statement is; 0 for one that says nothing. */
function valueOf(
  text: string,
  { isFirst, isItem }: { readonly isFirst: boolean; readonly isItem: boolean },
): number {
  if (text.length < 12 || chatter.test(text) || offer.test(text) || !/\p{L}{2}/u.test(text))
    return 0;
  if (data.test(text)) return 0;
  const isPlain = text.length < leastPlain && !/[`\d]|[a-z][A-Z]|\w[._/]\w/.test(text);
  if (isPlain || /^now\b/i.test(text)) return 0;
  let value = 0.8;
  if (isDecision(text)) value += 0.9;
  if (correcting.test(text)) value += 0.9;
  if (concluding.test(text)) value += 0.5;
  if (/`[^`]+`/.test(text)) value += 0.3;
  if (/\d/.test(text)) value += 0.2;
  if (isItem) value += 0.3;
  if (isFirst) value += 0.4;
  if (text.endsWith('?')) value += 0.2;
  if (intent.test(text)) value -= 0.5;
  if (hedged.test(text)) value -= 0.5;
  return isListing(text) ? value * 0.3 : value;
}
