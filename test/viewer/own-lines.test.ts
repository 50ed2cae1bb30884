import { expect, test } from 'vitest';
import { indexOpening } from '../../src/core/file-index/file-lines.ts';
import { printLines } from '../../src/core/lines/line.ts';
import { chronicleTitle } from '../../src/core/sections/chronicle-section.ts';
import { humanTitle } from '../../src/core/sections/human-section.ts';
import { recallLine } from '../../src/core/sections/recall-line.ts';
import type { State } from '../../src/core/state/state.ts';
import { isOwnLine } from '../../src/viewer/page/session/model/words/own-lines.ts';

/** As much of a state as the title of a chronicle is made of. */
const stateWith = (root: string, recall: boolean, summarizer = 'embedded'): State =>
  ({ chronicle: { root }, tools: { recall }, options: { summarizer } }) as unknown as State;

test('what the sections of a prompt begin with is told as a line of our own', () => {
  const line = { kind: 'said', n: 1, to: 1, turn: 0, text: 'Hello' };
  const [first] = printLines([line] as unknown as Parameters<typeof printLines>[0]).split('\n');
  const own = [
    humanTitle,
    chronicleTitle(stateWith('', false)),
    chronicleTitle(stateWith('', false, 'ollama/x')),
    chronicleTitle(stateWith('/home/dev', true)),
    chronicleTitle(stateWith('/home/dev', true)).split('entries. ')[1]!,
    `${indexOpening}:`,
    recallLine(true),
    first!,
  ];
  expect(own.filter((text) => !isOwnLine(text))).toEqual([]);
  expect(own.filter((text) => isOwnLine(`He said: ${text}`))).toEqual([]);
});
