import {
  commandLines,
  errorLines,
  fillSection,
  requestLines,
  statementLines,
  type CandidateLine,
} from './summary-candidates.ts';
import { plainSentence } from '../text/decisions.ts';
import { containsWord } from '../text/entities.ts';
import { mentionsIn, type Mention } from '../text/salience.ts';
import { argumentsOf, textOf, type Message } from '../messages/message.ts';
import {
  inlineSection,
  headName,
  parseSections,
  printSections,
  section,
  type TextSection,
  type SectionName,
  filesIn,
  itemText,
} from '../text/sections.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { cutTo, dropLines } from '../text/truncate.ts';
import { sanitize } from './sanitize.ts';
import type { Purpose } from './compression-state.ts';
import type { Count } from '../messages/token-count.ts';

// The embedded summarizer, an extractive one. It takes lines and names verbatim,
// invents nothing and needs no model: on agent logs prose rankers keep a fifth of
// the names that are needed again, this keeps most of them.

/** A request for an embedded summary. */
export interface HarvestRequest {
  readonly purpose: Purpose;
  readonly entries: readonly { readonly id: string; readonly message: Message }[];
  /** Earlier text to shorten or join: an aged checkpoint, the checkpoints of a frame; '' if none. */
  readonly text: string;
  /** Most tokens of the summary. */
  readonly target: number;
  readonly count: Count;
}

/** A section with its share of the target. */
type SectionShare = readonly [name: SectionName, share: number];

/** The sections in order; what one leaves of its share passes on to the next. */
const shares: Readonly<Record<'checkpoint' | 'results', readonly SectionShare[]>> = {
  checkpoint: [
    ['Requests', 0.2],
    ['Findings and decisions', 0.25],
    ['Open', 0.08],
    ['Errors', 0.04],
    ['Commands', 0.08],
    ['Files', 0.14],
    ['Names', 1],
  ],
  results: [
    ['Findings and decisions', 0.4],
    ['Files', 0.2],
    ['Open', 0.1],
    ['Requests', 0.08],
    ['Errors', 0.02],
    ['Commands', 0.05],
    ['Names', 1],
  ],
};

/** Most names that are compared with the text of the sections before them. */
const mostNames = 1_500;

/**
 * The embedded summary: requests, findings and decisions, open items, errors,
 * commands, files and names, verbatim. At most `target` tokens by `count`; not
 * empty where there is any text and room for a word. Results and partial
 * results begin with findings and files; a text to age or merge loses lines.
 */
export function harvest(request: HarvestRequest): string {
  const { purpose, target, count } = request;
  const earlier = sanitize(request.text);
  const shortens = (purpose === 'age' || purpose === 'merge') && earlier !== '';
  const text = shortens ? earlier : summarize(request, earlier);
  const fitting = dropLines(text, target, count);
  return fitting === '' ? cutTo(gist(text, request), target, count).trim() : fitting;
}

/** The lists that a checkpoint keeps beside its text, read from it. */
export function sectionsOf(text: string): {
  /** Lines of findings and decisions. */
  readonly decisions: readonly string[];
  /** Files marked as changed; all under a head that says so. */
  readonly files: readonly string[];
  /** Open items that are not questions. */
  readonly next: readonly string[];
  readonly questions: readonly string[];
} {
  const sections = parseSections(unfolded(sanitize(text))).map(({ head, items }) => ({
    name: headName(head).toLowerCase(),
    items: items.map(itemText).filter((item) => item !== ''),
  }));
  const under = (names: RegExp): readonly string[] =>
    sections.filter(({ name }) => names.test(name)).flatMap(({ items }) => items);
  const open = under(
    /^(?:open(?! questions)|next|to[- ]?do|remaining|pending|planned|in progress)/,
  ).filter((item) => !/^\[x\]/i.test(item));
  return {
    decisions: under(/decision|finding/),
    files: [...new Set(sections.flatMap(({ name, items }) => filesUnder(name, items)))],
    next: open.filter((item) => !item.endsWith('?')),
    questions: [...open.filter((item) => item.endsWith('?')), ...under(/question/)],
  };
}

