// What all that compress are given: the same window, trigger and room for recent messages, in tokens.

export const window = 32_768;
export const trigger = Math.floor(window * 0.8);
export const keep = 8_000;

/** What a model that answers at once would say: about 1,000 tokens, in sentences of which none is like another, or it would be refused. */
export const summary = [
  [
    'Asked was that',
    'The person decided that',
    'The agent found that',
    'A test showed that',
    'What is left is that',
  ],
  [
    'the parser keeps its place when a file is read in parts',
    'no cache outlives the run that filled it',
    'errors name the value and the limit which it broke',
    'the counts are taken once, and added from then on',
    'an empty list prints nothing at all',
    'names with a slash belong to the folder before it',
    'the old format is read, but never written again',
    'requests end after half a minute without an answer',
    'two writers wait for each other at the lock',
    'the index is made anew where its version is unknown',
    'dates are printed in the zone of the reader',
    'the worker frees its buffers before it sleeps',
  ],
  ['for', 'as', 'although'],
]
  .reduce((texts, parts) => texts.flatMap((text) => parts.map((part) => [...text, part])), [[]])
  .map(([who, what, why], nth) => `${who} ${what}, ${why} case ${nth} says.`)
  .filter((_, nth) => nth % 4 === 0)
  .join('\n');
