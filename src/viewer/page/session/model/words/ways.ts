/** How many of the names in what was compressed the lines that stand for it have; others may stand elsewhere in the prompt. */
export const namesLine = (names: string, kept: string): string =>
  `Of ${names} (paths, commands, numbers and the like) in the entries that were compressed, ${kept} stand in the lines that tell of them.`;

/** What became of entries that a prompt does not hold word for word, by where they are. */
export const ways: Readonly<Record<string, string>> = {
  shortened: 'shortened',
  checkpoint: 'summarized in checkpoints and the chronicle',
  partial: 'summarized in what frames have so far',
  offloaded: 'reachable through breadcrumbs',
  results: 'summarized in the results of finished frames',
  left: 'on abandoned branches',
  invalidated: 'in frames that were given up',
};
