import type { Assembly } from '../../core/assembly/assembly.ts';
import { factNames } from '../../core/state/evolve.ts';
import { isEngineError } from '../../core/values/error.ts';
import { checkLaws } from '../laws/laws.ts';
import type { Violation } from '../laws/law.ts';
import type { Bench, Moment } from './bench.ts';
import { differencesOf } from './compare.ts';
import type { Expectation, ScriptPath, Unmet } from './expectation.ts';
import { findUnmet } from './find-text.ts';
import { lineDiff } from './line-diff.ts';
import { matchRecorded } from './recorded.ts';
import { traceOf, windowText } from './printed.ts';

type Checks = {
  readonly [Field in keyof Expectation]-?: (
    moment: Moment,
    wanted: NonNullable<Expectation[Field]>,
  ) => Promise<readonly Unmet[]>;
};

const checks: Checks = {
  shows: (moment, wanted) => findUnmet(moment, { wanted, isShown: true }),
  hides: (moment, wanted) => findUnmet(moment, { wanted, isShown: false }),
  fits: checkFit,
  where: async ({ bench: { session }, path }, wanted) =>
    Object.entries(wanted).flatMap(([id, place]) => {
      const there = placeOf(() => session.where(id));
      if (there.split(' ')[0] === place) return [];
      return [{ path: [...path, id], what: `${id} is ${place}`, lines: [`there  ${there}`] }];
    }),
  state: async ({ bench: { session }, path }, wanted) => differencesOf(session.state, wanted, path),
  frames: checkFrames,
  facts: async ({ bench, path }, wanted) => {
    const types = bench.facts.slice(bench.seen).map(({ type }) => type);
    return Array.isArray(wanted)
      ? orderUnmet(types, wanted, path)
      : Object.entries(wanted as Record<string, number>).flatMap(([type, count]) => {
          const there = types.filter((one) => one === type).length;
          const what = `${count} × ${type} since the last "expect"`;
          return there === count
            ? []
            : [{ path: [...path, type], what, lines: [`there  ${there}`] }];
        });
  },
  recalls: checkRecall,
  summaries: async ({ bench: { summarizer }, path }, wanted) => {
    const there = summarizer?.calls.length ?? 0;
    const what = `${wanted} ${wanted === 1 ? 'call' : 'calls'} of the summarizer so far`;
    return there === wanted ? [] : [{ path, what, lines: [`there  ${there}`] }];
  },
  laws: async ({ bench, path }) => {
    const broken = await brokenLaws(bench);
    const lines = broken.map(({ law, what }) => `${law}: ${what}`);
    return broken.length === 0 ? [] : [{ path, what: 'every law holds', lines }];
  },
  window: async (moment, wanted) =>
    matchRecorded(moment, wanted ?? '', windowText(await moment.assembly())),
  trace: async (moment, wanted) => matchRecorded(moment, wanted ?? '', traceOf(moment.bench.facts)),
};

/** What of an expectation is not met; nothing where all is. */
export async function checkExpectation(
  bench: Bench,
  wanted: Expectation,
  path: ScriptPath,
): Promise<readonly Unmet[]> {
  let made: Promise<Assembly> | null = null;
  const { clock, session } = bench;
  const assembly = (): Promise<Assembly> =>
    (made ??= clock.until(session.assemble({ tools: bench.tools })));
  const unmet: Unmet[] = [];
  for (const [field, value] of Object.entries(wanted) as [keyof Expectation, unknown][]) {
    const check = checks[field] as (moment: Moment, wanted: unknown) => Promise<readonly Unmet[]>;
    const moment = { bench, assembly, path: [...path, field] };
    if (value === undefined) continue;
    for (const one of await check(moment, value))
      unmet.push({ ...one, what: `Expected: ${one.what}` });
  }
  bench.seen = bench.facts.length;
  return unmet;
}

/** The laws that are broken now. */
export async function brokenLaws(bench: Bench): Promise<readonly Violation[]> {
  const { clock, session, witness, judged, tools } = bench;
  await bench.hearOthers();
  const checked = checkLaws(judged, session, { witness, thorough: true, tools });
  const { assembly, violations } = await clock.until(checked);
  bench.judged = assembly ?? judged;
  return violations;
}

