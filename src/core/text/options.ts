import { clip, oneLine } from './sentences.ts';

/** Longest option that is told with a question, in UTF-16 units. */
const longest = 70;

/** A question with what the options that it names by a letter stand for, in the words of the text that asks it. */
export function withOptions(question: string, text: string): string {
  const named = [...question.matchAll(/\(([a-e])\)|\boption ([a-e])\b/gi)];
  const letters = new Set(named.map(([, alone, behind]) => (alone ?? behind)!.toLowerCase()));
  const meant = [...letters].flatMap((letter) => optionOf(letter, text));
  return meant.length === 0 ? question : `${question} ${meant.join('; ')}`;
}

/** What begins a line as the option of a letter: `- **(a) Server derives it** from …`, `Option B: a queue`, `| **C. Both** |`. */
export function optionOf(letter: string, text: string): readonly string[] {
  const head = `^[\\s>*#+|-]*(?:\\d{1,2}[.)] )?(?:\\(?${letter}\\)|${letter}\\.(?= )|option ${letter}\\b)(?: \\([^()\\n]*\\))?`;
  const option = new RegExp(`${head}[\\s*:.)–—-]*([^\\n.;:—|]{6,})`, 'im').exec(text)?.[1];
  return option === undefined
    ? []
    : [`(${letter}) ${clip(oneLine(option.replace(/\*\*/g, '')), longest)}`];
}
