import { expect, test } from 'vitest';
import type { OpenSession } from '../../../../src/cli/browse/browsing.ts';
import { lossPane } from '../../../../src/cli/browse/panes/loss-pane.ts';
import { browsingOf, sizeOf } from '../stage.ts';

const { paper } = sizeOf(120, 40, true);

const linesOf = (open: OpenSession): readonly string[] => {
  const { head, rows } = lossPane(open, paper);
  return [...head, ...Array.from({ length: rows.length }, (_, at) => rows.row(at).text)];
};

test('names that stayed are told as those of all the prompt, not of the entries that were compressed', () => {
  expect(linesOf(browsingOf(50).open!)).toContain(
    'Names in all of the prompt: 9 gone, 12 stayed, 2 new',
  );
});

test('frames and goals that came instead are told in words', () => {
  const { open } = browsingOf(50);
  const lines = [
    '<goal priority="medium" status="active">',
    '<child id="f2" status="completed"><title>Rate limits</title><results>60 a minute</results></child>',
    '- e4 some words',
  ].map((text) => ({ section: 'goal', text }));
  expect(linesOf({ ...open!, change: { ...open!.change!, lines } }).slice(-3)).toEqual([
    ' goal: active, medium priority',
    ' f2 Rate limits: completed; results: 60 a minute',
    ' - e4 some words',
  ]);
});

test('a cut is told by what was sent and counted, not by our own prompt, which it does not change', () => {
  const { open } = browsingOf(59);
  const { history, change } = open!;
  const at = history.cuts[0]!.at;
  history.counts.push({ at, sent: 5_343, counted: 1_442, ours: 1_442, cached: 0 });
  const nothing = { ...change!, seq: history.steps[at]!.seq, left: [], shortened: [], lost: [] };
  const lines = linesOf({ ...open!, change: { ...nothing, lines: [] } });
  expect(lines).toContain('turn 15: sent 5,343 tokens, the server counted 1,442');
  expect(lines).toContain('The model did not see e2-e4');
  expect(lines.join('\n')).not.toMatch(/left the prompt|stayed/);
});
