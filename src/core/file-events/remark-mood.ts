import { dependent } from '../lines/passages.ts';

// What a remark tells of a file: what is so, what is to be done, or no more than what
// was thought, asked or offered. A rule ("must never be empty") and what a program does
// ("will retry three times") are so; who wants to change something says who, or which file.

/** Whether a remark tells what is so, what is to be done, or nothing that holds. */
export type Mood = 'fact' | 'plan' | 'thought';

/** What a work on code is called. */
const changing =
  'add|allow|avoid|change|clean|compute|configure|create|delete|disable|drop|emit|enable|ensure|expose|extend|extract|fix|implement|include|inject|introduce|make|modify|move|pass|populate|propagate|refactor|register|remove|rename|replace|restructure|revert|rewrite|set|simplify|split|support|switch|update|wire|wrap|write';

/** What is done to a file. */
const changedFile =
  'added|adapted|changed|cleaned|created|deleted|emptied|extended|fixed|moved|removed|renamed|replaced|rewritten|split|updated';

/** What is done to code and to nothing that a program handles. */
const changedCode =
  'extracted|implemented|inlined|moved|refactored|renamed|reverted|rewritten|untangled';

/** What tells somebody to do something: `Add the routes of the admin`. */
const ordering = new RegExp(`^(?:${changing}|handle|use|call)\\s`, 'i');

/** What begins like that and is the name of something: `Write path of the store`, `Set of dates`. */
const naming =
  /^(?:call (?:chain|graph|log|site|stack|tree)|change (?:detection|event|history|log|set)|include (?:guard|path)|move semantic|set operation|split (?:pane|screen|view)|switch statement|update (?:handler|loop)|use case|write (?:buffer|lock|path|queue))s?\b|^(?:change|fix|handle|set|split|support|switch|update|use|wrap|write)s? (?:of|for)\b|^set (?:at|by|from|in|on|once|only|when)\b/i;

/** What tells somebody what to do with something else by means of a file, or what holds whenever something is done. */
const byMeans = /^(?:use|call)\s/i;
const whenever =
  /\b(?:whenever|always|never|each time|every time|with (?:each|every)|when (?:you|we|\w+ing)|in (?:each|every) (?:commit|release|change))\b|^(?:if|unless)\b/i;

/** Who is going to do something, and what. */
const going =
  /\b(?:i|we)(?:(?:['’]ll| will| should| must|['’](?:m|re) going to| (?:am|are) going to| (?:still |also |now |first |just )?(?:need|have|want|plan) to)(?! not\b| never\b)) (?:(?:\w+ly|also|first|then|just|now|still) ){0,2}([a-z]+)\b|^(?:still )?(?:let me|let['’]s|need to|going to|time to|remains? to) (?:(?:\w+ly|also|first|then|just|now) ){0,2}([a-z]+)\b/i;
const changes = new RegExp(`^(?:${changing})$`, 'i');

/** Work that only looks. */
const looks =
  /^(?:ask|check|compare|confirm|debug|dig|double|examine|explore|find|go|inspect|investigate|know|look|navigate|open|read|review|run|see|start|test|think|trace|try|understand|verify|view|wait)$/i;

/** A file that is said to need a change. */
const needing = new RegExp(
  `^(?:also |still |then )?(?:needs? (?:to be (?:${changedFile})|updating|fixing|changing|moving|rewriting|an update|a fix)|(?:should|must|has to|is to) (?:also )?be (?:${changedFile}))\\b`,
  'i',
);

/** Code that is said to need a change. */
const mustChange = new RegExp(
  `\\b(?:needs? to|should|must|has to|have to|is to|are to|will|going to) be (?:${changedCode})\\b`,
  'i',
);

/** What takes back what was said just before, and how it begins. */
const interjecting =
  /^(?:(?:wait|hm+|oops|hold on|actually|no|on second thought)[,.:!—–…] ?){1,3}/i;

/** What is wondered, asked, taken back or quoted. */
const wondering =
  /^(?:scratch that|never ?mind|maybe|perhaps|what if|i (?:wonder|think|guess|suspect|believe))\b|^asked “|^["“][^"“”]{40}|\?["'”)]?$/i;

/** What is offered, or said of what might be done. */
const offering =
  /\b(?:i|we)(?:['’]d| would| could| can| might)\b(?!['’]| not\b| have\b| (?:see|confirm|reproduce)\b)|^(?:could|might|would|or would you|if you (?:want|like|prefer|wish))\b|^(?:i|we) (?:propose|suggest|recommend)\b|^my (?:lean|recommendation|suggestion|proposal)\b|\bwould be (?:simple|simpler|prudent|better|best|nice|good|enough|eas(?:y|ier)|cleaner|safer|worth|to)\b|^\w+ing\b[^;]{1,120} (?:would|makes sense|might help)\b|^(?:the|an?|one|another) (?:\w+ ){0,2}(?:fix|change|approach|option|solution|idea|alternative|refactor|way)\b[^;]{0,120}? (?:would|could|might)\b/i;

/** What somebody is told to look at, which says nothing of what is there. */
const lookingOrder =
  /^(?:verify|investigate|double-check|make sure|confirm) (?:that|whether|why|how|if|no|the|all)\b/i;

/** What stands before what is said. */
const opening =
  /^(?:(?:so|but|and|also|then|first|next|now|finally|instead),? ){1,3}|^(?:in|for) [^,;]{1,80}, /i;

/** When it is so: what is done then is no order. */
const condition = /^(?:before|after|when|once|if|while|since) [^,;]{1,80}, /i;

/** What a text tells of a file: of one that it names at its beginning what stands behind the name, else all that it says. */
export function moodOf(text: string, isNamed: boolean): Mood {
  const begun = text.replace(interjecting, '');
  if (begun !== text && dependent.test(begun)) return 'thought';
  const said = begun.replace(opening, '');
  if (wondering.test(said)) return 'thought';
  const [, will, shall] = going.exec(said) ?? [];
  if (changes.test(will ?? shall ?? '')) return 'plan';
  // What is said first may be so, whatever it is said for: "The lock is held here, so I'll check the caller".
  const clause = said.replace(condition, '').split(/[,;] | [—–] /, 1)[0]!;
  const [, goes = '', go] = going.exec(clause) ?? [];
  if (go !== undefined || looks.test(goes) || offering.test(clause) || lookingOrder.test(said))
    return 'thought';
  if (whenever.test(said)) return 'fact';
  if (mustChange.test(said)) return 'plan';
  const behind = isNamed ? said : (subject.exec(said)?.[1] ?? '');
  if (needing.test(behind)) return 'plan';
  const isOrder = ordering.test(said) && !naming.test(said);
  return isOrder && (isNamed || !byMeans.test(said)) ? 'plan' : 'fact';
}

/** What is said of the file that is its subject: `The "hash.ts" needs updating`. */
const subject =
  /^(?:(?:the|a|this) )?[`"']?[^\s`"']{1,160}[`"']? (?:(?:file|module|tests?) )?(.+)$/i;
