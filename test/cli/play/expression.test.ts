import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExpression } from '../../../src/cli/play/replay/expression.ts';

const state: Readonly<Record<string, unknown>> = {
  turn: 12,
  phase: 'open',
  goal: { description: 'Fix the Login', decisions: [{ text: 'Tabs', locked: true }] },
  recovery: null,
  frames: { f2: { status: 'failed', title: 'Try' } },
};
const holds = (source: string): boolean =>
  parseExpression(source).holds((field) => (Object.hasOwn(state, field) ? state[field] : null));

test.each([
  'turn == 12',
  'turn>=12',
  'turn > -1.5 and turn < 12.5',
  'turn != 3',
  "phase == 'open'",
  'phase == "open"',
  "goal.description ~ 'login'",
  "goal.decisions ~ 'tabs'",
  'goal.decisions.0.locked == true',
  'goal.decisions.length == 1',
  "frames.f2.status == 'failed'",
  'not recovery',
  'recovery == null and nothing.at.all == null',
  'not (turn < 5 or turn > 20)',
  "turn == 1 or turn == 2 or phase == 'open' and goal",
  'not turn == 1 and not turn == 2',
])('%s holds', (source) => {
  expect(holds(source)).toBe(true);
  expect(holds(`not (${source})`)).toBe(false);
});

test.each([
  'recovery >= 0',
  'recovery <= null',
  "frames.f9.status == 'failed'",
  'constructor',
  '__proto__',
  'goal.__proto__',
  'goal.constructor.name',
  'phase.length == 4',
  'frames.f2.toString',
])('%s does not hold', (source) => {
  expect(holds(source)).toBe(false);
});

test.each([
  ['', 1],
  ['turn = 3', 6],
  ['turn >=', 8],
  ['(turn > 1', 10],
  ['turn > 1)', 9],
  ['turn 5', 6],
  ["phase == 'open", 10],
  ['turn > and', 8],
  ['turn + 1 > 2', 6],
  ['1 < turn < 20', 10],
  ['process.exit(1)', 13],
  ['turn; 1', 5],
])('%s is refused at %i', (source, at) => {
  expect(() => parseExpression(source)).toThrow(
    expect.objectContaining({ code: 'OPTION_INVALID', detail: { option: 'find', at } }),
  );
});

test('any text is an expression or is refused with a position in it', () => {
  const part = fc.constantFrom(
    'turn',
    'and',
    'or',
    'not',
    '(',
    ')',
    '==',
    '~',
    "'x'",
    '3',
    ' ',
    '.',
  );
  const source = fc.oneof(
    fc.string(),
    fc.array(part).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(source, (text) => {
      try {
        expect(typeof holds(text)).toBe('boolean');
      } catch (error) {
        const { at } = (error as { detail: { at: number } }).detail;
        expect(at).toBeGreaterThan(0);
        expect(at).toBeLessThanOrEqual(text.length + 1);
      }
    }),
  );
});

test.each([
  ["turn > '5'", `at 6, ">": the number 12 is compared with the text '5'`],
  ['phase < 3', `at 7, "<": the text 'open' is compared with the number 3`],
  ["turn == '12'", `at 6, "==": the number 12 is compared with the text '12'`],
  ["turn == 12 and 'a' != turn", `at 20, "!=": the text 'a' is compared with the number 12`],
])('a number and a text are not compared: %s', (source, says) => {
  expect(() => holds(source)).toThrow(`The expression is not understood ${says}`);
});
