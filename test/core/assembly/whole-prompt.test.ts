import { expect, test } from 'vitest';
import { headOf, itemOut } from '../../../src/core/assembly/assembly.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { play } from '../../notation/state.ts';

// What a model is sent of a played session, whole: each message with its role, section, kind and tokens before it.

const cases: readonly (readonly [line: string, prompt: string])[] = [
  [
    'u5 a9 u6 a9 u7 checkpoint:7 told:4,3 goal:3 epoch a5',
    `system system made 2: Be careful.
user human made 41: Said earlier by the user, oldest first. These were taken up at the time, if not broken off; a later one overrules earlier ones.
[e1] w1x0 w1x1 w1x2 w1x3 w1x4
[e3] w3x0 w3x1 w3x2 w3x3 w3x4 w3x5
user chronicle made 35: What happened before the entries below, oldest first, in the words of the log; e… are ids of entries.
After e5:
- e5 w1x0 w1x1 w1x2 w1x3 · w1x0 w1x1 w1x2
user goal made 11: <goal priority="medium" status="active">
w1x0 w1x1 w1x2
</goal>
user checkpoints made 35: <checkpoint id="c1" age="recent" entries="e1–e5" count="5">
w1x0 w1x1 w1x2 w1x3 w1x4 w1x5 w1x6
</checkpoint>
The next message is e5, the request begun earlier; what is told after e5 was done for it.
user human entry 7: w5x0 w5x1 w5x2 w5x3 w5x4 w5x5 w5x6
assistant working entry 5: w6x0 w6x1 w6x2 w6x3 w6x4`,
  ],
  [
    'u5 a9 u6 a9 u7 a3 checkpoint:7 epoch u2',
    `system system made 2: Be careful.
user human made 41: Said earlier by the user, oldest first. These were taken up at the time, if not broken off; a later one overrules earlier ones.
[e1] w1x0 w1x1 w1x2 w1x3 w1x4
[e3] w3x0 w3x1 w3x2 w3x3 w3x4 w3x5
user checkpoints made 35: <checkpoint id="c1" age="recent" entries="e1–e6" count="6">
w1x0 w1x1 w1x2 w1x3 w1x4 w1x5 w1x6
</checkpoint>
The next message is e5, the request begun earlier; what is told after e5 was done for it.
user human entry 7: w5x0 w5x1 w5x2 w5x3 w5x4 w5x5 w5x6
user working entry 2: w7x0 w7x1`,
  ],
  [
    'u5 a9 u6 a9 u7 a9 checkpoint:7 u4 offloaded:e1,e3 epoch',
    `system system made 2: Be careful.
user human made 57: Said earlier by the user, oldest first. These were taken up at the time, if not broken off; a later one overrules earlier ones.
[2 of e1–e3 are out of view, whole or in part]
[e1, in part] “never e1”
[e3, in part] “never e3”
[e5] w5x0 w5x1 w5x2 w5x3 w5x4 w5x5 w5x6
user checkpoints made 17: <checkpoint id="c1" age="recent" entries="e1–e6" count="6">
w1x0 w1x1 w1x2 w1x3 w1x4 w1x5 w1x6
</checkpoint>
user working entry 4: w7x0 w7x1 w7x2 w7x3`,
  ],
  [
    'u5 a9 push:x:4 u3 a5 checkpoint:2 plan:y plan:z:3:y epoch a4',
    `system system made 2: Be careful.
user human made 34: Said earlier by the user, oldest first. These were taken up at the time, if not broken off; a later one overrules earlier ones.
[e1] w1x0 w1x1 w1x2 w1x3 w1x4
user frames made 31: <frame id="f0" status="in_progress">
  <title>root</title>
  <partial-results entries="e1–e2">so far</partial-results>
  <child id="f1" status="in_progress">
    <title>x</title>
    <success-criteria>w1x0 w1x1 w1x2 w1x3</success-criteria>
    <child id="f2" status="planned"><title>y</title><success-criteria>y works</success-criteria>
      <child id="f3" status="planned"><title>z</title><success-criteria>w1x0 w1x1 w1x2</success-criteria></child>
    </child>
  </child>
</frame>
user checkpoints made 30: <checkpoint id="c1" age="recent" entries="e3–e4" count="2">
w1x0 w1x1
</checkpoint>
The next message is e3, the request begun earlier; what is told after e3 was done for it.
user human entry 3: w3x0 w3x1 w3x2
assistant working entry 4: w5x0 w5x1 w5x2 w5x3`,
  ],
  [
    'u5 a9 push:x pop:4:2 push:y fail push:z u2 block epoch a4',
    `system system made 2: Be careful.
user frames made 28: <frame id="f0" status="in_progress">
  <title>root</title>
  <child id="f1" status="completed"><title>x</title><results>w1x0 w1x1 w1x2 w1x3</results><artifacts>src/x/file0.ts, src/x/file1.ts</artifacts></child>
  <child id="f2" status="failed"><title>y</title><results>y is failed</results><reason>it broke</reason></child>
  <child id="f3" status="blocked"><title>z</title><results>z is blocked</results><reason>it broke</reason></child>
</frame>
user working entry 5: w1x0 w1x1 w1x2 w1x3 w1x4
assistant working entry 9: w2x0 w2x1 w2x2 w2x3 w2x4 w2x5 w2x6 w2x7 w2x8
assistant working entry 4: w4x0 w4x1 w4x2 w4x3`,
  ],
  [
    'u5 a9 u6 a3 offloaded:e1 push:x u5 a7 u5 a2 offloaded:e5 push:y u4 a3 epoch',
    `system system made 2: Be careful.
user human made 62: Said earlier by the user, oldest first. These were taken up at the time, if not broken off; a later one overrules earlier ones.
[2 of e1–e5 are out of view, whole or in part]
[e1, in part] “never e1”
[e3] w3x0 w3x1 w3x2 w3x3 w3x4 w3x5
[e5, in part] “never e5”
[e7] w7x0 w7x1 w7x2 w7x3 w7x4
user frames made 29: <frame id="f0" status="in_progress">
  <title>root</title>
  <partial-results entries="e2–e4">so far</partial-results>
  <child id="f1" status="in_progress">
    <title>x</title>
    <success-criteria>x works</success-criteria>
    <partial-results entries="e6–e8">so far</partial-results>
    <child id="f2" status="in_progress">
      <title>y</title>
      <success-criteria>y works</success-criteria>
    </child>
  </child>
</frame>
user working entry 4: w9x0 w9x1 w9x2 w9x3
assistant working entry 3: w10x0 w10x1 w10x2`,
  ],
  [
    'a9 push:x u5 a5 pop epoch a4',
    `system system made 2: Be careful.
user frames made 14: <frame id="f0" status="in_progress">
  <title>root</title>
  <child id="f1" status="completed"><title>x</title><results>x is completed</results></child>
</frame>
assistant working entry 9: w1x0 w1x1 w1x2 w1x3 w1x4 w1x5 w1x6 w1x7 w1x8
assistant working entry 4: w4x0 w4x1 w4x2 w4x3`,
  ],
  [
    'a9 call:read push:x u5 a5 pop result:read:3 epoch a4',
    `system system made 2: Be careful.
user frames made 14: <frame id="f0" status="in_progress">
  <title>root</title>
  <child id="f1" status="completed"><title>x</title><results>x is completed</results></child>
</frame>
user human entry 5: w3x0 w3x1 w3x2 w3x3 w3x4
user human made 24: [That was said in the work of f1, which was completed since: what its results leave open is still asked.]
assistant working entry 9: w1x0 w1x1 w1x2 w1x3 w1x4 w1x5 w1x6 w1x7 w1x8
assistant working entry 10: 
tool working entry 3: w5x0 w5x1 w5x2
assistant working entry 4: w6x0 w6x1 w6x2 w6x3`,
  ],
  [
    'a9 call:read closed push:x u5 a5 pop epoch a4',
    `system system made 2: Be careful.
user frames made 14: <frame id="f0" status="in_progress">
  <title>root</title>
  <child id="f1" status="completed"><title>x</title><results>x is completed</results></child>
</frame>
user human entry 5: w3x0 w3x1 w3x2 w3x3 w3x4
user human made 24: [That was said in the work of f1, which was completed since: what its results leave open is still asked.]
assistant working entry 9: w1x0 w1x1 w1x2 w1x3 w1x4 w1x5 w1x6 w1x7 w1x8
assistant working entry 10: 
tool working made 10: [no result: the call was given up]
assistant working entry 4: w5x0 w5x1 w5x2 w5x3`,
  ],
  [
    'u5 a9 told:4 epoch',
    `system system made 2: Be careful.
user chronicle made 31: What happened before the entries below, oldest first, in the words of the log; e… are ids of entries.
After e1:
- e2 w1x0 w1x1 w1x2 w1x3
user working entry 5: w1x0 w1x1 w1x2 w1x3 w1x4
assistant working entry 9: w2x0 w2x1 w2x2 w2x3 w2x4 w2x5 w2x6 w2x7 w2x8`,
  ],
  [
    'u5 a9 checkpoint:0 epoch',
    `system system made 2: Be careful.
user checkpoints made 27: <checkpoint id="c1" age="recent" entries="e1–e2" count="2"/>
The next message is e1, the request begun earlier; what is told after e1 was done for it.
user human entry 5: w1x0 w1x1 w1x2 w1x3 w1x4`,
  ],
];

test.each(cases)('%s', (line, prompt) => {
  const { state, bodies } = play(line, { system: 'Be careful.' });
  const { items } = state.views.get(state.active)!;
  const messages = [...headOf(state, bodies), ...items.map((item) => itemOut(item, bodies))];
  const printed = messages.map(
    ({ role, section, kind, tokens, content }) =>
      `${role} ${section} ${kind} ${tokens}: ${textOf(content)}`,
  );
  expect(printed.join('\n')).toBe(prompt);
});
