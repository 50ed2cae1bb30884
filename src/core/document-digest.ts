/**
 * Tells whether somebody edited a text; no seal, for who can write the text can
 * write this, too. What editors and systems do by themselves changes nothing:
 * ends of lines, empty lines.
 */
export function digestOf(markdown: string): string {
  const lines = markdown.split('\n').map((line) => line.trimEnd());
  const text = lines.filter((line) => line !== '').join('\n');
  let [high, low] = [0x811c9dc5, 0x9dc5811c];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
