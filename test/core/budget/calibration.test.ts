import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  expected,
  isCountedWhole,
  learn as take,
  roomFor,
  uncalibrated,
  type Belief,
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

/** A calibration after reports as they are believed: `1000→1250@2:doubted`, in epoch 1 and whole unless told; `!` for a refusal, `x` for one without a count. */
const believed = (reports: string): Calibration =>
  reports.split(' ').reduce((calibration, one) => {
    const [, estimate, reported, epoch, belief = ''] =
      /^(\d+)→(\d+|x)(?:@(\d+))?(?::(\w*!?))?$/.exec(one)!;
    const given: ServerReport = {
      estimate: Number(estimate),
      reported: reported === 'x' ? null : Number(reported),
      epoch: Number(epoch ?? 1),
      window,
      refused: belief.endsWith('!'),
    };
    return take(calibration, given, (belief.replace('!', '') || 'whole') as Belief);
  }, uncalibrated);

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** What was learned, on one line. */
const printLearned = (calibration: Calibration): string => {
  const { ratio, overhead, surprise, samples, counted, highest, growth, last } = calibration;
  const { doubts, doubted, cutFrom } = calibration;
  return [
    `ratio ${rounded(ratio)} +${rounded(overhead)}`,
    `surprise ${rounded(surprise)}`,
    `samples ${samples}`,
    `whole ${counted.whole} part ${counted.part}`,
    `highest ${highest}`,
    `growth ${growth.tokens} ${rounded(growth.mean)} ±${rounded(growth.deviation)} from ${growth.from?.estimate ?? '-'}`,
    `last ${last?.reported ?? '-'}`,
    `doubts ${doubts.map(({ reported }) => reported).join('/') || '-'} ${doubted?.reported ?? '-'}`,
    `cut ${cutFrom ?? '-'}`,
    `room ${Math.round(roomFor(calibration, 5_000, 1))} ${Math.round(roomFor(calibration, 5_000, 9))}`,
  ].join(', ');
};

