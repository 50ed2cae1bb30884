import { expect, test } from 'vitest';
import {
  learn,
  uncalibrated,
  type Calibration,
  type ServerReport,
} from '../../../src/core/budget/calibration.ts';
import { beliefOf, detectTruncation, serverWindow } from '../../../src/core/truncation/detect.ts';
import type { TextSizes } from '../../../src/core/messages/text-sizes.ts';
import type { TruncationEvidence } from '../../../src/core/truncation/evidence.ts';

// Each rule with the numbers by which it holds, and the nearest by which it does not.
// Prompts are written as `tokens of ours → the server's count`, all of epoch 0 unless told.

/** What whole prompts teach, and then those that were doubted: `1000→1000 4000→4000 | 5000→3000`. */
function taught(line: string, epoch = 0): Calibration {
  return line.split(' | ').reduce((before, part, at) => {
    const isDoubtful = at > 0;
    return part
      .split(' ')
      .filter(Boolean)
      .map((word) => word.split('→').map(Number) as [number, number])
      .reduce(
        (so, [estimate, reported]) =>
          learn(
            so,
            { estimate, reported, epoch, window: 16_000 },
            isDoubtful ? 'doubted' : 'whole',
          ),
        before,
      );
  }, uncalibrated);
}

/** The verdict on one line: `certain count.cut reported 4096, expected 4097, window 4096`. */
function verdict(signs: TruncationEvidence): string {
  const { truncation, rule, numbers } = detectTruncation(signs);
  if (rule === null) return truncation;
  const all = Object.entries(numbers).map(([name, value]) => `${name} ${value}`);
  return `${truncation} ${rule} ${all.join(', ')}`.trim();
}

const at = (estimate: number, reported: number): ServerReport => ({
  estimate,
  reported,
  epoch: 0,
  window: 16_000,
});

/** The rule that decides. */
const rule = (signs: TruncationEvidence): string => detectTruncation(signs).rule ?? 'none';

/** A prompt of so many tokens after what was taught, for a window that no count here comes near. */
const asked = (
  calibration: Calibration,
  estimate: number,
  { epoch = 0, window = 16_000 } = {},
): TruncationEvidence => ({ calibration, prompt: { estimate, epoch, window } });

const settled = taught('1000→1000 2000→2000 4000→4000');
const found = taught('1000→1000 2000→2000 4000→4000 | 5000→3000');
const dense = taught('1000→2000 3000→6000 5000→9000');
const unlike = taught('1000→1000 2000→1600 3000→2800 4000→3300 5000→4600');

test('prompt.refused: the server said that it is too long; nothing is lost, for nothing was answered', () => {
  expect(verdict({ refused: true, reported: 9_000, window: 8_192 })).toBe(
    'certain prompt.refused reported 9000, window 8192',
  );
  expect(verdict({ refused: false })).toBe('none');
  expect(detectTruncation({})).toEqual({
    truncation: 'none',
    rule: null,
    numbers: {},
    loses: false,
    recovers: false,
  });
  expect(detectTruncation({ refused: true })).toMatchObject({ loses: false, recovers: false });
  expect(detectTruncation({ asked: true })).toMatchObject({ loses: true, recovers: true });
});

test('count.cut: what a cut to the window leaves, of a prompt longer than it', () => {
  const count = (estimate: number, reported: number): string =>
    verdict({ ...asked(uncalibrated, estimate, { window: 4_096 }), reported });
  expect(count(4_097, 4_096)).toBe('certain count.cut reported 4096, expected 4097, window 4096');
  expect(count(4_096, 4_096)).toBe('none');
  const left = [4_097, 4_096, 4_095, 4_094, 2_052, 2_051, 2_050, 2_049];
  expect(left.filter((reported) => count(4_097, reported).includes('count.cut'))).toEqual([
    4_096, 4_095, 2_051, 2_050,
  ]);
  const server = { ...asked(uncalibrated, 4_097), window: 4_096, reported: 4_096 };
  expect(rule(server)).toBe('count.cut');
  expect(rule({ ...server, window: 4_097 })).toBe('none');
});

