import { duration, number, percent } from '../paper/size.ts';

/** Time in which a rate is not yet one, in milliseconds. */
const tooEarly = 400;

/** How far something is: the share that is done, where it is known (0 to 1), and of what, how many of what, how many a second, and how long it still takes. */
export function paceText(
  {
    count,
    what,
    share,
    of,
  }: {
    readonly count: number;
    readonly what: string;
    readonly share?: number | undefined;
    readonly of?: string | undefined;
  },
  since: number,
  now: number = performance.now(),
): string {
  const ms = now - since;
  const things =
    count === 1 && /^(?:new )?\w+$/.test(what)
      ? what.replace(/(?:ie)?s$/, (end) => (end === 's' ? '' : 'y'))
      : what;
  const rate = ms < tooEarly ? '' : `, ${number(count / (ms / 1_000))} a second`;
  const remainingMs =
    share === undefined || share < 0.02 || ms < tooEarly ? 0 : (ms / share) * (1 - share);
  return [
    ...(share === undefined ? [] : [`${percent(share)}${of === undefined ? '' : ` of ${of}`}`]),
    count === 0 ? `no ${what} yet` : `${number(count)} ${things}${rate}`,
    ...(remainingMs < 1_000 ? [] : [`${duration(remainingMs)} left`]),
  ].join('  ');
}