async function checkFit(
  { assembly, path }: Moment,
  wanted: true | number,
): Promise<readonly Unmet[]> {
  const made = await assembly().catch((error: unknown) => {
    if (isEngineError(error, 'CONTEXT_OVERFLOW')) return error;
    throw error;
  });
  const most = wanted === true ? null : wanted;
  if (made instanceof Error)
    return [{ path, what: 'the prompt fits', lines: [`there  ${made.message}`] }];
  const {
    total,
    limit,
    window,
    reserve,
    available: _,
    threshold: __,
    counted: ___,
    count: ____,
    ...parts
  } = made.budget;
  if (total <= (most ?? limit)) return [];
  const sizes = Object.entries(parts).filter(([, tokens]) => tokens > 0);
  return [
    {
      path,
      what: `the prompt has at most ${most ?? limit} tokens`,
      lines: [
        `there  ${total} of ${limit}, in a window of ${window} less ${reserve} for the answer`,
        `       ${sizes.map(([part, tokens]) => `${part} ${tokens}`).join(', ')}`,
      ],
    },
  ];
}

function placeOf(where: () => ReturnType<Bench['session']['where']>): string {
  try {
    const found = where();
    if ('checkpoint' in found)
      return `checkpoint ${found.checkpoint}, ${found.from} to ${found.to}`;
    return 'form' in found ? `tree (${found.form})` : `${found.place} of ${found.frame}`;
  } catch (error) {
    if (isEngineError(error)) return error.message;
    throw error;
  }
}

async function checkFrames(
  { bench: { session, names }, path }: Moment,
  wanted: Readonly<Record<string, string>>,
): Promise<readonly Unmet[]> {
  const there = new Map<string, string>();
  const visit = ({ id, status, children }: ReturnType<typeof session.frames.tree>): void => {
    there.set(id, status);
    children.forEach(visit);
  };
  visit(session.frames.tree());
  return Object.entries(wanted).flatMap(([name, status]) => {
    const found = there.get(names.get(name) ?? name);
    if (found === status) return [];
    const all = [...there].map(([id, one]) => `${id} ${one}`).join(', ');
    const line = found === undefined ? `no such frame; there are ${all}` : found;
    return [{ path: [...path, name], what: `"${name}" is ${status}`, lines: [`there  ${line}`] }];
  });
}

/** Facts that should come in an order, others between them. */
function orderUnmet(
  there: readonly string[],
  wanted: readonly string[],
  path: ScriptPath,
): readonly Unmet[] {
  let at = 0;
  for (const [index, type] of wanted.entries()) {
    const found = there.indexOf(type, at);
    if (found < 0) {
      const what = `${type} ${index === 0 ? '' : `after ${wanted[index - 1]} `}since the last "expect"`;
      const lines = lineDiff(
        wanted.join('\n'),
        there.filter((one) => wanted.includes(one as never)).join('\n'),
      );
      const counts = factNames.flatMap((name) => {
        const count = there.filter((one) => one === name).length;
        return count === 0 ? [] : [count === 1 ? name : `${name} ×${count}`];
      });
      return [
        {
          path: [...path, index],
          what,
          lines: [...lines, `there  ${counts.join(', ') || 'nothing'}`],
        },
      ];
    }
    at = found + 1;
  }
  return [];
}

async function checkRecall(
  { bench: { session, clock }, path }: Moment,
  wanted: Readonly<Record<string, string | readonly string[]>>,
): Promise<readonly Unmet[]> {
  const unmet: Unmet[] = [];
  for (const [query, ids] of Object.entries(wanted)) {
    const hits = await clock.until(session.recall(query));
    const found = hits.map(({ entry }) => entry);
    const missing = [ids].flat().filter((id) => !found.includes(id));
    if (missing.length > 0)
      unmet.push({
        path: [...path, query],
        what: `recall of "${query}" finds ${missing.join(', ')}`,
        lines: [`there  ${found.join(', ') || 'nothing'}`],
      });
  }
  return unmet;
}
