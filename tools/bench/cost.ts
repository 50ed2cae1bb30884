/** What work took, in microseconds. */
export interface Cost {
  /** Processor time of the whole process, threads of its libraries among it. */
  readonly cpu: number;
  readonly wall: number;
}

/** What `work` took, divided among `by` pieces. */
export async function costOf(work: () => unknown, by = 1): Promise<Cost> {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / by, wall: ((performance.now() - wall) * 1_000) / by };
}

/** Costs added up. */
export function sum(costs: readonly Cost[]): Cost {
  return {
    cpu: costs.reduce((all, { cpu }) => all + cpu, 0),
    wall: costs.reduce((all, { wall }) => all + wall, 0),
  };
}

/** A cost shared out among `by` pieces. */
export function share({ cpu, wall }: Cost, by: number): Cost {
  return { cpu: cpu / by, wall: wall / by };
}

/** The value below which `part` of `samples` lie; NaN of none. */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = part * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** The middle one of `samples`. */
export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}
