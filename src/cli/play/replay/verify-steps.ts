import type { ReplayDifference } from '../../../index.ts';
import { exits } from '../../call/exit.ts';
import { paceText } from '../../call/pace-text.ts';
import { statusLine } from '../../call/status-line.ts';
import { cleanLine } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { duration, many } from '../../paper/size.ts';
import { cut } from '../../paper/width.ts';
import { schema, type Reel } from './reel.ts';

/** Decides the steps of a session again, up to the first that is not as it is stored; gives the exit code. */
export async function verifySteps(reel: Reel): Promise<number> {
  const { id, call, first, last } = reel;
  const begun = performance.now();
  const status = statusLine(call);
  let steps = 0;
  let untold = 0;
  let mismatch: (ReplayDifference & { readonly seq: number }) | null = null;
  for await (const { seq, difference } of reel.steps(first, { decide: true })) {
    if (difference === undefined) untold += 1;
    else steps += 1;
    const share = (seq - first + 1) / (last - first + 1);
    status.say(
      () =>
        `${paceText({ count: seq - first + 1, what: 'steps', share }, begun)}  ${cleanLine(id)}`,
    );
    if (difference == null) continue;
    mismatch = { seq, ...difference };
    break;
  }
  status.clear();
  const ms = performance.now() - begun;
  if (call.json)
    call.emit(schema, {
      type: 'verify',
      session: id,
      first,
      steps,
      untold,
      difference: mismatch,
      ms,
    });
  else if (mismatch === null)
    call.print(`${sameLine(cleanLine(id), steps, untold)} (${duration(ms)})`);
  else call.print(...differenceLines(cleanLine(id), mismatch, call.paper()));
  return mismatch === null ? exits.done : exits.failed;
}

const sameLine = (id: string, steps: number, untold: number): string => {
  const before = untold === 0 ? '' : `, ${many(untold, 'step')} up to a redaction taken as stored`;
  return `${id}: ${many(steps, 'step')} decided again, 0 differences${before}`;
};

function differenceLines(
  id: string,
  mismatch: ReplayDifference & { readonly seq: number },
  { width, glyphs, paint }: Paper,
): readonly string[] {
  const { seq, kind, path } = mismatch;
  const [stored, decided] = excerptsOf(mismatch.stored, mismatch.decided);
  const at = path === '' ? '' : `, at ${path}`;
  const rows = [
    [kind, `${mismatch.id}${at}`],
    ['stored', stored],
    ['decided', decided],
  ] as const;
  return [
    paint(`${id}: step ${seq} is not what is decided`, 'bold', 'red'),
    ...rows.map(([name, text]) =>
      cut(`  ${name.padEnd(10)}${cleanLine(text)}`, width, glyphs.more),
    ),
  ];
}

/** Characters of two texts that are shown before the first that differs. */
const before = 20;

/** Two values in a line each; long texts from where they differ. */
function excerptsOf(stored: unknown, decided: unknown): readonly [string, string] {
  const [one, other] = [stored, decided].map((value) => JSON.stringify(value) ?? 'nothing');
  let same = 0;
  while (same < one!.length && one![same] === other![same]) same += 1;
  const from = same > 2 * before ? same - before : 0;
  const excerpt = (text: string): string => (from === 0 ? text : `…${text.slice(from)}`);
  return [excerpt(one!), excerpt(other!)];
}
