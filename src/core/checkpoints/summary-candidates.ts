import { isDecision, plainSentence } from '../text/decisions.ts';
import { directivesOf } from '../text/directives.ts';
import { commandsOf } from '../text/entities.ts';
import { scanLiterals } from '../text/literals.ts';
import { markersIn } from '../frames/goal-markers.ts';
import type { Mention } from '../text/salience.ts';
import { isHuman, textOf, type Message } from '../messages/message.ts';
import { type TextSection, isGoalMarker } from '../text/sections.ts';
import { clip, withinScanLimit, oneLine, prose, sentences } from '../text/sentences.ts';
import type { Count } from '../messages/token-count.ts';

// Lines that a summary may be made of, taken from messages verbatim.

/** A line that a section may take. */
export interface CandidateLine {
  readonly text: string;
  /** Position of its message, and as a fraction its position in that. */
  readonly at: number;
  /** Its value among the candidates of its section. */
  readonly value: number;
}

/** Longest line that is not a directive or decision, in UTF-16 units. */
const longest = 220;

/** Most sentences of one message that are considered; the last. */
const mostSentences = 400;

/** Candidates in a row that may not fit, or say nothing new, before a section is closed. */
const mostMisses = 24;

const cue =
  /\b(?:because|fixed|works now|confirmed|found|caused|approach|plan:|so that|renamed?|moved|replaced?|split|merged?|added|removed|created|implemented|passes|passing|done)\b/i;
const pending =
  /\b(?:todo|next(?: steps?)?\b|remaining|still (?:need|to|fail)|not yet|left to do|pending|follow-?up|later|phase \d|step \d|wp\d+)/i;