test('count.cut, count.usual: a usual window is sure where even the least count of the prompt exceeds it', () => {
  const count = (estimate: number, reported: number): string =>
    rule({ ...asked(uncalibrated, estimate), reported });
  expect(count(12_605, 8_192)).toBe('count.cut');
  expect(count(12_604, 8_192)).toBe('count.usual');
  expect(count(8_809, 8_192)).toBe('count.usual');
  expect(count(8_808, 8_192)).toBe('none');
  expect(count(8_809, 8_190)).toBe('none');
  expect(verdict({ ...asked(uncalibrated, 8_809), reported: 8_191 })).toBe(
    'suspected count.usual reported 8191, expected 8809, window 8192',
  );
});

test('count.cut: a usual window is sure where another prompt counted the same', () => {
  const again = taught(' | 9000→8192');
  const count = (estimate: number): string => rule({ ...asked(again, estimate), reported: 8_192 });
  expect(count(9_009)).toBe('count.cut');
  expect(count(9_008)).toBe('count.usual');
});

test('window.exceeded, window.likely: longer than the window, for sure or by the best guess', () => {
  const within = (known: Calibration, estimate: number, epoch: number): string =>
    rule({ ...asked(known, estimate, { epoch }), window: 4_096 });
  expect(within(settled, 4_123, 0)).toBe('window.exceeded');
  expect(within(settled, 4_122, 0)).toBe('window.likely');
  expect(within(settled, 4_312, 1)).toBe('window.exceeded');
  expect(within(settled, 4_311, 1)).toBe('window.likely');
  expect(within(uncalibrated, 6_827, 1)).toBe('window.exceeded');
  expect(within(uncalibrated, 6_826, 1)).toBe('window.likely');
  expect(within(uncalibrated, 4_097, 1)).toBe('window.likely');
  expect(within(uncalibrated, 4_096, 1)).toBe('none');
});

test('window.exceeded: a count beyond the window says that there is more room', () => {
  const count = (reported: number): string =>
    verdict({ ...asked(uncalibrated, 6_000), window: 4_096, reported });
  expect(count(4_094)).toBe('suspected window.likely expected 6000, window 4096');
  const known = { ...asked(settled, 5_500), window: 4_096, reported: 4_050 };
  expect(verdict(known)).toBe('certain window.exceeded expected 5500, window 4096');
  expect(count(4_097)).toBe('none');
});

test('history.changed, coverage.broken, recovery.asked: one entry is enough, and to be asked', () => {
  expect(verdict({ changed: 1 })).toBe('certain history.changed changed 1');
  expect(verdict({ changed: 0 })).toBe('none');
  expect(verdict({ uncovered: 1 })).toBe('certain coverage.broken uncovered 1');
  expect(verdict({ uncovered: 0 })).toBe('none');
  expect(verdict({ asked: true })).toBe('certain recovery.asked');
  expect(verdict({ asked: false })).toBe('none');
});

test('count.fell: less than the prompt before, though it only grew', () => {
  const count = (estimate: number, reported: number, epoch = 0): string =>
    verdict({ ...asked(settled, estimate, { epoch }), reported });
  expect(count(4_000, 3_999)).toBe('suspected count.fell reported 3999, before 4000');
  expect(count(4_000, 4_000)).toBe('none');
  expect(count(3_999, 3_999)).toBe('none');
  expect(count(4_000, 3_999, 1)).toBe('none');
});

