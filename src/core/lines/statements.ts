import { isChoice, isDecision } from '../text/decisions.ts';
import { clip } from '../text/sentences.ts';
import { chatter, intent, isIntent, isPassing, preamble, takesBack } from './announcements.ts';
import { startMark } from './list-parts.ts';
import {
  consequent,
  dependent,
  followed,
  longestPassage,
  passagesOf,
  withAntecedent,
} from './passages.ts';
import { worthOf, type Statement } from './worth.ts';

// What a text states, in its own words: sentences and list items, those under a
// heading or a lead ("The causes are:") together with it. Announcements of work
// ("Now let me look at …"), greetings and code say nothing that lasts.

/** Most statements of one text; the first and the last ones. */
const mostStatements = 400;

/** Shortest sentence at the start of a text that speaks of what was asked, in UTF-16 units: "He says that …". */
const leastAnswer = 60;

/** Longest sentence together with one that follows from it but could stand alone, in UTF-16 units: there is room for a third that cannot. */
const longestPair = 300;

/** What a statement is worth, of what it was, with a sentence behind it that says less. */
const carried = 0.8;

const ended = /[.!?]$/;

/** The statements of a text, in order. */
export function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  /** The heading that was told last, the passage that was, and what it was told by: a head and the rest. */
  let previous = { heading: '', before: '', head: '', whole: '' };
  for (const passage of passagesOf(text)) {
    const { heading, before, isItem } = passage;
    const mark = passage.text.startsWith(startMark) ? startMark : '';
    const { said, bonus } = withoutOpener(passage.text.slice(mark.length));
    const value = isIntent(said)
      ? 0
      : valueOf(said, { isFirst: statements.length === 0, isItem, heading, lead: passage.lead });
    if (value === 0) continue;
    const last = statements.at(-1);
    const isReply = before === '' && heading.endsWith('?:');
    const isDependent = dependent.test(said) && !isReply;
    const isNext = last !== undefined && previous.before === before;
    const isAnswer = statements.length === 0 && isNothing(before) && said.length >= leastAnswer;
    // What follows a list speaks of all of it, not of its last part.
    const isOfList = isNext && last.text.includes(startMark);
    const joined = isNext ? followed(last.text, said) : withAntecedent(before, said);
    const leans = isDependent ? !isAnswer : !isItem && consequent.test(said) && ended.test(before);
    const longest = isDependent ? longestPassage : longestPair;
    const isJoined = leans && joined !== '' && !isOfList && joined.length <= longest;
    const whole = isJoined ? joined : isDependent && !isAnswer ? '' : said;
    if (whole === '' || marking.test(whole)) continue;
    // A list that goes on from a sentence has it before it.
    const isRepeated = previous.whole !== '' && whole.startsWith(followed(previous.whole, ''));
    const goesOn = isJoined && isNext;
    const least = goesOn ? last.value * carried : 0;
    if (goesOn || isRepeated) statements.pop();
    const isKnown = heading === previous.heading;
    const isHeaded =
      heading !== '' &&
      !isItem &&
      !isDependent &&
      !goesOn &&
      (!isKnown || isSharedHead.test(heading));
    const head = isRepeated && previous.head !== '' ? previous.head : isHeaded ? `${heading} ` : '';
    const text = clip(mark + head + whole, longestPassage);
    // The head that the statement before it has, too, is printed once where both are told.
    const isShared = isHeaded && isKnown;
    // The rest of a list is worth no more than what comes before it because it is short.
    const length = mark === '' ? text : text.padEnd(last?.text.length ?? 0);
    const share = worthOf(1, isShared ? whole : length) / worthOf(1, text);
    statements.push({ text, value: Math.max((value + bonus) * share, least) });
    previous = { heading, before: passage.text, head, whole };
  }
  if (statements.length <= mostStatements) return statements;
  return [...statements.slice(0, mostStatements / 2), ...statements.slice(-mostStatements / 2)];
}

/** A head that is printed once above statements that stand together: see `sharedHead` of lines. */
const isSharedHead = /^[^:]{3,90}:(?: [^:;()]{2,90}:)?$/;

