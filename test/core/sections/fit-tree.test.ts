import { expect, test } from 'vitest';
import { fitTree } from '../../../src/core/sections/fit-tree.ts';
import { treeParts, treeSection } from '../../../src/core/sections/tree-section.ts';
import { noPlan } from '../../../src/core/state/state.ts';
import { play, words } from '../../notation/state.ts';

/** What is chosen of a tree under a cap, without what is 0, and the section that this makes. */
function fitted(
  line: string,
  cap: number,
  spare = 0,
): { readonly plan: string; readonly text: string } {
  const { state, bodies } = play(line);
  const { plan, tokens } = fitTree(state, { cap, spare }, { count: words, bodies });
  const parts = treeParts(state.frames, state.active, []);
  const text = treeSection(parts, { ...noPlan, ...plan }, bodies);
  expect(tokens).toBe(text === '' ? 0 : words(text) + 4);
  const numbers = { ...plan, whole: plan.whole.length, tokens };
  const shown = Object.entries(numbers).filter(([, n]) => n > 0);
  return { plan: shown.map(([name, n]) => `${name} ${n}`).join(', '), text };
}

const prose = (count: number): string => times(count, (n) => `w1x${n}`);

const times = (count: number, step: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => step(n)).join(' ');

const closed = (count: number): string => times(count, (n) => `push:f${n} pop`);
const long = (count: number): string => times(count, (n) => `push:f${n} pop:100`);
const planned = (count: number): string => times(count, (n) => `plan:p${n}`);
const deep = (count: number): string => times(count, (n) => `a5 push:f${n}`);

test.each([
  ['short results are whole as they are', closed(20), 150, 'full 20, whole 20, tokens 109'],
  ['long results are whole where there is room', long(3), 400, 'full 3, whole 3, tokens 315'],
  ['then the newest', long(3), 200, 'full 3, whole 1, tokens 125'],
  ['and a brief of each', long(3), 100, 'full 3, tokens 30'],
  [
    'what does not fit gives way to older ones',
    'push:a pop:50 push:b pop:500',
    200,
    'full 2, whole 1, tokens 68',
  ],
  ['beyond that lines', closed(40), 150, 'full 23, whole 23, lines 11, tokens 150'],
  [
    'briefs and results share what is too little for all',
    long(60),
    300,
    'full 21, whole 1, lines 22, tokens 299',
  ],
  ['more room, more results', long(60), 3_000, 'full 60, whole 27, tokens 2994'],
  [
    'planned ones take half of the room',
    `${planned(40)} ${closed(40)}`,
    150,
    'full 11, whole 11, lines 3, planned 24, tokens 146',
  ],
  ['a path shows all its partial results', deep(12), 150, 'tokens 129'],
  ['criteria in full give way first', 'a5 push:a:90 a5 push:b:40', 100, 'path 1, tokens 67'],
  ['then the partial results above the parent', deep(12), 128, 'path 4, tokens 117'],
  ['of a long path its ends are left', deep(30), 150, 'path 5, tokens 31'],
  [
    'the path leaves room for results',
    `${long(3)} a5 push:a:90`,
    140,
    'path 6, full 3, whole 1, tokens 135',
  ],
])('%s', (...[, line, cap, plan]) => {
  expect(fitted(line, cap).plan).toBe(plan);
});

test('all of it stands where there is room: criteria, partial and other results, artifacts', () => {
  const { text } = fitted('push:a:12 a5 push:b pop:90:20 push:c', 1_000);
  expect(text).toContain(`<success-criteria>${prose(12)}</success-criteria>`);
  expect(text).toContain('<partial-results entries="e1–e1">so far</partial-results>');
  expect(text).toContain(`<results>${prose(90)}</results>`);
  expect(text).toContain('src/b/file19.ts');
  expect(text).not.toContain('more');
});

test('criteria of the active frame give way last, and take what other sections leave', () => {
  const line = `${long(3)} a5 push:a:300 plan:b:40`;
  const whole = `<success-criteria>${prose(300)}</success-criteria>`;
  expect(fitted(line, 150).text).not.toContain(whole);
  expect(fitted(line, 150, 100).text).not.toContain(whole);
  expect(fitted(line, 150, 300).text).toContain(whole);
});

test('planned frames have their criteria in full, then in brief, then none', () => {
  const line = `plan:a:30 plan:b:30 plan:c:30`;
  expect(fitted(line, 200).plan).toBe('planned 3, plannedBrief 3, plannedWhole 3, tokens 105');
  expect(fitted(line, 80).plan).toBe('planned 3, plannedBrief 3, plannedWhole 2, tokens 77');
  expect(fitted(line, 20).plan).toBe('planned 2, plannedBrief 2, tokens 19');
  expect(fitted(line, 200).text).toContain(
    `<child id="f2" status="planned"><title>b</title><success-criteria>${prose(30)}</success-criteria></child>`,
  );
});

test('what is planned below a planned frame stands inside it, and is counted beyond the room', () => {
  const line = `plan:a:5 plan:b:5:a plan:c:5:b plan:d:5:a`;
  const { text } = fitted(line, 200);
  expect(
    text.split('\n').map((one) => one.replaceAll(/<success-criteria>.*?<.success-criteria>/g, '…')),
  ).toEqual([
    '<frame id="f0" status="in_progress">',
    '  <title>root</title>',
    '  <child id="f1" status="planned"><title>a</title>…',
    '    <child id="f2" status="planned"><title>b</title>…',
    '      <child id="f3" status="planned"><title>c</title>…</child>',
    '    </child>',
    '    <child id="f4" status="planned"><title>d</title>…</child>',
    '  </child>',
    '</frame>',
  ]);
  expect(fitted(line, 18).text).toContain('    <more children="2"/>');
});

test('titles of older frames are one list', () => {
  const { state, bodies } = play('push:a pop push:b fail plan:c push:d pop');
  const plan = { ...noPlan, full: 1, lines: 2, planned: 1 };
  const text = treeSection(treeParts(state.frames, state.active, []), plan, bodies);
  expect(text.split('\n').slice(2, -1)).toEqual([
    '  <titles>',
    '  f1 a',
    '  f2 b (failed)',
    '  </titles>',
    '  <child id="f3" status="planned"><title>c</title></child>',
    '  <child id="f4" status="completed"><title>d</title><results>d is completed</results></child>',
  ]);
});

test('a brief says how long the whole is, and how many artifacts there are', () => {
  const { text } = fitted('push:a pop:90:20', 60);
  expect(text).toContain('<results whole="90 tokens">a is completed</results>');
  expect(text).toMatch(/file\d+\.ts, … \d+ more<\/artifacts>/);
});