/** A text with the sections that a model wrote on one line put under heads. */
function unfolded(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const inline = inlineSection(line);
      return inline === null ? line : `${inline[0]}:\n- ${inline[1]}`;
    })
    .join('\n');
}

function filesUnder(name: string, items: readonly string[]): readonly string[] {
  if (name === 'files')
    return items.flatMap((item) => (item.startsWith('*') ? [item.slice(1)] : []));
  const isChanged = /files?\b/.test(name) && /modif|chang|creat|touch|edit/.test(name);
  return isChanged || /^artifacts?\b/.test(name) ? items.flatMap(filesIn) : [];
}

function summarize(request: HarvestRequest, earlier: string): string {
  const { entries, target, count } = request;
  const messages = entries.map(({ message }) => message);
  const mentions = mentionsIn(messages);
  const candidates = candidatesIn(messages, mentions);
  const before = earlier === '' ? [] : parseSections(earlier);
  const layout =
    request.purpose === 'results' || request.purpose === 'partial'
      ? shares.results
      : shares.checkpoint;
  const done: TextSection[] = [];
  let used = 0;
  let carry = 0;
  for (const [name, share] of layout) {
    const room = Math.min(target - used, Math.floor(target * share) + carry);
    const shown = printSections(done);
    const fresh =
      name === 'Names'
        ? candidates.Names.slice(0, mostNames).filter(({ text }) => !containsWord(shown, text))
        : candidates[name];
    const filled = fillSection(section(name, []), [...fresh, ...earlierLines(before, name)], {
      room,
      count,
    });
    if (filled.items.length > 0) done.push(filled);
    const now = filled.items.length > 0 ? count(printSections(done)) + 1 : used;
    carry = Math.max(0, room - (now - used));
    used = now;
  }
  return printSections(done);
}

/** Candidates from an earlier text, newest or best first, as older than all entries. */
function earlierLines(before: readonly TextSection[], name: SectionName): readonly CandidateLine[] {
  const key = name.toLowerCase();
  return before
    .filter(
      ({ head }) =>
        headName(head).toLowerCase() === key || (head === '' && name === 'Findings and decisions'),
    )
    .flatMap(({ items, separator }) =>
      (separator === '\n' ? items.toReversed() : items).map((item, at) => ({
        text: item.replace(/^- /, ''),
        at: -1 - at,
        value: 0,
      })),
    );
}

function candidatesIn(
  messages: readonly Message[],
  mentions: readonly Mention[],
): Readonly<Record<SectionName, readonly CandidateLine[]>> {
  const { findings, open } = statementLines(messages, mentions);
  const nameLine = (text: string, mention: Mention): CandidateLine => ({
    text,
    at: mention.last,
    value: mention.weight,
  });
  return {
    Requests: requestLines(messages),
    'Findings and decisions': findings,
    Open: open,
    Errors: errorLines(messages),
    Commands: commandLines(messages),
    Files: mentions.flatMap((mention) =>
      mention.kind === 'path'
        ? [nameLine(`${mention.changed ? '*' : ''}${mention.name}`, mention)]
        : [],
    ),
    Names: mentions.flatMap((mention) =>
      mention.kind === 'path' || mention.kind === 'command'
        ? []
        : [nameLine(mention.name, mention)],
    ),
  };
}

/** One line where no section fits: the first of the summary, of the earlier text, or of the newest message with any. */
function gist(text: string, { entries, text: earlier }: HarvestRequest): string {
  const shown = [text, sanitize(earlier)].flatMap(
    (source) => parseSections(source)[0]?.items[0] ?? [],
  );
  const said = [...entries].reverse().map(({ message }) => withinScanLimit(textOrCalls(message)));
  const lines = [...shown, ...said].map((line) => plainSentence(line).replace(/^[-\s<[*]+/, ''));
  return lines.find((line) => line !== '') ?? '';
}

function textOrCalls(message: Message): string {
  const text = textOf(message.content);
  if (text.trim() !== '' || message.role !== 'assistant') return text;
  return (message.toolCalls ?? []).map((call) => `${call.name} ${argumentsOf(call)}`).join(' ');
}
