import { leavesOf } from './command.ts';
import { fail } from './error.ts';
import { oneLine } from './sentence.ts';
import type { ToolCall } from './message.ts';

// Calls that cannot be taken back. Before one is carried out, where the session
// stands is written down. A pattern is a regular expression, without regard to
// case, over the name of the tool and what it is called with.

/** What counts as destructive unless told. */
export const usuallyDestructive: readonly string[] = [
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

/** Longest call that is looked at, in UTF-16 units. */
const examined = 4_000;

/** Whether a call matches one of `patterns`; null for {@link usuallyDestructive}. */
export function isDestructive(call: ToolCall, patterns: readonly string[] | null): boolean {
  const text = oneLine(`${call.name} ${leavesOf(call.arguments, examined)}`);
  return (patterns ?? usuallyDestructive).some((pattern) => matcherOf(pattern).test(text));
}

const matchers = new Map<string, RegExp>();

function matcherOf(pattern: string): RegExp {
  const known = matchers.get(pattern) ?? new RegExp(pattern, 'i');
  if (matchers.size > 256) matchers.clear();
  matchers.set(pattern, known);
  return known;
}

/**
 * Patterns that came from outside: texts of regular expressions, or regular
 * expressions; null for the usual ones. Throws `OPTION_INVALID`.
 */
export function toPatterns(given: unknown): readonly string[] | null {
  if (given === null) return null;
  if (!Array.isArray(given)) throw invalid(given);
  return given.map((one: unknown) => {
    const pattern = one instanceof RegExp ? one.source : one;
    if (typeof pattern !== 'string' || pattern === '') throw invalid(one);
    try {
      matcherOf(pattern);
    } catch {
      throw invalid(one);
    }
    return pattern;
  });
}

function invalid(value: unknown): Error {
  const shown = (JSON.stringify(value) ?? String(value)).slice(0, 80);
  return fail(
    'OPTION_INVALID',
    `Option "destructive" cannot be ${shown}; it takes a list of regular expressions`,
    { option: 'destructive', value: String(value) },
  );
}