test.each([
  ['the first report: 0.65 of ours', uncalibrated, 5_000, 0, 3_249],
  ['few reports: as much in another epoch', taught('1000→1000'), 5_000, 1, 3_249],
  ['few reports of a lower ratio: 0.88 of that', taught('1000→600'), 5_000, 1, 2_639],
  ['0.9 of ours in what it grew by, however large the ratio', dense, 6_000, 0, 9_832],
  ['another epoch', settled, 5_000, 1, 4_700],
  ['the last prompt has grown', settled, 5_000, 0, 4_810],
  ['as large as one found cut', found, 5_000, 1, 4_800],
  ['less than one found cut', found, 4_999, 1, 4_700],
  ['texts of unlike ratios: no less than 0.65 of ours', unlike, 6_000, 1, 3_899],
] as const)('count.low: %s', (...[, known, estimate, epoch, least]) => {
  const count = (reported: number): string =>
    rule({ ...asked(known, estimate, { epoch }), reported });
  const told = Math.ceil(0.97 * least);
  expect([count(told - 1), count(told), count(least)]).toEqual(['count.low', 'none', 'none']);
});

test('count.low: what is hardly less is not told, and nothing is learned from it', () => {
  const belief = (reported: number): string =>
    beliefOf({ ...asked(settled, 5_000, { epoch: 1 }), reported });
  expect([belief(4_699), belief(4_700)]).toEqual(['unsure', 'whole']);
  const unsure = learn(settled, { ...at(5_000, 4_699), epoch: 1 }, 'unsure');
  expect(unsure).toMatchObject({ samples: 3, cutFrom: null, doubts: [{ reported: 4_699 }] });
});

test('count.low: a prompt that has room in the least window of servers, or in what was counted once, was not cut', () => {
  const count = (known: Calibration, estimate: number): string =>
    rule({ ...asked(known, estimate, { epoch: 1 }), reported: 600 });
  expect([count(uncalibrated, 2_048), count(uncalibrated, 2_049)]).toEqual(['none', 'count.low']);
  expect([count(settled, 4_000), count(settled, 4_001)]).toEqual(['none', 'count.low']);
});

test('count.capped: counts that fall again and again, though the prompt only grew', () => {
  const once = taught('1000→1000 1500→1500 2000→2000 2500→2500 3000→3000 | 3500→2800');
  const count = (known: Calibration, reported: number): string =>
    verdict({ ...asked(known, 4_000), reported });
  expect(count(once, 2_700)).toBe(
    'certain count.capped reported 2700, expected 4000, falls 2, window 3000',
  );
  expect(count(once, 2_900)).toBe('suspected count.fell reported 2900, before 3000');
  const few = taught('2000→2000 3000→3000 | 3500→2800');
  expect(count(few, 2_700)).toBe('suspected count.fell reported 2700, before 3000');
});

test('count.capped: counts that stand still, though the prompt grew', () => {
  const whole = '3000→3000 3200→3200 3400→3400 3600→3600 3800→3800 4000→4000';
  const count = (doubts: string, estimate: number, reported: number): string =>
    verdict({ ...asked(taught(`${whole} | ${doubts}`), estimate), reported });
  const stood = '4180→3990 4290→3990';
  expect(count(stood, 4_400, 3_990)).toBe(
    'certain count.capped reported 3990, expected 4400, falls 1, window 4000',
  );
  // A little more is no more than a cut elsewhere leaves.
  expect(count(stood, 4_400, 4_003)).toBe(
    'certain count.capped reported 4003, expected 4400, falls 1, window 4003',
  );
  expect(count(stood, 4_390, 3_990)).toBe('suspected count.fell reported 3990, before 4000');
  expect(count('4180→3990', 4_400, 3_990)).toBe('suspected count.fell reported 3990, before 4000');
});

/** A server that counted these in turn, each thought of as it is judged. */
const judged = (line: string): Calibration =>
  line.split(' ').reduce((so, word) => {
    const [estimate, reported] = word.split('→').map(Number) as [number, number];
    return learn(so, at(estimate, reported), beliefOf({ ...asked(so, estimate), reported }));
  }, uncalibrated);

