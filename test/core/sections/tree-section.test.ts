import { expect, test } from 'vitest';
import { frameOf } from '../../../src/core/frames/tree.ts';
import {
  elide,
  formOf,
  pathDetails,
  treeParts,
  treeSection,
} from '../../../src/core/sections/tree-section.ts';
import { noPlan, type LayoutPlan } from '../../../src/core/state/state.ts';
import { leftWith } from '../../../src/core/state/timeline.ts';
import { frameId } from '../../../src/core/values/id.ts';
import { members } from '../../../src/core/values/persistent-vector.ts';
import { play, type Played } from '../../notation/state.ts';

const partsOf = ({ state }: Played) => treeParts(state.frames, state.active, state.timeline.left);

/** The lines of the section that a plan makes. */
function section(line: string, plan: Partial<LayoutPlan> = {}): readonly string[] {
  const played = play(line);
  return treeSection(partsOf(played), { ...noPlan, ...plan }, played.bodies).split('\n');
}

const path = 'a5 push:a a5 push:b a5 push:c:8 a5 push:d:8';

test('an open root alone has no section', () => {
  expect(section('u5 a5')).toEqual(['']);
  expect(section('plan:a').length).toBeGreaterThan(1);
  expect(section('pop').length).toBeGreaterThan(1);
});

test('the path is shown from the root, with criteria and what stands for the entries of frames above', () => {
  expect(section('a5 push:auth a5 push:jwt')).toEqual([
    '<frame id="f0" status="in_progress">',
    '  <title>root</title>',
    '  <partial-results entries="e1–e1">so far</partial-results>',
    '  <child id="f1" status="in_progress">',
    '    <title>auth</title>',
    '    <success-criteria>auth works</success-criteria>',
    '    <partial-results entries="e2–e2">so far</partial-results>',
    '    <child id="f2" status="in_progress">',
    '      <title>jwt</title>',
    '      <success-criteria>jwt works</success-criteria>',
    '    </child>',
    '  </child>',
    '</frame>',
  ]);
});

test.each([
  ['0196b3f2-7a51-7c3e-9d50-5f2a6c1e8b44', false],
  ['2025-12-08T23-22-21-320Z_0db2eb3b-5ed8-4b70-88c6-a3f7104eb251', false],
  ['rollout-20251208-a1b2c3d4e5f6', false],
  ['ses_01jc4m8z9q1w2e3r4t5y6', false],
  ['notes-app', true],
  ['Mend 0196b3f2-7a51-7c3e-9d50-5f2a6c1e8b44', true],
  ['release-2025-12', true],
])('a root called %s has a title of its own: %s', (title, isShown) => {
  const played = play('a5 push:a');
  const parts = partsOf(played);
  const [root, ...others] = parts.path;
  const path = [{ ...root!, title }, ...others];
  const text = treeSection({ ...parts, path }, noPlan, played.bodies);
  expect(text.includes(`<title>${title}</title>`)).toBe(isShown);
  expect(text.split('<title>')).toHaveLength(isShown ? 3 : 2);
});

/** Of each frame of the path: its criteria (whole, brief or none) and its partial result. */
function shownPath(detail: number): string {
  const played = play(path);
  const { state } = played;
  const bodies = { ...played.bodies, text: () => 'all of it' };
  const text = treeSection(partsOf(played), { ...noPlan, path: detail }, bodies);
  return ['f1', 'f2', 'f3', 'f4']
    .map((id) => {
      const own = new RegExp(`<child id="${id}".*?(?=<child id|$)`, 's').exec(text)?.[0];
      if (own === undefined) return '–';
      const { brief, title } = frameOf(state.frames, id);
      expect(own).toContain(title);
      const criteria = !own.includes('<success') ? 'none' : own.includes(brief) ? 'brief' : 'whole';
      const partial = own.includes('all of it')
        ? ' whole'
        : own.includes('so far')
          ? ' brief'
          : own.includes('partial')
            ? ' range'
            : '';
      return `${criteria}${partial}`;
    })
    .join(', ');
}

test.each([
  [0, 'brief whole, brief whole, whole whole, whole'],
  [1, 'brief whole, brief whole, brief whole, whole'],
  [2, 'brief brief, brief brief, brief whole, whole'],
  [3, 'brief brief, brief brief, brief brief, whole'],
  [4, 'brief range, brief range, brief range, whole'],
  [5, '–, –, none range, whole'],
  [6, 'brief brief, brief brief, brief brief, brief'],
  [7, 'brief range, brief range, brief range, brief'],
  [8, '–, –, none range, brief'],
  [9, '–, –, none range, none'],
  [99, '–, –, none range, none'],
])('detail %i of the path shows %s', (detail, shown) => {
  expect(pathDetails).toBe(10);
  expect(shownPath(detail)).toBe(shown);
});

test('where the middle of the path is left out, a line counts its frames and their entries', () => {
  expect(section(path, { path: 9 })).toEqual([
    '<frame id="f0" status="in_progress">',
    '  <title>root</title>',
    '  <partial-results entries="e1–e1"/>',
    '<!-- 2 frames between, e2–e3 -->',
    '  <child id="f3" status="in_progress">',
    '    <title>c</title>',
    '    <partial-results entries="e4–e4"/>',
    '    <child id="f4" status="in_progress">',
    '      <title>d</title>',
    '    </child>',
    '  </child>',
    '</frame>',
  ]);
  expect(section('push:a push:b push:c', { path: 9 })[2]).toBe('<!-- 1 frames between -->');
  expect(section('push:a push:b', { path: 9 }).join()).not.toContain('between');
});

