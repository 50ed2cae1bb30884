import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  expected,
  learn as take,
  roomFor,
  uncalibrated,
  type Calibration,
  type ServerReport,
} from '../../../src/core/budget/calibration.ts';
import { bounds } from '../../../src/core/budget/line.ts';
import {
  beliefOf,
  detectTruncation,
  type Truncation,
} from '../../../src/core/truncation/detect.ts';

const window = 8_192;

/** The calibration after a report, which teaches nothing where a rule doubts it. */
function learn(calibration: Calibration, given: ServerReport): Calibration {
  const { estimate, epoch, reported } = given;
  const prompt = { estimate, epoch, window: given.window };
  const { refused = false } = given;
  const signs = { calibration, prompt, refused, ...(reported === null ? {} : { reported }) };
  return take(calibration, given, beliefOf(signs));
}

/** A calibration after reports of one epoch: `1000→1250 1100→1370`. */
const learned = (reports: string, epoch = 1): Calibration =>
  reports.split(' ').reduce((calibration, report) => {
    const [estimate, reported] = report.split('→').map(Number);
    return learn(calibration, { estimate: estimate!, reported: reported!, epoch, window });
  }, uncalibrated);

const doubtOf = (calibration: Calibration, given: ServerReport): Truncation => {
  const { reported, ...prompt } = given;
  return detectTruncation({ calibration, prompt, reported: reported! }).truncation;
};

const judgeOf = (calibration: Calibration, given: ServerReport): string => {
  const { reported, ...prompt } = given;
  const { rule, truncation } = detectTruncation({ calibration, prompt, reported: reported! });
  return `${rule} ${truncation}`;
};

const report = (estimate: number, reported: number, epoch = 1): ServerReport => ({
  estimate,
  reported,
  epoch,
  window,
});

test('one report makes a ratio and no overhead', () => {
  expect(learned('1000→1250')).toMatchObject({
    ratio: expect.closeTo(1.25),
    overhead: 0,
    samples: 1,
  });
});

test('a small first prompt is taken for a large ratio, and larger ones tell template from text', () => {
  expect(learned('5→27').ratio).toBe(bounds.most);
  const later = learned('5→27 60→84 400→430 900→940');
  expect(later.ratio).toBeGreaterThan(0.98);
  expect(later.ratio).toBeLessThan(1.03);
  expect(later.overhead).toBeGreaterThan(15);
  expect(later.overhead).toBeLessThan(35);
});

test('within an epoch the last report and the growth since are expected', () => {
  const calibration = learned('1000→1300 2000→2500');
  const { ratio } = calibration;
  expect(expected(calibration, { estimate: 2_100, epoch: 1 })).toBeCloseTo(2_500 + ratio * 100);
  expect(expected(calibration, { estimate: 1_000, epoch: 2 })).toBeCloseTo(
    ratio * 1_000 + calibration.overhead,
  );
});

test.each([
  ['zero', 0],
  ['what is no number', Number.NaN],
  ['what is below nothing', -5],
])('%s is no report', (_, reported) => {
  const before = learned('1000→1200');
  expect(learn(before, report(1_100, reported))).toBe(before);
});

test.each([
  [
    'less than before, though the prompt grew',
    learned('4000→4400 5000→5500'),
    report(5_100, 5_400),
    'suspected',
  ],
  [
    'far less than expected in a new epoch',
    learned('1000→1000 2000→2000 3000→3000'),
    report(4_000, 3_200, 2),
    'suspected',
  ],
  [
    'half a window and what is kept of the head',
    learned('7000→7700 7400→8100'),
    report(7_600, 4_098),
    'certain',
  ],
  ['the window exactly', learned('7000→7700 7400→8100'), report(7_600, 8_192), 'certain'],
  [
    'half a window, from a prompt that would fit',
    learned('3000→3100 3900→4030'),
    report(3_965, 4_098),
    'none',
  ],
  [
    'a little less in a new epoch',
    learned('1000→1000 2000→2000 3000→3000'),
    report(2_000, 1_950, 2),
    'none',
  ],
  ['more than expected', learned('1000→1000 2000→2000'), report(2_500, 3_500), 'none'],
] as const)('%s', (...[, calibration, given, doubt]) => {
  expect(doubtOf(calibration, given)).toBe(doubt);
});

test('what is doubted teaches nothing, until a count is past what the doubted prompt was thought to be', () => {
  const before = learned('1000→1500 2000→3000 3000→4500');
  const doubted = learn(before, report(4_000, 4_000, 2));
  expect(doubted).toMatchObject({ ratio: before.ratio, samples: 3, cutFrom: 4_000 });
  expect(learn(doubted, report(4_600, 4_000, 2)).samples).toBe(3);
  expect(learn(doubted, report(4_600, 4_700, 2)).samples).toBe(3);
  const believed = learn(doubted, report(6_300, 6_400, 2));
  expect(believed).toMatchObject({ samples: 4, doubted: null, doubts: [], cutFrom: null });
});

test('what is doubted is believed once four prompts of different size have the same ratio', () => {
  const before = learned('1000→1500 2000→3000 3000→4500');
  const three = [report(4_000, 4_000, 2), report(4_400, 4_430, 3), report(4_800, 4_790, 4)].reduce(
    learn,
    before,
  );
  expect(three).toMatchObject({ samples: 3, cutFrom: 4_000 });
  expect(learn(three, report(4_900, 4_920, 5)).samples).toBe(3);
  expect(learn(three, report(5_200, 4_600, 5)).samples).toBe(3);
  expect(learn(three, report(5_200, 5_210, 5))).toMatchObject({ samples: 4, cutFrom: null });
});

