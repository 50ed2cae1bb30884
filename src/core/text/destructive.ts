import type { Schema } from '../values/validation.ts';
import { leavesOf } from './shell-commands.ts';
import { oneLine } from './sentences.ts';
import type { ToolCall } from '../messages/message.ts';

// Calls that cannot be taken back; a document is written before one runs. A pattern
// is a regular expression, without regard to case, over the tool's name and arguments.

/** The default patterns. */
const usuallyDestructive: readonly string[] = [
  String.raw`\brm\s+(?:-\w+\s+)*-{1,2}\w*[rf]`,
  String.raw`\bfind\b.*\s-delete\b`,
  String.raw`\bgit\s+(?:reset\s+--hard|clean\s+-\w*f|checkout\s+--\s|branch\s+-D\b|stash\s+(?:drop|clear))`,
  String.raw`\bgit\s+push\b.*(?:--force|\s-f\b|--delete)`,
  String.raw`\b(?:drop|truncate)\s+(?:table|database|schema)\b`,
  String.raw`\bdelete\s+from\b`,
  String.raw`\b(?:mkfs|shred|fdisk)\b`,
  String.raw`\bdd\s+\w+=`,
  String.raw`\bterraform\s+(?:destroy|apply)\b`,
  String.raw`\bkubectl\s+delete\b`,
  String.raw`\b(?:npm|cargo|gem)\s+publish\b`,
  String.raw`^(?:delete|remove|drop|destroy)\w*\s`,
];

/** Longest part of a call that is matched, in UTF-16 units. */
const mostMatched = 4_000;

/** Whether a call matches one of `patterns`; null for {@link usuallyDestructive}. */
export function isDestructive(call: ToolCall, patterns: readonly string[] | null): boolean {
  const text = oneLine(`${call.name} ${leavesOf(call.arguments, mostMatched)}`);
  return (patterns ?? usuallyDestructive).some((pattern) => matcherOf(pattern).test(text));
}

const matchers = new Map<string, RegExp>();

function matcherOf(pattern: string): RegExp {
  const known = matchers.get(pattern) ?? new RegExp(pattern, 'i');
  if (matchers.size > 256) matchers.clear();
  matchers.set(pattern, known);
  return known;
}

/** Patterns as an option takes them; null for {@link usuallyDestructive}. */
export const patternsSchema: Schema = {
  holds: (value) => value === null || (Array.isArray(value) && value.every(isPattern)),
  takes: 'a list of regular expressions, or null for the usual ones',
};

function isPattern(value: unknown): boolean {
  const pattern = sourceOf(value);
  if (typeof pattern !== 'string' || pattern === '') return false;
  try {
    matcherOf(pattern);
    return true;
  } catch {
    return false;
  }
}

const sourceOf = (one: unknown): unknown => (one instanceof RegExp ? one.source : one);

/** The sources of regular expressions, as options keep them. */
export function toPatterns(given: readonly (string | RegExp)[] | null): readonly string[] | null {
  return given === null ? null : given.map((one) => sourceOf(one) as string);
}
