// A host that compacts its own context puts a summary into the user role. No
// person wrote it, and yet few texts of a log say as much.

/** How hosts begin such a text: Claude Code, Codex, pi (twice), then those that wrap it. */
const openings = [
  /^This session is being continued from a previous conversation[^\n]*/,
  /^Another language model started to solve this problem and produced a summary[^\n]*/,
  /^The conversation history before this point was compacted into the following summary:/,
  /^The following is a summary of a branch that this conversation came back from:/,
  /^<(?:conversation[-_]summary|state_snapshot)>/,
] as const;

/** What hosts say to the model after the summary, and the end of its tag, behind which anything may stand. */
const closing =
  /\n\s{0,40}(?:If you need specific details from before compaction|(?:Please )?continue the conversation from where|Recent messages are preserved verbatim)|<\/(?:conversation[-_]summary|state_snapshot)>/i;

/** The part of a text that is read, in UTF-16 units. */
const mostRead = 200_000;

/** The summary that a host wrote at its own compaction, without the phrases around it; undefined for any other text. */
export function hostSummaryIn(text: string): string | undefined {
  const start = text.slice(0, mostRead).trimStart();
  const opening = openings.map((phrase) => phrase.exec(start)?.[0]).find(Boolean);
  if (opening === undefined) return undefined;
  const rest = start.slice(opening.length);
  return (wrapped(rest) ?? afterAnalysis(cutAtClosing(rest))).trim();
}

function cutAtClosing(text: string): string {
  const at = text.search(closing);
  return at === -1 ? text : text.slice(0, at);
}

/** The text between the tags of a summary; all the rest where they are not closed. */
function wrapped(text: string): string | undefined {
  const from = text.indexOf('<summary>');
  if (from === -1) return undefined;
  const to = text.indexOf('</summary>', from);
  return text.slice(from + '<summary>'.length, to === -1 ? undefined : to);
}

/** The text after the head of its own that a summary has where the model thought first. */
function afterAnalysis(text: string): string {
  const head = /(?:^|\n)\s{0,8}Summary:[^\S\n]*\n/.exec(text);
  return head === null ? text : text.slice(head.index + head[0].length);
}