test('a server that counts only what is new in a prompt raises nothing, and teaches nothing', () => {
  const begun = judged('2000→2000');
  const second = { ...asked(begun, 2_400), reported: 420 };
  expect([rule(second), beliefOf(second)]).toEqual(['none', 'part']);
  const known = judged('2000→2000 2400→420 3000→620');
  expect(known).toMatchObject({ samples: 1, ratio: 1, counted: { whole: 0, part: 2 } });
  const next = (estimate: number, reported: number, epoch = 0): string =>
    rule({ ...asked(known, estimate, { epoch }), reported });
  expect([next(5_000, 2_048), next(3_500, 1_700), next(3_500, 1_701)]).toEqual([
    'none',
    'none',
    'count.fell',
  ]);
  expect(next(5_000, 1_000, 1)).toBe('none');
});

test('a count of the new part is one that its growth may have, on a server that did not count whole twice', () => {
  const count = (line: string, estimate: number, reported: number): string =>
    beliefOf({ ...asked(judged(line), estimate), reported });
  const begun = '2000→2000';
  const least = [831, 832, 1_400, 1_401].map((reported) => count(begun, 3_000, reported));
  expect(least).toEqual(['doubted', 'doubted', 'part', 'doubted']);
  const whole = `${begun} 2200→2200`;
  expect([count(whole, 3_000, 900), count(`${whole} 2300→2300`, 3_000, 900)]).toEqual([
    'part',
    'doubted',
  ]);
});

test('a count of more than the new part can have, and less than the whole, shows that those before were cut', () => {
  const cut = judged('2000→2000 2400→420 3000→620');
  expect(learn(cut, at(3_100, 1_500), 'doubted').counted).toEqual({ whole: 2, part: 0 });
  expect(learn(cut, at(3_100, 3_100)).counted).toEqual({ whole: 1, part: 2 });
});

test('three doubts that may all be of what was new alone are', () => {
  const whole = '2000→2000 2200→2200 2300→2300';
  const after = (doubts: string): string =>
    beliefOf({ ...asked(judged(`${whole} ${doubts}`), 5_000), reported: 410 });
  expect(after('3000→710 4000→1010')).toBe('doubted');
  expect(after('3000→710 4000→1010 4600→620')).toBe('part');
  expect(after('3000→710 4000→1900 4600→620')).toBe('doubted');
});

test('an exact count of a cut interrupts nothing where it may be of what is new alone', () => {
  const begun = judged('2500→2500');
  const count = (estimate: number): string =>
    verdict({ ...asked(begun, estimate), reported: 2_048 });
  expect(count(4_500)).toBe('suspected count.usual reported 2048, expected 4500, window 2048');
  expect(count(5_500)).toBe('certain count.cut reported 2048, expected 5500, window 2048');
});

test('count.low: what a server without a vocabulary counts is not low by its own yardstick', () => {
  const sizes = (words: number): TextSizes => ({
    characters: 9_000,
    bytes: 9_000,
    words,
    files: 0,
  });
  const count = (known: Calibration, words: number, reported: number): string =>
    rule({
      calibration: known,
      prompt: { estimate: 4_000, epoch: 1, window: 16_000, sizes: sizes(words) },
      reported,
    });
  const begun = learn(uncalibrated, { ...at(1_000, 800), sizes: sizes(600) });
  expect([count(begun, 800, 810), count(begun, 800, 800)]).toEqual(['none', 'count.low']);
  const byTokens = learn(begun, { ...at(2_000, 1_800), sizes: sizes(620) });
  expect(count(byTokens, 800, 2_500)).toBe('count.low');
  const byWords = learn(begun, { ...at(2_000, 930), sizes: sizes(700) });
  expect([count(byWords, 800, 810), count(byWords, 800, 800)]).toEqual(['none', 'count.low']);
});

