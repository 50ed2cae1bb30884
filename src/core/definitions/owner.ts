import { indentOf } from '../text/indent.ts';

/** The type that a method of Go belongs to. */
const receiver = /^func \((?:\w+ )?\*?(\w+)(?:\[[^\]]*\])?\) /;

/** A line that begins a type which holds functions; of an implementation the type that it is for. */
const container =
  /^\s*(?:(?:export|default|abstract|pub(?:\([a-z]+\))?|public|final|sealed|data|unsafe) )*(?:class|interface|struct|trait|object|protocol|(?<impl>impl)(?:<[^>]*>)?) +(?:[\w:]+(?:<[^>]*>)? for )?(?<name>\w+)/;

/** Most lines above a function in which its type is looked for. */
const mostAbove = 1_000;

/** The type of a method that its line names; '' for none. */
export const receiverIn = (line: string): string =>
  line.startsWith('func (') ? (receiver.exec(line)?.[1] ?? '') : '';

/** The type that a function at a line stands in; '' for none that is shown. */
export function typeAround(lines: readonly string[], at: number): string {
  const depth = indentOf(lines[at]!);
  if (depth === 0) return '';
  for (let above = at - 1; above >= 0 && at - above < mostAbove; above -= 1) {
    const head = lines[above]!;
    if (head.trim() !== '' && indentOf(head) < depth)
      return container.exec(head)?.groups?.['name'] ?? '';
  }
  return '';
}
