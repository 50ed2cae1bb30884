/** The lines of a text without what editors and systems change by themselves: trailing space and empty lines. */
export function contentLines(markdown: string): readonly string[] {
  const lines = markdown.split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => line !== '');
}

/** A digest by which an edit of these lines is noticed. It proves nothing: anybody can make it. */
export function digestOf(lines: readonly string[]): string {
  const text = lines.join('\n');
  let [high, low] = [0x811c9dc5, 0x9dc5811c];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
