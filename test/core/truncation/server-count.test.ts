import { expect, test } from 'vitest';
import {
  uncalibrated,
  type Calibration,
  type CountedPrompt,
  type FittedPoint,
} from '../../../src/core/budget/calibration.ts';
import { countsParts, isPart } from '../../../src/core/truncation/part-count.ts';
import {
  cutOf,
  fallsIn,
  isAsLargeAsOneCut,
  isProvenWindow,
  isUsualCut,
  leastCount,
} from '../../../src/core/truncation/server-count.ts';

// What a server counted beside what was learned of it; each number with the nearest that is none.

const prompt = (estimate: number, epoch = 0): CountedPrompt => ({ estimate, epoch });
const point = (estimate: number, reported: number, epoch = 0): FittedPoint => {
  return { estimate, reported, epoch };
};
const knowing = (more: Partial<Calibration>): Calibration => ({ ...uncalibrated, ...more });

/** Points as `1000→900`, in one epoch unless `@1` says another. */
const points = (line: string): readonly FittedPoint[] =>
  line
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [estimate, reported, epoch = 0] = word.split(/[→@]/).map(Number);
      return point(estimate!, reported!, epoch);
    });

test.each([
  ['of no others', null, '', '5000→100', 0, 100],
  ['less by nine', point(4_000, 3_000), '', '4000→2991', 1, 3_000],
  ['less by eight', point(4_000, 3_000), '', '4000→2992', 0, 3_000],
  ['of a smaller prompt', point(4_000, 3_000), '', '3999→2000', 0, 3_000],
  ['of another epoch', point(4_000, 3_000, 1), '', '4000→2000', 0, 2_000],
  ['again and again', point(4_000, 3_000), '4100→2900 4200→2800', '4300→2700', 3, 3_000],
  ['again after a rise', point(4_000, 3_000), '4100→2900 4200→3100', '4300→2700', 2, 3_100],
  ['with one of another epoch between', point(4_000, 3_000), '9000→9000@1', '4000→2000', 1, 3_000],
  // Two and a half times what is new, and two hundred, may be of that alone.
  ['of what is new', point(4_000, 3_000), '', '4500→1450', 0, 3_000],
  ['of more than is new', point(4_000, 3_000), '', '4500→1451', 1, 3_000],
] as const)('falls %s', (...[, last, doubts, now, falls, most]) => {
  const [seen] = points(now);
  const known = knowing({ last, doubts: points(doubts) });
  expect(fallsIn(known, prompt(seen!.estimate), seen!.reported)).toEqual({ falls, most });
});

test('a usual window leaves all of it, all but one, or its half and the head', () => {
  for (const window of [2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144]) {
    const left = [window, window - 1, window / 2 + 2, window / 2 + 3];
    expect(left.map(isUsualCut)).toEqual([true, true, true, true]);
    const none = [window + 1, window - 2, window / 2 + 4, window / 2 + 1];
    expect(none.map(isUsualCut)).toEqual([false, false, false, false]);
  }
});

test('a cut to a window that is known is sure, one to a usual window where the prompt is larger for sure', () => {
  const of = (seen: string, known: readonly number[], doubts = '') => {
    const [{ estimate, reported }] = points(seen) as [FittedPoint];
    return cutOf(
      knowing({ doubts: points(doubts) }),
      { prompt: prompt(estimate), reported },
      known,
    );
  };
  expect(of('5000→3000', [9_000, 3_000])).toEqual({ window: 3_000, isSure: true });
  expect(of('3000→3000', [3_000])).toBeNull();
  expect(of('9000→8192', [])).toEqual({ window: 8_192, isSure: false });
  expect(of('8191→8192', [])).toBeNull();
  const sure = { window: 8_192, isSure: true };
  expect(of('9000→8192', [], '9009→8192')).toEqual(sure);
  expect(of('9000→8192', [], '8991→8192')).toEqual(sure);
  expect(of('9000→8192', [], '9008→8192')).toMatchObject({ isSure: false });
  expect(of('9000→8192', [], '9100→8191')).toMatchObject({ isSure: false });
});

test('a doubt is proven wrong by a count beyond what was expected of it, where counts follow', () => {
  const doubted = point(2_000, 1_200);
  const of = (estimate: number, reported: number, doubts = ''): boolean =>
    isProvenWindow(knowing({ doubted, doubts: points(doubts) }), prompt(estimate), reported);
  expect(isProvenWindow(uncalibrated, prompt(9_000), 5_400)).toBe(false);
  // Past 2,100, by a ratio of six tenths and a tenth of it more or less.
  expect([of(3_501, 2_101), of(3_500, 2_100)]).toEqual([true, false]);
  expect([of(3_500, 2_309), of(3_500, 2_311)]).toEqual([true, false]);
  expect([of(4_000, 2_161), of(4_000, 2_159)]).toEqual([true, false]);
  expect([of(4_000, 2_400, '3000→1800'), of(4_000, 2_400, '3000→2500')]).toEqual([true, false]);
});