/** Whether what stands before a sentence says nothing itself. */
const isNothing = (before: string): boolean => before === '' || chatter.test(before);

/** A heading or a lead above what stands in the way, or why something is so. */
const weighty =
  /\b(?:problems?|blockers?|gaps?|reasons?|causes?|risks?|caveats?|limitations?|constraints?|faults?|failures?|lessons?|decisions?|decided|choices?|trade-?offs?|why)\b/i;

/** Words to a person before what is said: agreement, praise, surprise. */
const opener =
  /^(?:(?:you['’]re|you are|that['’]s) (?:absolutely |totally |completely |quite |exactly )?right(?: to (?:ask|check|flag (?:it|that|this)|push back|call (?:it|that|this) out|point (?:it|that|this) out))?|(?:(?:really|very) )?(?:good|great|excellent|nice|fair|sharp) (?:(?:instinct|catch|point|question|call|idea|find|eye|clarification|reframing|correction|suggestion|observation|reminder|distinction)(?:es|s)?|news(?: first)?|to know|enough)|(?:that )?makes sense|got it|good|great|perfect|excellent|nice|wonderful|awesome|confirmed|understood|ah|aha|hmm+|oh|wow|sorry|thanks|thank you|yes|yep|ok(?:ay)?|sure|absolutely|right|alright|done|i see(?: the (?:issue|problem|error|bug))?|now i (?:see|understand)|i see (?:exactly )?(?:what you mean|where you['’]re going)|i apologi[sz]e)\b(?: now)?\s*(?:[,.!:;–—]+|-+(?= ))\s*|^i can see (?:that )?/i;

/** Praise that goes on, up to what is said; a point that something is so says that. */
const praise =
  /^and (?:it|that|this)(?:['’]s| is) (?:an?|the) (?:\w+ )?(?:good|great|right|fair|valid|excellent|sharp) (?:one|instinct|question|point|call|idea|catch|thing|simplification|distinction)\b(?! that\b)(?:[^.:;–—]|\.(?=\w)){0,100}(?:[.:;](?!\w)|\s[–—-])\s*/i;

/** What goes on from the words before it, and an answer that what follows explains: both stay whole. */
const goingOn = /^(?:but|and|so|since|because|which)\b/i;
const answer = /^(?:yes|yep|right|absolutely)\s*[–—-]/i;

/** A text without the words to a person that it begins with, unless it goes on from them, and without the announcement that it ends with, unless that says why or how; an apology makes what follows a correction. */
function withoutOpener(text: string): { readonly said: string; readonly bonus: number } {
  let said = text;
  for (let match = opener.exec(said); match !== null; match = opener.exec(said))
    said = said.slice(match[0].length);
  if (said !== text) said = said.replace(praise, '');
  const begun = text.slice(0, text.length - said.length);
  const bonus = /right|sorry|apolog/i.test(begun) ? 0.5 : 0;
  const stated = announcing.test(said) ? withoutAnnouncement(said) : said;
  const rest = stated.replace(/\s+\.$/, '.');
  if (rest !== said && subordinate.test(rest)) return { said: '', bonus };
  const isPart = (goingOn.test(rest) || answer.test(begun)) && !isIntent(rest);
  return isPart ? { said: begun + rest, bonus: 0 } : { said: rest, bonus };
}

/** A text without the announcement behind its statement, unless that says why or how, or ends the statement. */
function withoutAnnouncement(text: string): string {
  const announcement = announced.exec(text);
  if (announcement === null || !isIntent(announcement[1]!)) return text;
  const before = text.slice(0, announcement.index);
  const isInBrackets = before.lastIndexOf('(') > before.lastIndexOf(')');
  const isPart = /^\s/.test(announcement[0]) && unended.test(before);
  return isInBrackets || isPart ? text : `${before}.`;
}

/** How a sentence ends that says nothing without what follows: `This means`. */
const unended =
  /\b(?:means?|that|is|was|because|if|when|where|which|what|how|than|says?|shows?|suggests?)$/i;

/** What says nothing without what was announced behind it. */
const subordinate = /^(?:while|before|after|given|since|as|if|when|once|now that)\b/i;

/** An announcement behind a statement: "…, so let me check the caller"; without a mark or a word before it, it is a part of that: "a page I'll read later". */
const announced =
  /(?<=[^]{29})(?:[,;:–—-]{1,3}\s(?:(?:but|so|and|then|while) )?|\s(?:but|so|and|then|while) )(?:now )?((?:let me|i['’]ll|i need to|i should)\b[^]*)$/i;

/** What every announcement has: it is looked for first, because the whole is dear to look for. */
const announcing = /\b(?:let me|i['’]ll|i need to|i should)\b/i;

const concluding =
  /\b(?:because|since|so that|therefore|which means|found|confirmed|caused?|fixed|fails?|failed|failing|works?|passes|passing|broke|missing|wrong|incorrect|actual(?:ly)?|in fact|however|only|not|cannot|can['’]t|doesn['’]t|isn['’]t|won['’]t|already|still|unless|except|requires?|needs?|depends?|risk|trade-?off|recommend(?:ed|s|ation)?|propose|suggest|option|verdict|conclusion|summary|result)\b/i;

const correcting =
  /\b(?:you['’]re right|my mistake|i was wrong|turns? out|mistaken|misread|on second thought|correction|the (?:real|actual|root) (?:cause|problem|issue|reason)|rejected?|reverted?|gave up|abandon)/i;

/** What was only supposed, or foretold; what came of it is said later. */
const hedged =
  /\b(?:might|may be|maybe|perhaps|possibly|probably|not sure|i (?:think|guess|suspect)|(?:should|will) (?:now |then |automatically )?(?:show|appear|dispatch|pass|succeed|turn green|be (?:live|ready|green)|kick in|take effect|pick (?:it|this|that)? ?up|trigger|finish|land))\b/i;

/** What only says that something stands as it should at the moment: the next step makes it old. */
const status =
  /^[^,.;:]{3,90} (?:is|are|looks?|stays?) (?:now |all |both |still |again )?(?:in place|in|green|clean|committed|pushed|done|complete|finished|ready|coherent|good|in sync|up to date)(?: and (?:is |are |the [^,.;:]{1,40} (?:is|are) )?(?:still |now |all )?(?:green|clean|passing|pushed|committed|ready))?\.?$|^(?:committed|pushed|merged) as `?[0-9a-f]{7,40}`?\.?$/i;

/** What says how far a check or a build is at the moment: a later entry says how it ended. */
const underWay =
  /\b(?:CI|checks?|builds?|tests?|suites?|jobs?|pipelines?|workflows?|matrix|deployments?|runs?|migrations?)\b[^.;]{0,40} (?:is|are|remains?) (?:(?:still|now|currently|both|all) ){0,2}(?:running|queued|in progress|under ?way|(?:nearly|almost) (?:complete|done|finished))(?: now)?(?: with no (?:failures|errors) so far)?(?:[.;:,]| [–—-]|$)/i;

/** What tells of how it goes in general: `If the job is in progress, wait.` */
const general = /\b(?:if|when|whenever|while|until|once|unless)\b/i;

/** What tells of a slip that is put right at once, where it says no more than that there was one. */
const mended =
  /^line \d+ (?:still |also )?(?:has|had|is|says|said|uses|reads)\b[^,;:]{1,60}$|^i (?:forgot|missed|overlooked|mistyped|had [^,;:]{1,50}\bwrong)\b(?! that\b)[^,;:]{0,60}$|[–—-] (?:now )?(?:fixing|correcting|reordering|restoring|removing)\b(?![^.]{0,60}\b(?:by|because)\b)[^,;:.]{0,40}\.?$|^(?:just )?need to (?:fix|remove|add|update|import|rename)\b[^,;:]{1,60}$/i;

/** What an editor or a language server marks at the moment, and that it will pass. */
const marking =
  /\b(?:LSP|language server|gopls|IDE|linter|diagnostics?)\b(?:[^.]|\.(?=\w)){0,80}\b(?:resolve|stale|lagging|catch(?:es)? up|go(?:es)? away|clear(?:s| up)|re-?(?:index|pars|check|scan)(?:es|ed|ing)?)\b/i;

/** Offers and questions that the next message answers. */
const offer =
  /^(?:please (?:also |now |just )?(?:re-?)?(?:run|try|check|confirm|test|let|tell|paste|send|share|verify|retry)\b|(?:do you |would you )?(?:want|like) me to|should i\b|shall i\b|would you (?:like|prefer)|want (?:to|me)\b|ready (?:to|for)|let me know|what(?:['’]s| is) your|does (?:this|that) (?:look|sound|make)|sounds? good|any (?:questions|thoughts|other)|if you(?: want| like| prefer|['’]d like| would like)(?: me to| to)?,? (?:i|we) (?:can|could)\b)/i;

/** Shortest statement without a name or a number that says something, in UTF-16 units. */
const leastPlain = 36;

/** Whether a text is hardly more than paths, links and names. */
function isListing(text: string): boolean {
  const words = text.replace(/`[^`]*`|https?:\/\/\S+|\S*\/\S+/g, ' ').match(/\p{L}{3,}/gu) ?? [];
  return words.length < 3 + text.length / 60;
}

/** A member of an object in JSON, and an element of a page alone. */
const data = /^(?:"[\w$-]{1,60}": |<(\w{1,20})\b[^<>]{0,200}>[^<]*<\/\1>$)/;

/** What each name, value and path in a statement adds to its value, up to so many; what a statement with none of them is worth. */
const [shareOfName, mostNames, plainShare] = [0.15, 5, 0.75];

const name = /`[^`]{1,80}`|\d[\d.,]{0,20}|[a-z]{1,40}[A-Z]\w{0,60}|\w{1,60}[._/-]\w[\w./-]{0,120}/g;

/** Words that are joined to one, which is no name: `relay-based`, `end-to-end`. */
const compound = /^[A-Za-z]+-(?:(?:to|of|and|in|by|the|on|a)-)?[A-Za-z]+$/;

function namesIn(text: string): number {
  const names = new Set<string>(text.match(name));
  if (text.includes('-')) for (const one of names) if (compound.test(one)) names.delete(one);
  return names.size;
}

/** How telling a statement is; 0 for one that says nothing. */
function valueOf(
  text: string,
  {
    isFirst,
    isItem,
    heading,
    lead,
  }: {
    readonly isFirst: boolean;
    readonly isItem: boolean;
    readonly heading: string;
    /** What leads to code in it, whose names do not count; '' for none. */
    readonly lead: string;
  },
): number {
  if (text.length < 12 || chatter.test(text) || offer.test(text) || !/\p{L}{2}/u.test(text))
    return 0;
  if (data.test(text) || preamble.test(text)) return 0;
  const isPlain =
    text.length < leastPlain && !/[`\d]|[a-z][A-Z]|\w[._/]\w/.test(text) && !isChoice(text);
  const isTakenBack = takesBack.test(text);
  if (isPlain || (/^now\b/i.test(text) && !isTakenBack) || (!isItem && isPassing(text))) return 0;
  const [decides, corrects] = [isDecision(text), correcting.test(text) || isTakenBack];
  let value = 0.8;
  if (decides) value += 0.9;
  if (corrects) value += 0.9;
  if (concluding.test(text)) value += 0.5;
  const named = namesIn(lead === '' ? text : lead);
  value += shareOfName * Math.min(named, mostNames);
  if (isItem) value += 0.3;
  if (weighty.test(heading)) value += 0.35;
  if (isFirst) value += 0.4;
  if (text.endsWith('?')) value += 0.2;
  if (hedged.test(text)) value -= 0.5;
  const isOld = mended.test(text) || (underWay.test(text) && !general.test(text));
  if (status.test(text) || (!isItem && isOld)) value *= 0.5;
  if (intent.test(text)) value = (value - 0.5) * (named === 0 ? plainShare : 1);
  else if (named === 0 && !decides && !corrects) value *= plainShare;
  return !decides && isListing(text) ? value * 0.3 : value;
}
