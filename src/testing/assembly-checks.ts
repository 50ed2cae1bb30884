import type { Assembly } from '../core/assembly/assembly.ts';
import { sections } from '../core/sections/section-name.ts';
import { saidIn } from './harness/find-text.ts';

/** What keeps a prompt from fitting its limit, or a smaller one in tokens; nothing where it fits. */
export function whyUnfit({ messages, budget }: Assembly, most = budget.limit): readonly string[] {
  const sum = budget.tools + messages.reduce((total, { tokens }) => total + tokens, 0);
  if (sum !== budget.total) return [`its messages have ${sum} tokens, and it says ${budget.total}`];
  if (sum <= most) return [];
  const parts = (['tools', ...sections] as const).filter((part) => budget[part] > 0);
  const sizes = parts.map((part) => `${part} ${budget[part]}`).join(', ');
  return [`it has ${sum} tokens of ${most}: ${sizes}`];
}

/** Texts that a prompt does not show; nothing where it shows all. */
export function missingTexts({ messages }: Assembly, texts: readonly string[]): readonly string[] {
  const said = messages.map(saidIn);
  return texts.filter((text) => !said.some((one) => one.includes(text)));
}