test('counts of one ratio that grew by another are those of cuts', () => {
  const before = learned('1000→1500 2000→3000 3000→4500');
  const after = (growth: number): number => {
    const reports = [
      [8_000, 2],
      [9_000, 3],
      [10_000, 4],
      [10_200, 4],
    ] as const;
    const ratio = (estimate: number): number => 0.5 * Math.min(estimate, 10_000);
    return reports
      .map(([estimate, epoch]) =>
        report(estimate, ratio(estimate) + growth * Math.max(0, estimate - 10_000), epoch),
      )
      .reduce(learn, before).samples;
  };
  expect([after(1), after(0.6), after(0.5)]).toEqual([3, 4, 4]);
});

test('what is left of a usual window is a cut for sure only where the prompt exceeded it for sure', () => {
  const few = learned('300→330');
  expect(judgeOf(few, report(3_000, 1_026, 2))).toBe('count.usual suspected');
  expect(judgeOf(few, report(4_200, 1_026, 2))).toBe('count.cut certain');
  expect(judgeOf(few, report(3_000, 1_900, 2))).toBe('null none');
  const many = learned('1000→1100 2000→2200 3000→3300');
  expect(judgeOf(many, report(3_100, 1_026, 2))).toBe('count.cut certain');
});

test('the same count of two prompts is a cut for sure', () => {
  const once = learn(learned('300→330'), report(3_000, 1_026, 2));
  expect(judgeOf(once, report(3_100, 1_026, 2))).toBe('count.cut certain');
  expect(judgeOf(once, report(3_001, 1_026, 2))).toBe('count.usual suspected');
});

test('a prompt without a count is suspected where one no larger was found cut, until one is believed', () => {
  const cut = learn(learned('1000→1100 2000→2200 3000→3300'), report(4_000, 3_600));
  const silent = (calibration: Calibration, estimate: number, window?: number) => {
    const prompt = { estimate, epoch: 1, window: 8_192 };
    return detectTruncation({ calibration, prompt, ...(window === undefined ? {} : { window }) })
      .rule;
  };
  expect(silent(cut, 4_000)).toBe('count.missing');
  expect(silent(cut, 3_999)).toBe(null);
  expect(silent(cut, 4_000, 8_192)).toBe(null);
  expect(silent(learn(cut, report(3_200, 3_520)), 4_000)).toBe('count.missing');
  expect(silent(learn(cut, report(5_200, 5_720)), 4_000)).toBe(null);
});

test('a refused prompt was counted whole', () => {
  const before = learned('1000→1000 2000→2000 3000→3000');
  const after = learn(before, { ...report(6_000, 9_000), refused: true });
  expect(after.samples).toBe(4);
  expect(roomFor(after, window, 2)).toBeLessThan(6_000);
});

test('a refused prompt was not counted whole where its server dropped messages first', () => {
  const before = learned('1000→1000 2000→2000 3000→3000');
  const after = learn(before, { ...report(7_400, 2_813, 2), refused: true });
  expect(after).toMatchObject({ samples: 3, ratio: before.ratio, doubted: null });
  expect(roomFor(after, window, 3)).toBeLessThan(roomFor(before, window, 3));
});

test('ratio and overhead stay within their bounds, whatever is reported', () => {
  const any = fc.record({
    estimate: fc.oneof(fc.nat(100_000), fc.constantFrom(Number.NaN, -1, Infinity)),
    reported: fc.oneof(fc.nat(400_000), fc.constantFrom(Number.NaN, -1, Infinity)),
    epoch: fc.nat(3),
    window: fc.constantFrom(2_000, 8_192, 131_072),
    refused: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 40 }), (reports) => {
      const { ratio, overhead, surprise, samples } = reports.reduce(learn, uncalibrated);
      expect(ratio).toBeGreaterThanOrEqual(bounds.least);
      expect(ratio).toBeLessThanOrEqual(bounds.most);
      expect(overhead).toBeGreaterThanOrEqual(0);
      expect(surprise).toBeGreaterThanOrEqual(0);
      expect(samples).toBeLessThanOrEqual(reports.length);
    }),
  );
});

test('a steady server is known within three per cent, or 40 tokens, after a dozen growing prompts', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 2.5, noNaN: true }),
      fc.nat(120),
      fc.array(fc.integer({ min: 40, max: 400 }), { minLength: 12, maxLength: 30 }),
      (truth, template, growths) => {
        let estimate = 8;
        let calibration = uncalibrated;
        for (const growth of growths) {
          estimate += growth;
          const reported = Math.round(truth * estimate + template);
          calibration = learn(calibration, { estimate, reported, epoch: 1, window: 131_072 });
        }
        const next = truth * (estimate + 500) + template;
        const guess = expected(calibration, { estimate: estimate + 500, epoch: 1 });
        expect(Math.abs(guess - next)).toBeLessThan(Math.max(40, 0.03 * next));
        expect(roomFor(calibration, next, 1)).toBeLessThanOrEqual(estimate + 501);
      },
    ),
  );
});

test('a count that stays though the prompt grows is never believed, however small the steps', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 15, max: 300 }), { minLength: 20, maxLength: 80 }),
      fc.integer({ min: 1_000, max: 4_000 }),
      (growths, cut) => {
        let estimate = 200;
        let calibration = uncalibrated;
        for (const growth of growths) {
          estimate += growth;
          const reported = Math.min(estimate, cut);
          calibration = learn(calibration, { estimate, reported, epoch: 1, window: 16_384 });
        }
        // Twenty steps of 15 tokens at the cut count for 0.79, before the growth tells a ratio.
        expect(calibration.ratio).toBeGreaterThan(0.75);
        expect(roomFor(calibration, 16_384, 1)).toBeLessThan(20_500);
      },
    ),
  );
});
