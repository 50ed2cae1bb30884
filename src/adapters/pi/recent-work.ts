import type { PiBlock, PiMessage } from './host.ts';

/** What an agent did lately, for whoever goes on. */
export interface RecentWork {
  /** What came of it, a line each, oldest first. */
  readonly done: readonly string[];
  /** What comes next, in the agent's words; null where it did not say. */
  readonly next: string | null;
}

/** How many answers are looked at, and the longest line of one, in UTF-16 units. */
const most = { answers: 8, line: 160 };

/** Words with which an agent says what it will do. */
const intention = /\b(?:next|now|let me|i(?:'ll| will| need to| should)|remaining|todo|then)\b/i;

/** What the last answers of a session say was done, and what the very last says comes next. */
export function recentWork(messages: readonly PiMessage[]): RecentWork {
  const texts = messages
    .filter(({ role }) => role === 'assistant')
    .slice(-most.answers)
    .map((message) => sentencesOf(textOf(message)));
  const next = texts.at(-1)?.findLast((sentence) => intention.test(sentence)) ?? null;
  const done = texts.flatMap((sentences) => {
    const report = sentences.find((sentence) => !intention.test(sentence));
    return report === undefined ? [] : [report];
  });
  return { done: [...new Set(done)], next };
}

/** What a message says in words. */
export function textOf({ content = '' }: Pick<PiMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return content
    .flatMap((block: PiBlock) => (block.type === 'text' ? [String(block['text'])] : []))
    .join('\n');
}

const sentencesOf = (text: string): readonly string[] =>
  text
    .slice(0, 20_000)
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim().slice(0, most.line))
    .filter((sentence) => /\p{L}/u.test(sentence));
