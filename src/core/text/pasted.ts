// What people paste into a message is not theirs: errors, traces, data.

/** A line that no person types. */
const pasted =
  /[{}]|":\s*["\d[]|^\s*(?:at \S+.*:\d|\$ |➜|> )|^\s*(?:(?:[\w.]*(?:Error|Exception)|error(?:\[\w+\])?|fatal|panic|Traceback[^:]*):(?:\s|$))|^Ran `/;

/** The lines of a message that were typed: not those that look pasted, nor those right below one. */
export function typedIn(text: string): string {
  let isPasted = false;
  const typed = (line: string): boolean => {
    isPasted = pasted.test(line) || (isPasted && line.trim() !== '');
    return !isPasted;
  };
  return text
    .split(/\r?\n|\r/)
    .filter(typed)
    .join('\n');
}
