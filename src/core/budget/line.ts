// The line through the reports of a server, by least squares: its count is the ratio times ours, and
// an overhead. Each report makes those before it weigh a tenth less.

/** The faded sums over reports that the line is fitted to. */
export interface Sums {
  readonly weight: number;
  readonly estimate: number;
  readonly reported: number;
  readonly squares: number;
  readonly products: number;
}

/** The sums before the first report. */
export const noSums: Sums = { weight: 0, estimate: 0, reported: 0, squares: 0, products: 0 };

/** Bounds of the ratio, whatever a server reports. */
export const bounds = { least: 0.5, most: 2.5 } as const;

/** Largest credible overhead, in tokens of the model. */
export const mostOverhead = 2_000;

/** The share of a report's weight, and of the surprise, that is left after the next report. */
export const fading = 0.9;

/** The weight of the ridge, which holds the overhead near zero, in reports. */
const ridge = 0.2;

/** The sums with one more report. */
export function faded(sums: Sums, estimate: number, reported: number): Sums {
  return {
    weight: fading * sums.weight + 1,
    estimate: fading * sums.estimate + estimate,
    reported: fading * sums.reported + reported,
    squares: fading * sums.squares + estimate * estimate,
    products: fading * sums.products + estimate * reported,
  };
}

/** The line of least squares, with the slope within the bounds and no negative overhead. */
export function lineThrough(sums: Sums): { readonly ratio: number; readonly overhead: number } {
  const { weight, estimate, reported, squares, products } = sums;
  const heavy = weight + ridge;
  const slope = (products * heavy - reported * estimate) / (squares * heavy - estimate * estimate);
  const through = (reported - slope * estimate) / heavy;
  const ratio = bounded(through < 0 ? products / squares : slope);
  return {
    ratio,
    overhead: Math.min(mostOverhead, Math.max(0, (reported - ratio * estimate) / heavy)),
  };
}

const bounded = (ratio: number): number =>
  Math.min(bounds.most, Math.max(bounds.least, Number.isFinite(ratio) ? ratio : 1));
