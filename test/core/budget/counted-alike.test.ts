import { expect, test } from 'vitest';
import {
  learn,
  uncalibrated,
  type Calibration,
  type FittedPoint,
} from '../../../src/core/budget/calibration.ts';
import { isCountedAlike } from '../../../src/core/budget/counted-alike.ts';
import { beliefOf, detectTruncation } from '../../../src/core/truncation/detect.ts';

const window = 16_000;

/** The calibration after reports, each with its epoch: `2700→4096 5100→4096/2`. */
const after = (reports: string): Calibration =>
  pointsIn(reports).reduce((calibration, { reported, ...prompt }) => {
    const evidence = { calibration, prompt: { ...prompt, window }, reported };
    return learn(calibration, { ...prompt, reported, window }, beliefOf(evidence));
  }, uncalibrated);

const pointsIn = (reports: string): readonly FittedPoint[] =>
  reports.split(' ').map((report) => {
    const [counts = '', epoch = '1'] = report.split('/');
    const [estimate, reported] = counts.split('→').map(Number);
    return { estimate: estimate!, reported: reported!, epoch: Number(epoch) };
  });

test.each([
  ['once', '2700→4096', { samples: 1, ratio: 1.517 }],
  ['for a longer prompt too, so the first was cut as well', '2700→4096 5100→4096', { samples: 0 }],
  ['less than ours', '9000→6000 10000→6000', { samples: 0, ratio: 1, overhead: 0 }],
  ['for two in other epochs', '3568→9000 1940→9000/2 1770→9000/3', { samples: 0, overhead: 0 }],
  ['more than any model counts', '3568→9900 1940→9900/2 1770→9900/3', { samples: 0 }],
  ['for one in another epoch, by chance', '3000→3300 2960→3300/2', { samples: 1 }],
  ['for a prompt that hardly grew', '3000→3300 3012→3300', { samples: 1, ratio: 1.1 }],
  ['for it, and more for a longer one', '3000→3300 3012→3300 3400→3740', { samples: 2 }],
  ['for it, and for a longer one', '3000→8000 3012→8000/2 3400→8000/2', { samples: 0 }],
  ['less, behind others that agree', '1000→1000 2000→2000 2100→2090 2150→2090', { samples: 3 }],
] as const)('the same number, %s', (_, reports, learned) => {
  const { ratio, ...rest } = learned as { readonly ratio?: number };
  expect(after(reports)).toMatchObject(rest);
  if (ratio !== undefined) expect(after(reports).ratio).toBeCloseTo(ratio, 2);
});

test('a large ratio is kept as the least that there may be, for more may have been cut', () => {
  expect(after('2700→4096 5100→4096')).toMatchObject({ last: null, answered: true });
  expect(after('2700→4096 5100→4096').ratio).toBeCloseTo(1.517, 2);
});

test('a prompt of another size with a known count is counted alike, the same one is not', () => {
  const [seen, same] = pointsIn('1900→4096/2 2700→4096');
  expect(isCountedAlike(after('2700→4096'), seen!)).toBe(true);
  expect(isCountedAlike(after('2700→4096'), same!)).toBe(false);
});

test('what grows behind a count that was taken back is still found to be cut', () => {
  const calibration = after('2000→3000 2600→3000');
  const prompt = { estimate: 3_200, epoch: 1, window };
  expect(calibration.last).toBeNull();
  expect(detectTruncation({ calibration, prompt, reported: 3_000 }).rule).toBe('count.low');
});