test('over a small doubted prompt a count follows by half of the growth', () => {
  const of = (doubted: FittedPoint, seen: FittedPoint, ratio = 1): boolean =>
    isProvenWindow(knowing({ doubted, ratio }), seen, seen.reported);
  const small = point(999, 400);
  expect([of(small, point(2_999, 1_400)), of(small, point(2_999, 1_399))]).toEqual([true, false]);
  expect([of(small, point(2_999, 2_400), 2), of(small, point(2_999, 2_399), 2)]).toEqual([
    true,
    false,
  ]);
  expect(of(point(1_000, 400), point(2_999, 1_400))).toBe(false);
  const tiny = point(500, 500);
  expect([of(tiny, point(564, 533)), of(tiny, point(563, 533)), of(tiny, point(564, 531))]).toEqual(
    [true, true, false],
  );
});

test('four counts of one ratio agree, which a cut does not', () => {
  const of = (doubts: string, estimate: number, reported: number): boolean => {
    const all = points(doubts);
    return isProvenWindow(
      knowing({ doubted: all[0]!, doubts: all, ratio: 2 }),
      prompt(estimate),
      reported,
    );
  };
  const three = '2000→1000 2200→1100 2400→1200';
  expect(of(three, 2_500, 1_250)).toBe(true);
  expect(of('2000→1000 2200→1100', 2_500, 1_250)).toBe(false);
  // A quarter more from the smallest to the largest, at least.
  expect(of(three, 2_499, 1_250)).toBe(false);
  // Four hundredths from the middle of the ratios, at most.
  expect([of(three, 2_500, 1_354), of(three, 2_500, 1_355)]).toEqual([false, false]);
  expect([
    of('2000→1000@1 2200→1100@2 2400→1200@3', 2_500, 1_354),
    of('2000→1000@1 2200→1100@2 2400→1200@3', 2_500, 1_355),
  ]).toEqual([true, false]);
  // What they grew by, by a quarter of it, where it is 64 at least.
  expect([
    of('2000→1000 2400→1200 2436→1200', 2_500, 1_232),
    of('2000→1000 2400→1200 2436→1200', 2_500, 1_270),
  ]).toEqual([true, false]);
  expect(of('2000→1000 2400→1200 2437→1200', 2_500, 1_270)).toBe(true);
});

const formulaSizes = (words: number) => ({ characters: 4_000, bytes: 4_000, words, files: 0 });

test.each([
  ['before any report', {}, 5_000, 0, 0.65 * 5_000 - 1],
  ['of a prompt that any server has room for', {}, 2_048, 0, 0.35 * 2_048 - 1],
  ['of a lower ratio', { samples: 1, ratio: 0.5 }, 8_000, 0, 0.88 * 0.5 * 8_000 - 1],
  ['of a higher ratio', { samples: 1, ratio: 2 }, 8_000, 0, 0.65 * 8_000 - 1],
  ['of a prompt that grew', { samples: 1, last: point(4_000, 4_000) }, 5_000, 0, 4_000 + 650 - 30],
  [
    'of a small one that grew',
    { samples: 1, last: point(1_000, 1_000) },
    1_500,
    0,
    1_000 + 0.35 * 500 - 8,
  ],
  [
    'of one that grew, where growth tells',
    {
      samples: 1,
      last: point(4_000, 4_000),
      growth: { ...uncalibrated.growth, tokens: 1_500, mean: 0.8, deviation: 0.01 },
      ratio: 0.8,
    },
    5_000,
    0,
    4_000 + 0.8 * 0.88 * 1_000 - 30,
  ],
  [
    'of one that grew, where growth differs',
    {
      samples: 1,
      last: point(4_000, 4_000),
      growth: { ...uncalibrated.growth, tokens: 1_500, mean: 0.8, deviation: 0.1 },
      ratio: 0.8,
    },
    5_000,
    0,
    4_000 + (0.8 - 0.4) * 1_000 - 30,
  ],
  [
    'of one that grew, where its growth has another ratio than all of it',
    {
      samples: 1,
      last: point(4_000, 4_000),
      growth: { ...uncalibrated.growth, tokens: 1_500, mean: 0.8, deviation: 0 },
      ratio: 1,
    },
    5_000,
    0,
    4_000 + (0.8 - 0.4) * 1_000 - 30,
  ],
  [
    'of another epoch, where growth tells',
    {
      samples: 3,
      growth: { ...uncalibrated.growth, tokens: 1_500, mean: 1, deviation: 0.01 },
    },
    5_000,
    1,
    0.95 * 5_000,
  ],
  [
    'of another epoch, where growth differs',
    {
      samples: 3,
      growth: { ...uncalibrated.growth, tokens: 1_500, mean: 1, deviation: 0.1 },
    },
    5_000,
    1,
    0.85 * 5_000,
  ],
  [
    'of another epoch, where growth tells nothing yet',
    {
      samples: 3,
      growth: { ...uncalibrated.growth, tokens: 1_499, mean: 1, deviation: 0.01 },
    },
    5_000,
    1,
    0.65 * 5_000 - 1,
  ],
  [
    'of one as large as one found cut',
    {
      samples: 3,
      cutFrom: 5_000,
      growth: { ...uncalibrated.growth, tokens: 1_500, mean: 1, deviation: 0.01 },
    },
    5_000,
    1,
    0.97 * 5_000,
  ],
] as const)('the least count %s', (...[, more, estimate, epoch, least]) => {
  expect(leastCount(knowing(more), prompt(estimate, epoch))).toBeCloseTo(least, 6);
});