test.each([
  [
    '1000→1250',
    'ratio 1.25 +0, surprise 0, samples 1, whole 0 part 0, highest 1250, growth 0 1 ±0.1 from 1000, last 1250, doubts - -, cut -, room 3727 3846',
  ],
  [
    '1000→1250 1000→1250',
    'ratio 1.25 +0, surprise 0, samples 1, whole 0 part 0, highest 1250, growth 0 1 ±0.1 from 1000, last 1250, doubts - -, cut -, room 3727 3846',
  ],
  [
    '1000→1250 1300→1600',
    'ratio 1.228 +11.269, surprise 0, samples 2, whole 1 part 0, highest 1600, growth 300 1.167 ±0.087 from 1300, last 1600, doubts - -, cut -, room 3817 3904',
  ],
  [
    '1000→1250 1150→1430',
    'ratio 1.244 +2.179, surprise 0, samples 2, whole 1 part 0, highest 1430, growth 0 1 ±0.1 from 1000, last 1430, doubts - -, cut -, room 3759 3862',
  ],
  [
    '1000→1250 1200→1490 1500→1900',
    'ratio 1.256 +0, surprise 0.025, samples 3, whole 2 part 0, highest 1900, growth 500 1.3 ±0.1 from 1500, last 1900, doubts - -, cut -, room 3677 3828',
  ],
  [
    '1000→1250 1500→1500@2 1400→1700@2',
    'ratio 1.018 +151.102, surprise 0.209, samples 3, whole 0 part 0, highest 1700, growth 0 1 ±0.1 from 1400, last 1700, doubts - -, cut -, room 3954 3954',
  ],
  [
    '1000→1000 2000→2600',
    'ratio 1.245 +0, surprise 0.3, samples 2, whole 0 part 0, highest 2600, growth 1000 1.6 ±0.067 from 2000, last 2600, doubts - -, cut -, room 3078 3236',
  ],
  [
    '1000→1000 2000→3900 3000→4000 4000→5100',
    'ratio 1.247 +357.154, surprise 0.405, samples 4, whole 3 part 0, highest 5100, growth 3000 1.367 ±0.68 from 4000, last 5100, doubts - -, cut -, room 3032 2810',
  ],
  [
    '1000→1000 2000→5000',
    'ratio 2.224 +0, surprise 0.5, samples 2, whole 1 part 0, highest 5000, growth 1000 4 ±0.067 from 2000, last 5000, doubts - -, cut -, room 1661 1835',
  ],
  [
    '1000→x',
    'ratio 1 +0, surprise 0.2, samples 0, whole 0 part 0, highest 0, growth 0 1 ±0.1 from -, last -, doubts - -, cut -, room 4167 4167',
  ],
  [
    '1000→1000 2000→x 3000→x 4000→x 5000→x',
    'ratio 1 +0, surprise 0.5, samples 1, whole 0 part 0, highest 1000, growth 0 1 ±0.1 from 1000, last -, doubts - -, cut -, room 3333 3333',
  ],
  [
    '1000→9000',
    'ratio 1 +0, surprise 0, samples 0, whole 0 part 0, highest 0, growth 0 1 ±0.1 from -, last -, doubts - -, cut -, room 4762 4762',
  ],
  [
    '1000→9000:!',
    'ratio 1 +0, surprise 0.2, samples 0, whole 0 part 0, highest 0, growth 0 1 ±0.1 from -, last -, doubts - -, cut -, room 4167 4167',
  ],
  [
    '1000→1250:part 1400→500:part',
    'ratio 1 +0, surprise 0, samples 0, whole 0 part 2, highest 0, growth 0 1 ±0.1 from -, last -, doubts - -, cut -, room 4762 4762',
  ],
  [
    '1000→1250:part 1400→1700',
    'ratio 1.214 +0, surprise 0, samples 1, whole 1 part 1, highest 1700, growth 0 1 ±0.1 from 1400, last 1700, doubts - -, cut -, room 3871 3955',
  ],
  [
    '1000→1250 1400→400:doubted',
    'ratio 1.25 +0, surprise 0, samples 1, whole 0 part 0, highest 1250, growth 0 1 ±0.1 from 1000, last 1250, doubts 400 400, cut -, room 3727 3846',
  ],
  [
    '3000→3000 4000→2000:doubted 5000→2000:doubted',
    'ratio 1 +0, surprise 0, samples 1, whole 0 part 0, highest 3000, growth 0 1 ±0.1 from 3000, last 3000, doubts 2000/2000 2000, cut 4000, room 4818 4762',
  ],
  [
    '3000→3000 4000→2000:unsure 5000→2000:doubted',
    'ratio 1 +0, surprise 0, samples 1, whole 0 part 0, highest 3000, growth 0 1 ±0.1 from 3000, last 3000, doubts 2000/2000 2000, cut 5000, room 4818 4762',
  ],
  [
    '3000→3000 4000→2000:doubted 3500→3500',
    'ratio 1 +0, surprise 0, samples 2, whole 0 part 0, highest 3500, growth 500 1 ±0.08 from 3500, last 3500, doubts - -, cut 4000, room 4864 4762',
  ],
  [
    '3000→3000 4000→2000:doubted 4000→4000',
    'ratio 1 +0, surprise 0, samples 2, whole 1 part 0, highest 4000, growth 1000 1 ±0.067 from 4000, last 4000, doubts - -, cut -, room 4909 4762',
  ],
  [
    '3000→3000 4000→2000:doubted!',
    'ratio 1 +0, surprise 0.2, samples 1, whole 0 part 0, highest 3000, growth 0 1 ±0.1 from 3000, last -, doubts - -, cut -, room 4167 4167',
  ],
  [
    '3000→3000 4000→1:doubted 4100→2:doubted 4200→3:doubted 4300→4:doubted 4400→5:doubted 4500→6:doubted 4600→7:doubted',
    'ratio 1 +0, surprise 0, samples 1, whole 0 part 0, highest 3000, growth 0 1 ±0.1 from 3000, last 3000, doubts 2/3/4/5/6/7 1, cut 4000, room 4818 4762',
  ],
  [
    '1000→1000 1500→500:part 2000→1500 2500→2500',
    'ratio 0.916 +0, surprise 0.269, samples 3, whole 3 part 0, highest 2500, growth 1500 1 ±0.271 from 2500, last 2500, doubts - -, cut -, room 3932 4220',
  ],
  [
    '1000→1000 1500→500:part 2000→2000',
    'ratio 1 +0, surprise 0, samples 2, whole 1 part 1, highest 2000, growth 1000 1 ±0.067 from 2000, last 2000, doubts - -, cut -, room 4727 4762',
  ],
  [
    '0→5',
    'ratio 1 +0, surprise 0, samples 0, whole 0 part 0, highest 0, growth 0 1 ±0.1 from -, last -, doubts - -, cut -, room 4762 4762',
  ],
  [
    '5→0',
    'ratio 1 +0, surprise 0, samples 0, whole 0 part 0, highest 0, growth 0 1 ±0.1 from -, last -, doubts - -, cut -, room 4762 4762',
  ],
])('%s teaches: %s', (reports, learned) => expect(printLearned(believed(reports))).toBe(learned));

test.each([
  [3, 2100, 450, false],
  [3, 2100, 500, true],
  [3, 2100, 600, true],
  [3, 2100, 2100, true],
  [3, 2100, 2000, true],
  [3, 3000, 1900, false],
  [3, 3000, 2400, false],
  [3, 3000, 2600, false],
  [3, 3000, 3000, true],
  [3, 3000, 4100, true],
  [3, 2000, 100, false],
  [3, 1900, 2000, false],
  [3, 8000, 8000, true],
  [3, 8000, 7200, false],
  [5, 3100, 450, true],
  [5, 3100, 500, true],
  [5, 3100, 600, true],
  [5, 3100, 3100, true],
  [5, 3100, 3000, true],
  [5, 4000, 1900, true],
  [5, 4000, 2400, true],
  [5, 4000, 2600, true],
  [5, 4000, 3000, true],
  [5, 4000, 4100, true],
  [5, 3000, 100, false],
  [5, 2900, 3000, false],
  [5, 12000, 12000, true],
  [5, 12000, 10800, false],
])(
  'after %d reports of the same ratio a prompt of %d counted as %d was counted whole: %s',
  (...row) => {
    const [samples, estimate, reported, isWhole] = row;
    const [three, five] = ['1000→1000 1500→1500 2000→2000', ' 2500→2500 3000→3000'];
    const calibration = believed(samples === 3 ? three : three + five);
    expect(isCountedWhole(calibration, { estimate, reported, epoch: 1 })).toBe(isWhole);
    expect(isCountedWhole(calibration, { estimate, reported, epoch: 2 })).toBe(false);
  },
);
