/** What a model answered; `cut` where its length ended it, not the model. */
export interface SummaryAnswer {
  readonly text: string;
  readonly cut: boolean;
}

/**
 * The summary out of an answer: without thinking, a fence around the whole, an
 * introduction, a form given back unfilled, and the unfinished last line where it was
 * cut. All else stays as it came; '' where nothing is left.
 */
export function readAnswer({ text, cut }: SummaryAnswer): string {
  const said = withoutThinking(text).trim();
  return bare(cut ? withoutLast(said) : said)
    .replace(echo, '')
    .trim();
}

/** Without an introduction, a fence and a tag around the whole, in whatever order. */
const bare = (text: string): string => unwrapped(unwrapped(text).replace(introduction, ''));

/**
 * Only at the very start is it thinking: further on a tag is something that the
 * summary speaks of. Where a template opened the thinking, it ends with a closing
 * tag on a line of its own.
 */
function withoutThinking(text: string): string {
  const rest = text.replace(/^(?:\s*<(think|thinking|thought)>[\s\S]*?(?:<\/\1>|$))+/i, '');
  if (rest !== text) return rest;
  const end = /^<\/(think|thinking|thought)>[ \t]*$/im.exec(text);
  const before = text.slice(0, end?.index ?? 0);
  return end === null || before.includes(`<${end[1]}>`)
    ? text
    : text.slice(end.index + end[0].length);
}

/** Without a fence or a tag around the whole; the closing one may be missing. */
function unwrapped(text: string): string {
  const inner = /^(?:```[\w-]*[ \t]*\n|<summary>)([\s\S]*?)(?:\n?```|<\/summary>)?$/i.exec(text);
  return (inner?.[1] ?? text).trim();
}

/** A first line like "Here is the summary:", which is no head of a section. */
const introduction =
  /^(?:sure|certainly|of course|here(?:'s|’s| is| are)|below is|the following is)\b[^\n]{0,200}(?:[:.!]|summary)[*_ ]*\n+/i;

/** A line of the form in the prompt, given back unfilled. */
const echo =
  /^- (?:[A-Z][a-z]+: )?<[^<>\n]*>(?:[:;] <[^<>\n]*>)?(?: \(e[^()\n]*\))?[ \t]*(?:\n|$)/gm;

/** One line alone loses its unfinished sentence, if it has one that is finished. */
function withoutLast(text: string): string {
  const line = text.lastIndexOf('\n');
  if (line > 0) return text.slice(0, line);
  const sentence = /^[\s\S]*[.!?](?=\s)/.exec(text);
  return sentence?.[0] ?? text;
}