test('a prompt is as large as one that was found cut from its size on', () => {
  expect(isAsLargeAsOneCut(knowing({ cutFrom: null }), prompt(5_000))).toBe(false);
  expect(isAsLargeAsOneCut(knowing({ cutFrom: 5_000 }), prompt(5_000))).toBe(true);
  expect(isAsLargeAsOneCut(knowing({ cutFrom: 5_001 }), prompt(5_000))).toBe(false);
});

test('the least count by sizes is that of the yardstick that counts least', () => {
  const sized = { ...prompt(5_000), sizes: formulaSizes(900) };
  expect(leastCount(uncalibrated, sized)).toBeLessThan(leastCount(uncalibrated, prompt(5_000)));
  const last = { ...point(4_000, 4_000), sizes: formulaSizes(900) };
  // Nothing more than before but a little less.
  expect(leastCount(knowing({ samples: 1, last }), sized)).toBeCloseTo(4_000 - 30, 6);
});

test.each([
  [0, 0, false],
  [0, 1, false],
  [0, 2, true],
  [1, 3, false],
  [1, 4, true],
  [2, 7, false],
  [2, 8, true],
])(
  'of %i counts of the whole and %i of what is new, a server counts the latter: %j',
  (...[whole, part, is]) => {
    expect(countsParts(knowing({ counted: { whole, part } }))).toBe(is);
  },
);

test('a server that is known to count what is new may count anything of another epoch, less than the whole', () => {
  const counted = { whole: 0, part: 2 };
  const last = point(4_000, 4_000);
  const known = knowing({ counted, last, previous: last });
  expect(isPart(known, prompt(9_000, 1), 5_000)).toBe(true);
  expect(isPart(known, prompt(9_000, 1), 9_000)).toBe(false);
  expect(isPart(knowing({ last, previous: last }), prompt(9_000, 1), 5_000)).toBe(false);
  expect(isPart({ ...known, previous: null }, prompt(5_000), 100)).toBe(true);
});

test('where a prompt is small, a count that fell is of what is new', () => {
  const last = point(1_000, 1_000);
  const of = (estimate: number, reported: number): boolean =>
    isPart(knowing({ last, previous: last }), prompt(estimate), reported);
  expect([of(1_500, 700), of(1_500, 1_001), of(999, 500)]).toEqual([true, false, false]);
  expect([of(1_500, 999), of(1_500, 1_000)]).toEqual([true, false]);
});

test('what is new counts by the ratio of the model, where that is above ours', () => {
  const last = point(4_000, 8_000);
  const known = knowing({ last, previous: last, ratio: 2, samples: 1 });
  const of = (reported: number): boolean => isPart(known, prompt(6_000), reported);
  expect([of(5_300), of(5_301), of(1_692), of(1_691)]).toEqual([true, false, true, false]);
});

test('a usual cut among the doubts says that a server cuts', () => {
  const last = point(4_000, 4_000);
  const of = (doubts: string): boolean =>
    isPart(knowing({ last, previous: last, doubts: points(doubts) }), prompt(5_000), 1_000);
  expect([of(''), of('4500→2047'), of('4500→2046')]).toEqual([true, false, true]);
});
