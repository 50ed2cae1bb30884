// Titles and comments are written by anybody who can write to the tracker, and file names by anybody who can write to
// the folder. Where a model reads them they stand on one line, so that none begins a heading or a list, and open or
// close no element.

/** A text of others on one line; nothing in it can be taken for our markup. */
export function quote(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/<(?=[/!?a-z])/gi, '&lt;')
    .trim();
}

/** Bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** The text, or its beginning and an ellipsis where it has more bytes than `room`; '' where not even that fits. */
export function clip(text: string, room: number): string {
  if (bytesOf(text) <= room) return text;
  const left = room - bytesOf('…');
  if (left < 0) return '';
  let end = 0;
  let bytes = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > left) break;
    end += character.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

/** The items that fit into `room` bytes, separated by commas, and how many more there are. */
export function listed(items: readonly string[], room: number): string {
  for (let shown = items.length; shown > 0; shown -= 1) {
    const text = [...items.slice(0, shown), ...more(items.length - shown)].join(', ');
    if (bytesOf(text) <= room) return text;
  }
  const [first = ''] = items;
  const tail = more(items.length - 1)
    .map((text) => `, ${text}`)
    .join('');
  return clip(first, room - bytesOf(tail)) + tail;
}

function more(count: number): readonly string[] {
  return count > 0 ? [`and ${count} more`] : [];
}