test('count.fell, count.low: a count past a doubted prompt, grown as the prompt did, is the model’s own', () => {
  const doubting = taught('1000→1000 2000→2000 4000→4000 | 3000→2000');
  const count = (estimate: number, reported: number): string =>
    rule({ ...asked(doubting, estimate, { epoch: 1 }), reported });
  expect(count(4_725, 3_151)).toBe('none');
  expect(count(4_725, 3_150)).toBe('count.low');
  expect(count(5_251, 3_151)).toBe('none');
  expect(count(5_252, 3_151)).toBe('count.low');
});

test('count.missing: no count of a prompt no smaller than one found cut, in a window that may be too small', () => {
  expect(taught('1000→1000 | 2048→600').cutFrom).toBeNull();
  expect(taught('1000→1000 | 2049→600').cutFrom).toBe(2_049);
  const doubting = taught('1000→1000 2000→2000 4000→4000 | 5000→3000');
  const missing = (estimate: number, window?: number): string =>
    verdict({
      ...asked(doubting, estimate, { epoch: 1 }),
      ...(window === undefined ? {} : { window }),
    });
  expect(missing(5_000)).toBe('suspected count.missing expected 5000');
  expect(missing(4_999)).toBe('none');
  expect(missing(5_000, 5_000)).toBe('none');
  expect(rule({ ...asked(doubting, 5_000, { epoch: 1 }), reported: 5_000 })).toBe('none');
});

test('count.low, count.missing: told with numbers; a count of nothing says nothing, nor does a refusal', () => {
  const low = { ...asked(settled, 5_000, { epoch: 1 }), reported: 4_000 };
  expect(verdict(low)).toBe('suspected count.low reported 4000, expected 5000, least 4700');
  expect(verdict({ ...low, reported: 0 })).toBe('none');
  expect(rule({ ...asked(found, 5_000, { epoch: 1 }), refused: true })).toBe('prompt.refused');
});

test('serverWindow: what a verdict found', () => {
  expect(serverWindow({ numbers: { window: 4_096 } })).toBe(4_096);
  expect(serverWindow({ numbers: {} })).toBeNull();
});

test('messages.fell: fewer messages than before', () => {
  expect(verdict({ messages: { now: 9, before: 10 } })).toBe(
    'suspected messages.fell now 9, before 10',
  );
  expect(verdict({ messages: { now: 10, before: 10 } })).toBe('none');
});

test('answer.asks: a model that asks what it was about is worth a recovery, a count that is low is not', () => {
  const asks = detectTruncation({ answer: 'What were we working on?' });
  expect(asks).toMatchObject({ truncation: 'suspected', rule: 'answer.asks', recovers: true });
  expect(verdict({ answer: 'The parser is done.' })).toBe('none');
  const low = detectTruncation({ ...asked(settled, 5_000), reported: 3_999 });
  expect(low).toMatchObject({ truncation: 'suspected', loses: true, recovers: false });
});

test('of several rules the surest decides', () => {
  const signs = [
    { refused: true },
    { ...asked(uncalibrated, 4_097, { window: 4_096 }), reported: 4_096 },
    { changed: 2 },
    { uncovered: 3 },
    { asked: true },
    { messages: { now: 1, before: 2 } },
    { answer: 'What were we doing?' },
  ] satisfies readonly TruncationEvidence[];
  const deciding = signs.map((_, first) => rule(Object.assign({}, ...signs.slice(first))));
  expect(deciding).toEqual([
    'prompt.refused',
    'count.cut',
    'history.changed',
    'coverage.broken',
    'recovery.asked',
    'messages.fell',
    'answer.asks',
  ]);
});

test('a refused prompt is not to be learned from where it was counted after it was cut', () => {
  const refused = (reported: number): string =>
    beliefOf({ ...asked(uncalibrated, 4_000), refused: true, reported });
  expect(refused(3_719)).toBe('doubted');
  expect(refused(3_720)).toBe('whole');
  expect(beliefOf({ refused: true })).toBe('whole');
  expect(beliefOf({ answer: 'What were we doing?' })).toBe('doubted');
  expect(beliefOf({})).toBe('whole');
});