test('what is closed or planned beside the hidden middle is counted with it', () => {
  const played = play('push:a a5 push:done a3 pop plan:p plan:q::p push:b push:c plan:own');
  const shown = elide(partsOf(played), 9);
  expect(shown.between).toEqual({ frames: 4, span: [1, 2] });
  expect(shown.path.map(({ title }) => title)).toEqual(['root', 'b', 'c']);
  expect(shown.closed).toEqual([]);
  expect(shown.planned.map(({ title }) => title)).toEqual(['own']);
  expect(elide(partsOf(played), 0)).toMatchObject({ between: { frames: 0, span: null } });
});

test('a path of more than 128 frames is never shown whole', () => {
  const deep = (frames: number): number => {
    const line = Array.from({ length: frames - 1 }, (_, n) => `push:f${n}`).join(' ');
    return elide(partsOf(play(line)), 0).between.frames;
  };
  expect([deep(128), deep(129)]).toEqual([0, 126]);
});

const children =
  'push:a a2 pop push:b a2 fail push:c a2 block plan:gone plan:p:9 plan:q invalidate:gone push:x a2 pop';

test('children are shown whole, brief, as titles, or counted; what is planned in its own form', () => {
  const plan = { full: 2, whole: [frameId(7)], lines: 1, planned: 2, plannedBrief: 1 };
  expect(section(children, plan)).toEqual([
    '<frame id="f0" status="in_progress">',
    '  <title>root</title>',
    '  <more children="2" entries="e1–e2"/>',
    '  <titles>',
    '  f3 c (blocked)',
    '  </titles>',
    '  <child id="f4" status="invalidated"><title>gone</title><reason>no longer needed</reason></child>',
    '  <child id="f5" status="planned"><title>p</title><success-criteria>p works</success-criteria></child>',
    '  <child id="f6" status="planned"><title>q</title></child>',
    '  <child id="f7" status="completed"><title>x</title><results>x is completed</results></child>',
    '</frame>',
  ]);
});

test('older titles say how they ended, and what is not shown is counted', () => {
  expect(section(children, { lines: 5 })).toEqual([
    '<frame id="f0" status="in_progress">',
    '  <title>root</title>',
    '  <more children="2"/>',
    '  <titles>',
    '  f1 a',
    '  f2 b (failed)',
    '  f3 c (blocked)',
    '  f7 x',
    '  </titles>',
    '  <child id="f4" status="invalidated"><title>gone</title><reason>no longer needed</reason></child>',
    '</frame>',
  ]);
  expect(section(children, { planned: 1, plannedBrief: 1, plannedWhole: 1 }).join('\n')).toMatch(
    /<more children="6" entries="e1–e4"\/>\n.*id="f5".*<success-criteria>(?:\S+ ?){9}</,
  );
});

test('what is planned below a planned child stands inside it', () => {
  expect(section('plan:p plan:q::p', { planned: 2 }).slice(2, -1)).toEqual([
    '  <child id="f1" status="planned"><title>p</title>',
    '    <child id="f2" status="planned"><title>q</title></child>',
    '  </child>',
  ]);
});

const branch = (n: number) => leftWith([n, n + 1], { id: n, cause: 'fork' });

test.each([
  [[5], ['<left by="fork" entries="e5–e6"/>']],
  [
    [1, 3, 5, 7, 9],
    [
      '<left branches="2" entries="e1–e4"/>',
      '<left by="fork" entries="e5–e6"/>',
      '<left by="fork" entries="e7–e8"/>',
      '<left by="fork" entries="e9–e10"/>',
    ],
  ],
  [
    [5, 1, 3, 7],
    [
      '<left branches="1" entries="e5–e6"/>',
      '<left by="fork" entries="e1–e2"/>',
      '<left by="fork" entries="e3–e4"/>',
      '<left by="fork" entries="e7–e8"/>',
    ],
  ],
])(
  'branches that were left have a line each, those before the last three one together',
  (at, lines) => {
    const { state, bodies } = play('push:a');
    const parts = treeParts(state.frames, state.active, at.flatMap(branch));
    const shown = treeSection(parts, noPlan, bodies).split('\n');
    expect(shown.filter((line) => line.includes('<left')).map((line) => line.trim())).toEqual(
      lines,
    );
    expect(shown.indexOf(`  ${lines[0]}`)).toBe(2);
  },
);

test('a root alone is shown with the branches that were left', () => {
  const { state, bodies } = play('');
  const parts = treeParts(state.frames, state.active, branch(1));
  expect(treeSection(parts, noPlan, bodies)).toContain('<left by="fork" entries="e1–e2"/>');
});

test.each([
  ['root', 'path'],
  ['a', 'path'],
  ['b', 'counted'],
  ['c', 'brief'],
  ['d', 'whole'],
  ['inner', 'hidden'],
  ['e', 'line'],
  ['x', 'path'],
])('of the tree of a session the frame %s is shown as %s', (name, form) => {
  const played = play('push:a push:b pop push:c pop push:d push:inner pop pop plan:e push:x');
  const frame = members(played.state.frames).find(({ title }) => title === name)!;
  const plan = { ...noPlan, full: 2, whole: [frameId(4)], planned: 1 };
  expect(formOf(partsOf(played), plan, frame)).toBe(form);
});
