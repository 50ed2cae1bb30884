import { expect, test } from 'vitest';
import { spansOf } from '../../../tools/eval/span.ts';
import { readerOf } from '../../../tools/eval/reader.ts';
import { assistant, call, examOf, filler, historyOf, pop, push, result, user } from './session.ts';

test('a step needs what it names and history named before, near or far', async () => {
  const history = await historyOf([
    user(`Look at src/core/tree.ts. ${filler(60)}`),
    assistant('I read openBranch in src/core/tree.ts, then newThing.'),
    user('Go on.'),
    assistant('openBranch again, and src/core/tree.ts.'),
  ]);
  const { needs, far } = examOf(history, 40);
  const named = (place: number): string[] =>
    needs.at[place]!.names.map(({ trace, gap }) => {
      const sought = needs.traces[trace]!;
      return `${sought.type === 'name' ? sought.name : ''} ${gap}`;
    });
  const between = history.entries[2]!.tokens;
  expect([named(0), named(1), named(2)]).toEqual([[], ['core/tree.ts 0'], []]);
  expect(named(3)).toEqual([`core/tree.ts ${between}`, `openBranch ${between}`]);
  expect(far.flatMap(({ names }) => names)).toEqual([]);
});

test('a reference is far when it is further back than the budget and the newest that fit do not have it', async () => {
  const history = await historyOf([
    user('Use parseWindow here.'),
    assistant(filler(50)),
    user('The window is parseWindows, not the other.'),
    assistant('Then parseWindow it is.'),
  ]);
  const whole = history.tokens;
  const { far } = examOf(history, 40);
  expect(far.map(({ names }) => names.map(({ last }) => last))).toEqual([[], [], [], [0]]);
  expect(far.map(({ before }) => before)).toEqual([0, 0, 2, 2]);
  expect(examOf(history, whole).far.flatMap(({ names }) => names)).toEqual([]);
});

test('what the system prompt names is needed by nobody', async () => {
  const lines = [user('Use parseWindow.'), assistant('parseWindow, then.')];
  const named = async (system: string): Promise<number> => {
    const history = await historyOf(lines, system === '' ? {} : { system });
    return examOf(history, 40).needs.at.flatMap(({ names }) => names).length;
  };
  expect([await named(''), await named('You know parseWindow.')]).toEqual([1, 0]);
});

test('a name that was last mentioned in another frame crosses frames', async () => {
  const history = await historyOf([
    user('Build openBranch and closeBranch.'),
    push('Branches'),
    assistant('openBranch first.'),
    assistant('openBranch is there.'),
    pop('openBranch is done.'),
    assistant('Now closeBranch, like openBranch.'),
  ]);
  const { needs } = examOf(history, 1_000);
  expect(needs.at.map(({ names }) => names.map(({ crosses }) => crosses))).toEqual([
    [],
    [true],
    [false],
    [false, true],
  ]);
});

test('a copied span is a run of eight words, whatever stands between them', async () => {
  const text = 'one two three four five six seven eight nine';
  expect([...spansOf(text)]).toHaveLength(2);
  expect(spansOf('One, two: "three" (four) five-six seven/eight nine')).toEqual(spansOf(text));
  const history = await historyOf([user(text), assistant(`He said: ${text.slice(4)}.`)]);
  expect(examOf(history, 1_000).needs.at[1]!.spans).toHaveLength(1);
});

test('what machines put into the user role lays down no directive', async () => {
  const text = 'Never rename the public exports.';
  const history = await historyOf([user(text), user(text, 'machine'), assistant('All right.')]);
  const { needs } = examOf(history, 1_000);
  expect(needs.at.map(({ directives }) => directives.length)).toEqual([1, 0, 0]);
});

test('a reader finds names on word boundaries, in any message of any method', async () => {
  const history = await historyOf([
    user('See src/core/tree.ts, --keep-open and #42 (#42) in openBranch; run npm run check'),
    assistant(
      'src/core/tree.ts, (#42), openBranch',
      call('c1', 'bash', { command: 'npm run check' }),
    ),
    result('c1', ''),
  ]);
  const { needs } = examOf(history, 1_000);
  const reader = readerOf(needs);
  const found = (text: string): string[] =>
    reader.read(text, false).flatMap((trace) => {
      const sought = needs.traces[trace]!;
      return sought.type === 'name' ? [sought.name] : [];
    });
  expect(found('a core/tree.ts b').sort()).toEqual(['core/tree.ts']);
  expect(found('a score/tree.tsx b openBranches reopenBranch $openBranch #421')).toEqual([]);
  expect(found('"openBranch",x#42')).toEqual(['openBranch', '#42']);
  expect(reader.read('openBranch', false)).toBe(reader.read('openBranch', true));
});

test('a directive is there when most of its words stand in one line', async () => {
  const history = await historyOf([user('Never rename the public exports again.'), assistant('')]);
  const { needs } = examOf(history, 1_000);
  const [trace] = needs.at[0]!.directives;
  const reader = readerOf(needs);
  expect(reader.read('- the public exports stay, no renaming', false)).toEqual([trace]);
  expect(reader.read('- the public\nexports stay, no renaming', false)).toEqual([]);
});
