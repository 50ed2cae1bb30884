// Model output, tool output, titles and file names come from strangers. A
// terminal obeys what it is sent: it can be made to hide lines, retitle the
// window, or answer as if a person had typed. So everything that we did not
// write ourselves goes through here, and nothing of it is left but text.

/** Escape sequences: strings up to their end or the end of the line, control sequences, and single ones. */
const sequences =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]?/g;

/** Control characters but tab and line feed, and marks that turn the direction of writing around. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of which nothing is to be taken. */
const harmless = /^[\t\n\x20-\x7e]*$/;

/** The text of `text`: no escape sequence, no control character but tabs and line feeds. */
export function clean(text: string): string {
  if (harmless.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(sequences, '').replace(controls, '·');
}

/** What a line of words with a space between each two has not: looked for in a fifth of the time that such a line takes to be matched. */
const untidy = /[^\x20-\x7e]|^ | $| {2}/;

/** {@link clean} on one line, every stretch of white space one space. */
export function cleanLine(text: string): string {
  if (!untidy.test(text)) return text;
  return clean(text).replace(/\s+/g, ' ').trim();
}

/** A value as one line of JSON that a terminal takes for text, too. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
