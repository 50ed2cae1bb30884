/** How the lines begin that Flamestack itself puts above and between what was said. */
const openings = [
  'Said earlier by the user, oldest first.',
  'What happened before the entries below, oldest first',
  'Files and commands, the most used first',
  'Files are told from ',
  'Nothing is lost: recall with ids',
  'At first:',
  '[That was said in ',
];

/** A tag alone, the name of a list, a heading, and how many more there are: they tell nothing that was said. */
const frames =
  /^(?:<\/?\w[^>]*>|[\p{L} ]{1,40}:|After e\d+:|#{1,6} .*|\*\*[^*]*\*\*:?|- [\d,]+ more|)$/u;

/** Whether a line of a prompt was said by nobody, so that nothing in the log is behind it. */
export function isOwnLine(text: string): boolean {
  const line = text.trim();
  return frames.test(line) || openings.some((opening) => line.startsWith(opening));
}
