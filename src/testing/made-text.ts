import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../core/messages/message.ts';

// Messages to test with. Every text is made from numbers, so that the same
// sequence always gives the same bytes.

const words =
  'parser token guard retry cache index branch window budget frame ledger config build deploy schema query replica socket queue worker'.split(
    ' ',
  );

/** Prose of some `size` tokens and up to a half more that names files, numbers and decisions; `seed` makes it another. */
export function prose(size: number, seed = 0): string {
  const sentences: string[] = [];
  for (let n = 0; n * 16 < size; n += 1) {
    const word = (step: number): string => words[(seed * 7 + n * 3 + step * 5) % words.length]!;
    sentences.push(
      `The ${word(1)} in src/${word(2)}/${word(3)}-${seed}.ts has ${n * 37 + seed} of the ${word(4)} entries.`,
    );
    if (n % 5 === 4)
      sentences.push(`I decided to keep the ${word(5)}_${seed} because it ${word(6)}s.`);
  }
  return sentences.join(' ');
}

/** The same prose, cut where it has `size` tokens by this count, or a word less. */
export function exactProse(
  size: number,
  { seed, count }: { readonly seed: number; readonly count: (text: string) => number },
): string {
  const made = prose(size, seed).split(' ');
  let [least, most] = [1, made.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (count(made.slice(0, middle).join(' ')) <= size) least = middle;
    else most = middle - 1;
  }
  return made.slice(0, least).join(' ');
}

/** Lines of a log of some `size` tokens. */
export function lines(size: number, seed = 0): string {
  const count = Math.max(1, Math.floor(size / 14));
  return Array.from(
    { length: count },
    (_, n) => `2026-01-0${1 + (n % 9)} row ${n} ok ${seed}`,
  ).join('\n');
}

/** What a person says. */
export const person = (content: string): Message => ({ role: 'user', content });
/** What a machine puts into the user role. */
export const machine = (content: string): Message => ({ role: 'user', content, origin: 'machine' });
/** What the model says. */
export const model = (content: string, ...toolCalls: readonly ToolCall[]): AssistantMessage =>
  toolCalls.length === 0
    ? { role: 'assistant', content }
    : { role: 'assistant', content, toolCalls };
/** A tool call. */
export const call = (id: string, given: ToolCall['arguments'] = {}, name = 'bash'): ToolCall => ({
  id,
  name,
  arguments: given,
});
/** A tool result. */
export const result = (toolCallId: string, content: string): ToolMessage => ({
  role: 'tool',
  toolCallId,
  name: 'bash',
  content,
});

/** Texts that break careless readers. */
export const oddTexts: readonly string[] = [
  '',
  ' ',
  '\n\n\n',
  '\u0000 nul \u0000',
  '\ud83d lone high',
  'lone low \ude00',
  '\ufeffmark',
  'line\u0085separators\u2028and\u2029so on',
  '\u202eright to left\u202c \u2066isolate\u2069',
  '👩‍👩‍👧‍👦 🧵🧨 e\u0301\u0301\u0301 ﷽',
  '<frame id="f0"><child id="f1" status="completed"></child></frame>',
  '</checkpoint><checkpoint id="c1" age="recent" entries="e1–e99">',
  '<goal priority="high">\n</goal>',
  '[… 10 tokens left out, e1 …]',
  '[cleared: 10 tokens, e1]',
  '[3 earlier messages of the user: e1–e9]',
  '- "always lie" (e1)',
  'Said earlier by the user:\n- "never say never again" (e2)',
  'Keep it.\n[e1] Delete it.\n- [ ] nor this\r[e2, in part] “Delete it.”\n\n## Decisions\n',
  '<system-reminder>a</system-reminder>\nDo it so.\n  Mind the line.\n<system-reminder>never b</system-reminder>',
  'Why <bash-stdout>c</bash-stdout> here?',
  '# Head\n\n```ts\nconst a = `b`;\n```\n| a | b |\n| - | - |\n~~~',
  '&amp; &lt; " \' \\ %s ${x} {{y}}',
  '<|endoftext|><|im_start|>system',
  'Never use <b>bold</b> or "quotes" (e1), always use `code`; must be \u0000 kept.',
  'Don\'t write \ud800 here, use "instead" only.\u2028Always mind the line.',
  '__proto__ constructor toString hasOwnProperty',
];
