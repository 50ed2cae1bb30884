/** How many of the names in what was compressed a prompt still has. */
export const namesLine = (names: string, kept: string): string =>
  `Of ${names} (paths, commands, numbers and the like) in the entries that were compressed, ${kept} are still in this prompt.`;

/** What became of entries that a prompt does not hold word for word, by where they are. */
export const ways: Readonly<Record<string, string>> = {
  shortened: 'shortened',
  checkpoint: 'covered by checkpoints and the chronicle',
  partial: 'covered by what frames report so far',
  offloaded: 'behind breadcrumbs',
  results: 'covered by the results of finished frames',
  left: 'on branches that were left',
  invalidated: 'of frames that were given up',
};