/** Announcements of work, which its results say again. */
const intent =
  /^(?:(?:now|first|ok(?:ay)?|good|great|perfect|so|and|then),? )*(?:let me|i need to|i['’]ll (?:now )?(?:check|look|read|see|start|try)|need to)\b/i;
const trouble =
  /\b(?:[a-z]{0,40}(?:error|exception)|traceback|fail(?:ed|ure|s)?|panic|cannot|not found|undefined|denied|exit(?:ed)? (?:code|with))\b/i;

/** The requests of people: directives verbatim, else the first two sentences; newest first. */
export function requestLines(messages: readonly Message[]): readonly CandidateLine[] {
  return messages
    .flatMap((message, at) => {
      if (!isHuman(message)) return [];
      const text = textOf(message.content);
      const directives = directivesOf(text);
      const lines =
        directives.length > 0
          ? directives
          : sentences(prose(text))
              .slice(0, 2)
              .map((line) => clip(line, longest));
      return lines.map((line, index) => ({
        text: plainSentence(line),
        at: at + index / (lines.length + 1),
        value: 1,
      }));
    })
    .filter(({ text }) => text !== '')
    .reverse();
}

/** Statements of the model: findings and decisions, and open items; each the best first. */
export function statementLines(
  messages: readonly Message[],
  mentions: readonly Mention[],
): { readonly findings: readonly CandidateLine[]; readonly open: readonly CandidateLine[] } {
  const nameValues = new Map(
    mentions.slice(0, 200).map(({ name }, rank) => [name, 1 - rank / 200]),
  );
  const final = messages.findLastIndex(
    (message) => message.role === 'assistant' && textOf(message.content).trim() !== '',
  );
  const findings: CandidateLine[] = [];
  const open: CandidateLine[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const late = 0.5 * (at / messages.length) + (at === final ? 0.4 : 0);
    for (const { line, ...candidate } of statements(textOf(message.content), nameValues)) {
      const placed = { ...candidate, at: at + candidate.at, value: candidate.value + late };
      if (pending.test(line) || line.endsWith('?')) open.push(placed);
      else if (placed.value > 0.6) findings.push(placed);
    }
    for (const marker of markersIn(textOf(message.content))) {
      if (marker.type !== 'decision' && marker.type !== 'next') continue;
      const placed = { text: oneLine(marker.text), at: at + 0.999, value: 4 };
      (marker.type === 'decision' ? findings : open).push(placed);
    }
  }
  findings.sort((a, b) => b.value - a.value);
  open.sort((a, b) => b.at - a.at);
  return { findings, open };
}

/** The candidates among the sentences of one message, with the verbatim line; `at` from 0 to below 1. */
function statements(
  text: string,
  nameValues: ReadonlyMap<string, number>,
): readonly (CandidateLine & { readonly line: string })[] {
  const lines = sentences(prose(text)).slice(-mostSentences);
  return lines.flatMap((line, index) => {
    if (line.length < 20 || isGoalMarker(line)) return [];
    const shown = clip(plainSentence(line), longest);
    const value = valueOf(line, nameValues) + (index === lines.length - 1 ? 0.2 : 0);
    return shown.length < 12 ? [] : [{ text: shown, at: index / (lines.length + 1), value, line }];
  });
}

function valueOf(sentence: string, nameValues: ReadonlyMap<string, number>): number {
  let value = isDecision(sentence) ? 1.5 : cue.test(sentence) ? 1.2 : 0;
  if (/^(?:#|\*\*|[-*] )/.test(sentence)) value += 0.15;
  if (intent.test(sentence)) value -= 0.8;
  const names = new Set<string>();
  scanLiterals(sentence, (name) => names.add(name));
  for (const name of names) value += 0.6 * (nameValues.get(name) ?? 0);
  return value / Math.sqrt(Math.max(32, Math.min(sentence.length, longest)) / 80);
}

/** The lines of tool results that tell of an error, newest first. */
export function errorLines(messages: readonly Message[]): readonly CandidateLine[] {
  return messages
    .flatMap((message, at) => {
      if (message.role !== 'tool') return [];
      const lines = withinScanLimit(textOf(message.content))
        .split('\n')
        .slice(0, 5_000)
        .filter((line) => line.length < 300 && line.trim().length > 3);
      const errors = lines.filter((line) => trouble.test(line)).slice(0, 3);
      if (message.isError === true && errors.length === 0) errors.push(...lines.slice(0, 2));
      return errors.map((line, index) => ({
        text: clip(plainSentence(line), 140),
        at: at + index / (errors.length + 1),
        value: 1,
      }));
    })
    .filter(({ text }) => text !== '')
    .reverse();
}

/** Commands in code marks, those run most often first; `(failed)` where the last run did. */
export function commandLines(messages: readonly Message[]): readonly CandidateLine[] {
  const failed = new Set(
    messages.flatMap((message) =>
      message.role === 'tool' && message.isError === true ? [message.toolCallId] : [],
    ),
  );
  const last = new Map<string, { at: number; runs: number; failed: boolean }>();
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) {
      const hasFailed = call.id !== undefined && failed.has(call.id);
      for (const command of commandsOf({ role: 'assistant', content: '', toolCalls: [call] }))
        last.set(command, { at, runs: (last.get(command)?.runs ?? 0) + 1, failed: hasFailed });
    }
  }
  return [...last]
    .sort(([, a], [, b]) => b.runs - a.runs || b.at - a.at)
    .map(([command, { at, runs, failed: hasFailed }]) => ({
      text: `\`${oneLine(command)}\`${hasFailed ? ' (failed)' : ''}`,
      at,
      value: runs,
    }));
}

/** A section filled with the candidates that fit `room` tokens and say something new; lines in the order of the log. */
export function fillSection(
  empty: TextSection,
  candidates: readonly CandidateLine[],
  { room, count }: { room: number; count: Count },
): TextSection {
  const isLines = empty.separator === '\n';
  const isRequests = empty.head === 'Requests:';
  const chosen: CandidateLine[] = [];
  const names = new Set<string>();
  const seen: ReadonlySet<string>[] = [];
  let left = room - count(empty.head) - 1;
  let missed = 0;
  for (const candidate of candidates) {
    if (left < 2 || missed > mostMisses) break;
    const text = isLines ? `- ${candidate.text}` : candidate.text;
    const words = isLines ? wordsOf(candidate.text) : new Set<string>();
    const known = isLines
      ? words.size === 0 ||
        (isRequests ? names.has(text) : seen.some((other) => overlaps(words, other)))
      : names.has(text);
    const cost = known ? left + 1 : count(`${empty.separator}${text}`);
    missed = cost > left ? missed + 1 : 0;
    if (cost > left) continue;
    left -= cost;
    seen.push(words);
    names.add(text);
    chosen.push({ ...candidate, text });
  }
  if (isLines) chosen.sort((a, b) => a.at - b.at);
  return { ...empty, items: chosen.map(({ text }) => text) };
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));

function overlaps(words: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  let both = 0;
  for (const word of words) if (other.has(word)) both += 1;
  return both > 0.75 * Math.min(words.size, other.size);
}
