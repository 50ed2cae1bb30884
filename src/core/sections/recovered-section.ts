import type { Count } from '../messages/token-count.ts';
import { indented, sanitizeLine, untagged } from '../text/sanitize.ts';
import type { RecoveredContext } from '../truncation/recovery.ts';

/**
 * The section of an assembly after a recovery: the line, open items, changed files; whole lines
 * within `target` tokens, the first line always.
 */
export function recoveredBlock(
  line: string,
  { open, files }: Pick<RecoveredContext, 'open' | 'files'>,
  { target, count }: { readonly target: number; readonly count: Count },
): string {
  const close = '</recovered>';
  const lines = [
    ...(open.length > 0 ? ['Open:', ...open.map(item)] : []),
    ...(files.length > 0 ? ['Files changed:', ...files.map(item)] : []),
  ];
  let text = `<recovered>\n${indented(untagged(line))}`;
  for (const next of lines) {
    const longer = `${text}\n${next}`;
    if (count(`${longer}\n${close}`) > target) break;
    text = longer;
  }
  return `${text.replace(/\n(?:Open|Files changed):$/, '')}\n${close}`;
}

const item = (text: string): string => `- ${sanitizeLine(text)}`;
